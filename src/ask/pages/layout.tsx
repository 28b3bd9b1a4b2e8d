/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '../../platform/web/icon.tsx'
import { Mark } from '../../platform/web/mark.tsx'
import { Announcements, HeadStart, SkipLink, ThemeColours } from '../../platform/web/page-parts.tsx'
import { asset } from './assets.ts'
import { paths } from './paths.ts'
import type { Theme, Visit } from './visit.ts'

type Section = 'inbox' | 'sessions' | 'activity' | 'audit' | 'settings'

type Props = {
  visit: Visit
  title: string
  /** Where this page is in the navigation; without it there is only a link back. */
  section?: Section
  back?: { to: string; name: string }
  /** The layout: a list with navigation, or a single decision. */
  kind?: 'browse' | 'decide' | 'alone'
  /** The manifest of the app as which this page is installed, if it starts elsewhere. */
  manifest?: string
  /** Scripts that only this page needs. */
  scripts?: Array<'passkey.js' | 'push.js'>
  /** The inbox with parts of other pages in it. */
  whole?: boolean
  children: ComponentChildren
}

const HTMX = JSON.stringify({
  includeIndicatorStyles: false,
  allowEval: false,
  historyCacheSize: 0,
  selfRequestsOnly: true,
  responseHandling: [
    { code: '204', swap: false },
    { code: '.*', swap: true },
  ],
})

/** The whole document around a page. */
export function Layout({
  visit,
  title,
  section,
  back,
  kind = 'browse',
  manifest = paths.manifest,
  scripts = [],
  whole = false,
  children,
}: Props) {
  const { theme, person, open, moment, plain, vapidKey } = visit
  return (
    <html
      lang="en"
      data-theme={theme === 'auto' ? undefined : theme}
      data-now={moment.now}
      data-zone={moment.zone}
    >
      <head>
        <HeadStart
          title={`${open > 0 ? `(${open}) ` : ''}${title} · beckon`}
          description="Questions from your coding agents, and your answers."
        />
        <meta name="robots" content="noindex" />
        <ThemeColours theme={theme} />
        <meta name="htmx-config" content={HTMX} />
        <link rel="stylesheet" href={asset('app.css')} />
        {/* The inbox and a question must stay light. */}
        {(whole || section !== 'inbox') && !(person && kind === 'decide') && (
          <link rel="stylesheet" href={asset('more.css')} />
        )}
        <link rel="icon" href={asset('icon.svg')} type="image/svg+xml" />
        <link rel="apple-touch-icon" href={asset('icon-180.png')} />
        {!plain && <Manifest path={manifest} theme={theme} />}
        {!plain && <script src={asset('page.js')} type="module" />}
        {person && <script src={asset('htmx.js')} defer />}
        {person && <script src={asset('unsent.js')} type="module" />}
        {person && <script src={asset('live.js')} type="module" />}
        {person && vapidKey && <script src={asset('device.js')} type="module" />}
        {scripts.map((script) => (
          <script src={asset(script)} type="module" />
        ))}
      </head>
      <body class={person ? kind : 'alone'} data-open={open} data-vapid-key={vapidKey}>
        <SkipLink />
        <header class="top">
          {back && (
            <a class="back" href={back.to} aria-label={back.name}>
              <Icon name="back" />
            </a>
          )}
          <a class="brand" href={paths.home}>
            <Mark />
            beckon
          </a>
          {person && (
            <span class="live" id="live" data-state="plain">
              <i />
              <span id="live-word" />
            </span>
          )}
        </header>
        {person && <Navigation section={section} open={open} catalog={visit.catalog} />}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        <Announcements />
        {person && <Keys />}
      </body>
    </html>
  )
}

function Manifest({ path, theme }: { path: string; theme: Theme }) {
  const query = theme === 'dark' ? `${path.includes('?') ? '&' : '?'}theme=dark` : ''
  return <link rel="manifest" href={path + query} crossorigin="use-credentials" />
}

const ENTRIES: Array<{ section?: Section; path: string; name: string; icon: IconName }> = [
  { section: 'inbox', path: paths.inbox, name: 'Inbox', icon: 'inbox' },
  { section: 'sessions', path: paths.sessions, name: 'Sessions', icon: 'sessions' },
  { section: 'activity', path: paths.activity, name: 'Activity', icon: 'activity' },
  { section: 'audit', path: paths.audit, name: 'Audit', icon: 'file' },
  { section: 'settings', path: paths.settings, name: 'Settings', icon: 'settings' },
]

type NavigationProps = { section: Section | undefined; open: number; catalog: string | undefined }

function Navigation({ section, open, catalog }: NavigationProps) {
  const entries = [...ENTRIES]
  // The fragment shows the way back on the page of the catalog, without scripts too.
  if (catalog) {
    entries.splice(-1, 0, { path: `${catalog}#beckon`, name: 'Catalog', icon: 'catalog' })
  }
  return (
    <nav class="nav" aria-label="Main">
      {entries.map((entry) => (
        <a
          href={entry.path}
          aria-current={entry.section && entry.section === section ? 'page' : undefined}
        >
          <Icon name={entry.icon} />
          <span class="nav-name">{entry.name}</span>
          {entry.section === 'inbox' && (
            <span class="badge" id="badge" hidden={open === 0}>
              {open > 99 ? '99+' : open}
              <span class="unseen"> open</span>
            </span>
          )}
        </a>
      ))}
    </nav>
  )
}

const KEYS: Array<[string[], string]> = [
  [['j', 'k'], 'Next and previous'],
  [['Enter'], 'Open, or send the answer that is marked'],
  [['y', 'n'], 'Mark yes or no'],
  [['1', '…', '6'], 'Mark a choice'],
  [['Esc'], 'Mark nothing'],
  [['u'], 'Undo the last answer'],
  [['/'], 'Search'],
  [['g', 'i'], 'Go to the inbox'],
  [['?'], 'This help'],
]

/** The help that `?` opens. */
function Keys() {
  return (
    <dialog id="keys" class="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl>
        {KEYS.map(([keys, meaning]) => (
          <div>
            <dt>
              {keys.map((key) => (
                <kbd>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="small">
          Close
        </button>
      </form>
    </dialog>
  )
}
