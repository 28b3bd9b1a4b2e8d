/** @jsxImportSource preact */

import { Icon } from '../../platform/web/icon.tsx'
import { EmptyBox } from '../../platform/web/page-parts.tsx'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { pageHref, pagePaths, pictureHref } from '../page-paths.ts'
import type { ToolDetail } from '../records/tool.ts'
import { endedWords } from './ended.ts'
import { CatalogLayout } from './layout.tsx'
import { choiceWords, Find } from './parts/filters.tsx'
import { PreviewNote } from './parts/marks.tsx'
import { PlainFilesNote } from './parts/plain-files-note.tsx'
import { ToolRow } from './parts/tool-row.tsx'
import { WatchLink } from './parts/watch-link.tsx'
import {
  FILTERS,
  type FilterName,
  type Query,
  readDirectoryQuery,
  selectTools,
  usualSort,
} from './query.ts'
import { pageText } from './render.ts'
import { categoryName, dayWords, number, plural } from './words.ts'

// Keeps the page well below its size limit, and easy to scan.
const PAGE_SIZE = 50
const ATOM = 'application/atom+xml'

/** The number of pages for these tools. */
export function countPages(tools: readonly ToolDetail[]): number {
  return Math.max(1, Math.ceil(tools.length / PAGE_SIZE))
}

/**
 * The directory. Search, filters and paging are all in the address; without `search` it is page
 * `part` of the whole list, a document of its own.
 */
export function directoryPage(
  snapshot: CatalogSnapshot,
  search?: URLSearchParams,
  part = 1,
): string {
  const { settings, tools } = snapshot
  const query = search
    ? readDirectoryQuery(search, snapshot)
    : { ...readDirectoryQuery(new URLSearchParams(), snapshot), page: part }
  const isWhole = query.q === '' && query.picked.size === 0 && query.page === 1
  const category = onlyCategory(snapshot, query)
  const description =
    settings.description ??
    `${plural(tools.length, 'tool')} for agents, with prices, sign-in, health and grades that can be worked out again.`
  return pageText(
    <CatalogLayout
      snapshot={snapshot}
      title={isWhole ? 'Tools for agents' : (category?.name ?? 'Tools that match')}
      picture={category && pictureHref.category(category.id)}
      description={description}
      canonical={canonicalOf(search, part, category?.id)}
      section="tools"
      scripts={search ? [] : ['plain-files.js']}
      hidden={!isWhole || query.sort !== usualSort(snapshot, query.q)}
      alternates={[
        { type: 'application/json', href: '/api/v1/tools.json', title: 'The directory as JSON' },
        ...(category
          ? [{ type: ATOM, href: `/categories/${category.id}.atom`, title: category.name }]
          : []),
        { type: ATOM, href: '/changes.atom', title: 'Changes of the tools' },
        { type: 'application/feed+json', href: '/changes.feed.json', title: 'Changes' },
      ]}
    >
      <div class="page-head">
        <h1>Tools for agents</h1>
        <p class="sub" dir="auto">
          {description}
        </p>
        {settings.preview && <PreviewNote />}
        {tools.some(({ kind }) => kind === 'model') && (
          <p class="subscribe">
            <a href={pagePaths.models}>Models by price</a>
          </p>
        )}
      </div>
      {!search && tools.length > 0 && (
        <PlainFilesNote>
          A copy of plain files has no server: search, filters and orders by score and name need
          scripts there. Other orders and comparing need the server. The pages of this list have
          every tool.
        </PlainFilesNote>
      )}
      {tools.length === 0 ? <Nothing /> : <Directory snapshot={snapshot} query={query} />}
    </CatalogLayout>,
  )
}

/** Filters have the address of the list; a category its own, which previews of links read. */
function canonicalOf(search: URLSearchParams | undefined, part: number, category?: string): string {
  if (category !== undefined) return pageHref.tools({ category })
  return search ? pagePaths.tools : pageHref.part(part)
}

/** The category that the query is about alone; undefined if it is about more or less. */
function onlyCategory({ settings }: CatalogSnapshot, { picked, q }: Query) {
  const [of, ...more] = picked.get('category') ?? []
  if (picked.size !== 1 || more.length > 0 || q !== '') return undefined
  return settings.categories.find(({ id }) => id === of)
}

function Nothing() {
  return (
    <EmptyBox icon="folder" title="No tools yet">
      <p>The directory of tools will appear here, with grades, prices and changes. Begin with</p>
      <pre class="code">beckon catalog init</pre>
      <p>which makes a folder of example records to edit and publish.</p>
    </EmptyBox>
  )
}

function Directory({ snapshot, query }: { snapshot: CatalogSnapshot; query: Query }) {
  const matches = selectTools(snapshot, query)
  const pages = countPages(matches)
  const page = Math.min(query.page, pages)
  const pageTools = matches.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return (
    <div class="directory">
      <Find snapshot={snapshot} query={query} />
      <section class="found" aria-label="Tools" data-filters={FILTERS.join(' ')}>
        <Summary snapshot={snapshot} query={query} matches={matches} />
        {pageTools.length === 0 ? (
          <EmptyBox icon="search" title="No tool matches all of this">
            <p>
              <a class="button" href={pagePaths.tools}>
                Show all {plural(snapshot.tools.length, 'tool')}
              </a>
            </p>
          </EmptyBox>
        ) : (
          <Rows snapshot={snapshot} tools={pageTools} grouped={query.sort === 'category'} />
        )}
        <Pager query={query} snapshot={snapshot} page={page} pages={pages} />
      </section>
    </div>
  )
}

function Summary(props: { snapshot: CatalogSnapshot; query: Query; matches: ToolDetail[] }) {
  const { snapshot, query, matches } = props
  const graded = matches.filter((tool) => tool.graded).length
  const category = onlyCategory(snapshot, query)
  const chips = [...query.picked].flatMap(([name, values]) =>
    values.map((value) => ({ name, value })),
  )
  return (
    <div class="found-head">
      <p class="sub">
        <b class="number">{plural(matches.length, 'tool')}</b>
        {matches.length > 0 && (graded > 0 ? `, ${number(graded)} graded` : ', none graded yet')}
        <span class="wide-only">
          {' '}
          · as of <time dateTime={snapshot.generatedAt}>{dayWords(snapshot.generatedAt)}</time>
        </span>
      </p>
      {chips.map(({ name, value }) => (
        <a class="chip-off" href={without(snapshot, query, name, value)}>
          <span class="unseen">Without </span>
          {choiceWords(snapshot, name, value)}
          <Icon name="cross" />
        </a>
      ))}
      {category && <WatchLink kind="category" of={category.id} />}
      <form id="compare" method="get" action={pagePaths.compare} class="compare-bar">
        <button type="submit" class="small">
          Compare the ticked
        </button>
      </form>
    </div>
  )
}

function Rows(props: { snapshot: CatalogSnapshot; tools: ToolDetail[]; grouped: boolean }) {
  const { snapshot, tools, grouped } = props
  const columns = tools.some(({ graded }) => graded) ? '' : ' no-grades'
  if (!grouped) return <List snapshot={snapshot} tools={tools} columns={columns} />
  const groups = Map.groupBy(tools, ({ category }) => category)
  return (
    <>
      {[...groups].map(([category, members]) => (
        <section class="group">
          <h2>
            <a href={pageHref.tools({ category })}>{categoryName(snapshot, category)}</a>{' '}
            <span class="count">{members.length}</span>
          </h2>
          <List snapshot={snapshot} tools={members} columns={columns} />
        </section>
      ))}
    </>
  )
}

function List(props: { snapshot: CatalogSnapshot; tools: ToolDetail[]; columns: string }) {
  const { snapshot, tools, columns } = props
  return (
    <ol class={`tools${columns}`}>
      {tools.map((tool) => (
        <ToolRow tool={tool} ended={endedWords(snapshot, tool)} />
      ))}
    </ol>
  )
}

type PagerProps = { snapshot: CatalogSnapshot; query: Query; page: number; pages: number }

function Pager({ snapshot, query, page, pages }: PagerProps) {
  if (pages === 1) return null
  const isWhole =
    query.q === '' && query.picked.size === 0 && query.sort === usualSort(snapshot, '')
  const to = (pageNumber: number) =>
    isWhole ? pageHref.part(pageNumber) : addressOf(snapshot, { ...query, page: pageNumber })
  return (
    <nav class="pager" aria-label="Pages of the directory">
      {page > 1 && (
        <a class="button small" href={to(page - 1)} rel="prev">
          Previous page
        </a>
      )}
      <span class="soft number">
        Page {page} of {pages}
      </span>
      {page < pages && (
        <a class="button small" href={to(page + 1)} rel="next">
          Next page
        </a>
      )}
    </nav>
  )
}

function without(snapshot: CatalogSnapshot, query: Query, name: FilterName, value: string): string {
  const picked = new Map(query.picked)
  const remaining = (picked.get(name) ?? []).filter((one) => one !== value)
  if (remaining.length > 0) picked.set(name, remaining)
  else picked.delete(name)
  return addressOf(snapshot, { ...query, picked, page: 1 })
}

/** The address of a query, without default values. */
function addressOf(snapshot: CatalogSnapshot, { q, picked, sort, page }: Query): string {
  const ticked = [...picked].map(([name, values]) => [name, values.join(',')])
  return pageHref.tools({
    q,
    ...Object.fromEntries(ticked),
    sort: sort === usualSort(snapshot, q) ? '' : sort,
    page: page === 1 ? '' : String(page),
  })
}
