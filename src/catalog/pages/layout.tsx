/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import { cutText } from '../../platform/text.ts'
import { Icon } from '../../platform/web/icon.tsx'
import { Mark } from '../../platform/web/mark.tsx'
import { Announcements, HeadStart, SkipLink, ThemeColours } from '../../platform/web/page-parts.tsx'
import type { CatalogSnapshot, FolderPreview } from '../feeds/catalog-snapshot.ts'
import { CARD_HEIGHT, CARD_WIDTH, pagePaths, pictureHref } from '../page-paths.ts'
import { problemLine } from '../records/problem.ts'
import { type PageAssetName, pageAsset } from './assets.ts'
import { dayWords } from './words.ts'

type Section = 'tools' | 'x402' | 'changes' | 'methodology'

type Props = {
  snapshot: CatalogSnapshot
  title: string
  description: string
  /** The canonical path and query. */
  canonical: string
  section?: Section
  /** The same content in other formats, for `link rel=alternate`. */
  alternates?: Array<{ type: string; href: string; title: string }>
  /** JSON-LD, escaped so that nothing in it ends the element. */
  data?: string | undefined
  /** The path of the picture beside a link to the page; that of the catalog without it. */
  picture?: string | undefined
  /** Hides query results from search engines. */
  hidden?: boolean
  scripts?: PageAssetName[]
  children: ComponentChildren
}

/** The document around a page of the catalog; the same for everybody, so that it can be cached. */
export function CatalogLayout(props: Props) {
  const { snapshot, title, description, canonical, section, alternates = [], data, hidden } = props
  return (
    <html lang="en">
      <head>
        <HeadStart title={`${title} · ${snapshot.settings.name}`} description={cut(description)} />
        {hidden && <meta name="robots" content="noindex, follow" />}
        <link rel="canonical" href={snapshot.baseUrl + canonical} />
        <ThemeColours />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={cut(description)} />
        <meta property="og:type" content="website" />
        <meta property="og:url" content={snapshot.baseUrl + canonical} />
        <LinkPicture {...props} />
        <link rel="stylesheet" href={pageAsset('catalog.css')} />
        <link rel="icon" href={pageAsset('icon.svg')} type="image/svg+xml" />
        {alternates.map((one) => (
          <link rel="alternate" {...one} />
        ))}
        {scriptsOf(props).map((script) => (
          <script src={pageAsset(script)} type="module" />
        ))}
        {data && <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: data }} />}
      </head>
      <body class="catalog">
        <SkipLink />
        <WayBack />
        <header class="top">
          <a class="brand" href={pagePaths.tools}>
            <Mark />
            <bdi>{snapshot.settings.name}</bdi>
          </a>
          <Navigation section={section} />
        </header>
        {snapshot.draft && <DraftBand draft={snapshot.draft} />}
        <main id="main" tabIndex={-1}>
          {props.children}
        </main>
        <Footer snapshot={snapshot} />
        <Announcements />
      </body>
    </html>
  )
}

function LinkPicture({ snapshot, title, picture = pictureHref.front() }: Props) {
  const { name } = snapshot.settings
  return (
    <>
      <meta property="og:site_name" content={name} />
      <meta property="og:image" content={snapshot.baseUrl + picture} />
      <meta property="og:image:width" content={String(CARD_WIDTH)} />
      <meta property="og:image:height" content={String(CARD_HEIGHT)} />
      <meta property="og:image:alt" content={`${title}, as listed in ${name}`} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}

function scriptsOf({ snapshot, scripts = [] }: Props): PageAssetName[] {
  return ['page.js', ...(snapshot.draft ? ['draft.js' as const] : []), ...scripts]
}

const ENTRIES: Array<{ section: Section; path: string; name: string }> = [
  { section: 'tools', path: pagePaths.tools, name: 'Tools' },
  { section: 'x402', path: pagePaths.x402, name: 'Pay per call' },
  { section: 'changes', path: pagePaths.changes, name: 'Changes' },
  { section: 'methodology', path: pagePaths.methodology, name: 'Method' },
]

/**
 * The link from the catalog to the questions, for people who came from there. It appears if the
 * fragment of the address names it, if the browser was signed in, and in the installed app. The
 * page is the same for everybody, and shows strangers no way in.
 */
function WayBack() {
  return (
    <nav class="way-back" id="beckon" aria-label="Beckon">
      <a href="/">
        <Icon name="back" />
        Back to beckon
      </a>
    </nav>
  )
}

function Navigation({ section }: { section: Section | undefined }) {
  return (
    <nav class="parts" aria-label="Catalog">
      {ENTRIES.map(({ path, name, ...entry }) => (
        <a href={path} aria-current={entry.section === section ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}

function Footer({ snapshot }: { snapshot: CatalogSnapshot }) {
  const { settings } = snapshot
  const { attribution, license = 'CC-BY-4.0' } = settings
  return (
    <footer class="foot">
      <p>
        <bdi>{attribution}</bdi>
        {!attribution.includes(license) && ` · ${license}`} · research run of{' '}
        <time dateTime={settings.run.date}>{dayWords(settings.run.date)}</time>
        {snapshot.draft && ' · not published'}
      </p>
      <ul>
        <li>
          <a href="/api/v1/index.json">JSON</a>
        </li>
        <li>
          <a href="/openapi.json">OpenAPI</a>
        </li>
        <li>
          <a href="/llms.txt">llms.txt</a>
        </li>
        <li>
          <a href="/sunsets.ics">Calendar</a>
        </li>
        <li>
          <a href="/changes.atom">Atom</a>
        </li>
      </ul>
    </footer>
  )
}

// The length that search engines show.
const DESCRIPTION_CHARS = 300

function cut(text: string): string {
  const whole = cutText(text, DESCRIPTION_CHARS)
  return whole === text ? text : `${cutText(text, DESCRIPTION_CHARS - 1)}…`
}

// More would push the page out of view; the terminal shows all.
const SHOWN_MAX = 12

/** Says on every page of a preview that it is one, and what is wrong in the files. */
function DraftBand({ draft }: { draft: FolderPreview }) {
  const { problems, stale, folder, state } = draft
  const count = `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`
  return (
    <aside class="draft" aria-label="Preview" data-state={state}>
      <p>
        <b>Preview.</b> The files of <code>{folder}</code> as they are now; nothing of it is
        published.
      </p>
      {problems.length > 0 && (
        <details open>
          <summary>
            <b>{count}.</b>{' '}
            {stale
              ? 'What you see is the folder as it was before.'
              : 'Nothing can be shown until they are solved.'}
          </summary>
          <ul>
            {problems.slice(0, SHOWN_MAX).map((problem) => (
              <li>
                <code>{problemLine(problem)}</code>
              </li>
            ))}
            {problems.length > SHOWN_MAX && (
              <li>and {problems.length - SHOWN_MAX} more, in the terminal.</li>
            )}
          </ul>
        </details>
      )}
    </aside>
  )
}
