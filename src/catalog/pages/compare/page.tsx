/** @jsxImportSource preact */
import { cleanLine, cutText } from '../../../platform/text.ts'
import { EmptyBox } from '../../../platform/web/page-parts.tsx'
import type { CatalogSnapshot } from '../../feeds/catalog-snapshot.ts'
import { searchList } from '../../feeds/search-list.ts'
import { pageHref, pagePaths } from '../../page-paths.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { CatalogLayout } from '../layout.tsx'
import { PreviewNote } from '../parts/marks.tsx'
import { PlainFilesNote } from '../parts/plain-files-note.tsx'
import { pageText } from '../render.ts'
import { plural, toolName } from '../words.ts'
import { ComparisonTable } from './table.tsx'

/** As many as fit side by side and stay readable. */
const MOST = 4
// The rest of a long address is ignored.
const SLUGS_MOST = 20
const SEARCH_CHARS = 100

/**
 * Up to four tools side by side: `?tools=a,b`. Unknown slugs are named on the page. `add=WORDS`
 * searches for another one, `only=differences` leaves out the rows that are equal.
 */
export function comparePage(snapshot: CatalogSnapshot, search?: URLSearchParams): string {
  const slugs = slugsIn(search)
  const matches = slugs.flatMap((slug) => snapshot.bySlug.get(slug) ?? [])
  const tools = matches.slice(0, MOST)
  const missing = slugs.filter((slug) => !snapshot.bySlug.has(slug))
  const title = tools.length > 1 ? tools.map(toolName).join(' and ') : 'Compare tools'
  return pageText(
    <CatalogLayout
      snapshot={snapshot}
      title={title}
      description="Tools for agents side by side: score, price, sign-in, health, age."
      canonical={pageHref.compare(tools.map(({ slug }) => slug))}
      section="tools"
      scripts={search ? [] : ['plain-files.js']}
      hidden
    >
      <div class="page-head">
        <h1>Side by side</h1>
        <p class="sub">
          {missing.length > 0 && (
            <>
              Not in this catalog:{' '}
              <bdi>{missing.map((slug) => cutText(cleanLine(slug), 64)).join(', ')}</bdi>.{' '}
            </>
          )}
          {matches.length > MOST && `The first ${MOST} of ${matches.length} are shown. `}
          {tools.length > 0 && 'In each row the same fact, from the same run.'}
        </p>
        {snapshot.settings.preview && tools.length > 0 && <PreviewNote />}
      </div>
      {!search && (
        <PlainFilesNote>A copy of plain files has no server, which comparing needs.</PlainFilesNote>
      )}
      {tools.length === 0 ? (
        <EmptyBox icon="search" title="Nothing to compare yet">
          <p>
            Search for a tool below, or open one and choose another under “Compare with”. On a wide
            screen, tick two to four in the directory, then choose “Compare the ticked”.
          </p>
        </EmptyBox>
      ) : (
        <ComparisonTable
          snapshot={snapshot}
          tools={tools}
          onlyDifferences={search?.get('only') === 'differences'}
        />
      )}
      {tools.length < MOST && <Add snapshot={snapshot} tools={tools} words={wordsIn(search)} />}
    </CatalogLayout>,
  )
}

function slugsIn(search: URLSearchParams | undefined): string[] {
  const slugs = (search?.getAll('tools') ?? []).flatMap((one) => one.split(','))
  return [...new Set(slugs.map((slug) => slug.trim()).filter(Boolean))].slice(0, SLUGS_MOST)
}

function wordsIn(search: URLSearchParams | undefined): string {
  return cutText((search?.get('add') ?? '').trim(), SEARCH_CHARS)
}

const SUGGESTIONS = 8

type AddProps = { snapshot: CatalogSnapshot; tools: readonly ToolDetail[]; words: string }

/** Any other tool by a search; without one, those of the same category. */
function Add({ snapshot, tools, words }: AddProps) {
  const others =
    words === ''
      ? relatedTools(snapshot, tools)
      : searchList(snapshot, words).filter((one) => !tools.includes(one))
  const slugs = tools.map(({ slug }) => slug)
  return (
    <section class="part">
      <h2>{tools.length === 0 ? 'Begin with a tool' : 'Add one beside'}</h2>
      <form class="compare-add" method="get" action={pagePaths.compare}>
        {tools.length > 0 && <input type="hidden" name="tools" value={slugs.join(',')} />}
        <label class="search">
          <span class="unseen">Search the tools</span>
          <input
            type="search"
            name="add"
            value={words}
            maxLength={SEARCH_CHARS}
            placeholder={`Search ${plural(snapshot.tools.length, 'tool')}`}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
        </label>
        <button type="submit">Search</button>
      </form>
      {words !== '' && others.length === 0 && <p class="soft">No other tool matches this.</p>}
      <ul class="chips">
        {others.slice(0, SUGGESTIONS).map((one) => (
          <li>
            <a class="chip-off" href={pageHref.compare([...slugs, one.slug])}>
              <bdi>{toolName(one)}</bdi>
            </a>
          </li>
        ))}
      </ul>
      {others.length > SUGGESTIONS && words !== '' && (
        <p class="soft">
          The first {SUGGESTIONS} of {plural(others.length, 'tool')}: add a word to find others.
        </p>
      )}
    </section>
  )
}

function relatedTools(snapshot: CatalogSnapshot, tools: readonly ToolDetail[]): ToolDetail[] {
  const categories = new Set(tools.map(({ category }) => category))
  return snapshot.tools.filter((one) => categories.has(one.category) && !tools.includes(one))
}
