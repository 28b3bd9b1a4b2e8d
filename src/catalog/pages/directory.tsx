/** @jsxImportSource preact */
import type { CatalogView } from '../feeds/catalog-view.ts'
import type { ToolDetail } from '../records/tool.ts'
import { endedWords } from './ended.ts'
import { Icon } from './icon.tsx'
import { Layout } from './layout.tsx'
import { Empty, PreviewNote } from './parts/empty.tsx'
import { choiceWords, Find } from './parts/filters.tsx'
import { ToolRow } from './parts/tool-row.tsx'
import { href, paths } from './paths.ts'
import { type FilterName, type Query, readQuery, selectTools, usualSort } from './query.ts'
import { pageText } from './render.ts'
import { categoryName, dayWords, number, plural } from './words.ts'

// What stays well below the weight of a page, and is not tiring to look through.
const PAGE_SIZE = 50

/** The directory: search, filters and pages of it through the address alone. */
export function directoryPage(view: CatalogView, search = new URLSearchParams()): string {
  const { settings, tools } = view
  const query = readQuery(search, view)
  const isWhole = query.q === '' && query.picked.size === 0 && query.page === 1
  const description =
    settings.description ??
    `${plural(tools.length, 'tool')} for agents, with prices, sign-in, health and grades that can be worked out again.`
  return pageText(
    <Layout
      view={view}
      title={isWhole ? 'Tools for agents' : 'Tools that match'}
      description={description}
      canonical={paths.tools}
      section="tools"
      hidden={!isWhole || query.sort !== usualSort(view)}
      alternates={[
        { type: 'application/json', href: '/api/v1/tools.json', title: 'The directory as JSON' },
        { type: 'application/atom+xml', href: '/changes.atom', title: 'Changes of the tools' },
        { type: 'application/feed+json', href: '/changes.feed.json', title: 'Changes' },
      ]}
    >
      <div class="page-head">
        <h1>Tools for agents</h1>
        <p class="sub" dir="auto">
          {description}
        </p>
        {settings.preview && <PreviewNote />}
      </div>
      {tools.length === 0 ? <Nothing /> : <Directory view={view} query={query} />}
    </Layout>,
  )
}

function Nothing() {
  return (
    <Empty icon="folder" title="No tools yet">
      <p>The directory of tools will stand here, with grades, prices and changes. Begin with</p>
      <pre class="code">beckon catalog init</pre>
      <p>which makes a folder of example records to edit and publish.</p>
    </Empty>
  )
}

function Directory({ view, query }: { view: CatalogView; query: Query }) {
  const found = selectTools(view, query)
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE))
  const page = Math.min(query.page, pages)
  const shown = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return (
    <div class="directory">
      <Find view={view} query={query} />
      <section class="found" aria-label="Tools">
        <Summary view={view} query={query} found={found} />
        {shown.length === 0 ? (
          <Empty icon="search" title="No tool matches all of this">
            <p>
              <a class="button" href={paths.tools}>
                Show all {plural(view.tools.length, 'tool')}
              </a>
            </p>
          </Empty>
        ) : (
          <Rows view={view} tools={shown} grouped={query.sort === 'category'} />
        )}
        <Pager query={query} view={view} page={page} pages={pages} />
      </section>
    </div>
  )
}

function Summary(props: { view: CatalogView; query: Query; found: ToolDetail[] }) {
  const { view, query, found } = props
  const graded = found.filter((tool) => tool.graded).length
  const chips = [...query.picked].flatMap(([name, values]) =>
    values.map((value) => ({ name, value })),
  )
  return (
    <div class="found-head">
      <p class="sub">
        <b class="number">{plural(found.length, 'tool')}</b>
        {found.length > 0 && (graded > 0 ? `, ${number(graded)} graded` : ', none graded yet')}
        <span class="wide-only">
          {' '}
          · as of <time dateTime={view.generatedAt}>{dayWords(view.generatedAt)}</time>
        </span>
      </p>
      {chips.map(({ name, value }) => (
        <a class="chip-off" href={without(view, query, name, value)}>
          <span class="unseen">Without </span>
          {choiceWords(view, name, value)}
          <Icon name="cross" />
        </a>
      ))}
      <form id="compare" method="get" action={paths.compare} class="compare-bar">
        <button type="submit" class="small">
          Compare the ticked
        </button>
      </form>
    </div>
  )
}

function Rows(props: { view: CatalogView; tools: ToolDetail[]; grouped: boolean }) {
  const { view, tools, grouped } = props
  const columns = tools.some(({ graded }) => graded) ? '' : ' no-grades'
  if (!grouped) return <List view={view} tools={tools} columns={columns} />
  const groups = Map.groupBy(tools, ({ category }) => category)
  return (
    <>
      {[...groups].map(([category, members]) => (
        <section class="group">
          <h2>
            <a href={href.tools({ category })}>{categoryName(view, category)}</a>{' '}
            <span class="count">{members.length}</span>
          </h2>
          <List view={view} tools={members} columns={columns} />
        </section>
      ))}
    </>
  )
}

function List(props: { view: CatalogView; tools: ToolDetail[]; columns: string }) {
  const { view, tools, columns } = props
  return (
    <ol class={`tools${columns}`}>
      {tools.map((tool) => (
        <ToolRow tool={tool} ended={endedWords(view, tool)} />
      ))}
    </ol>
  )
}

type PagerProps = { view: CatalogView; query: Query; page: number; pages: number }

function Pager({ view, query, page, pages }: PagerProps) {
  if (pages === 1) return null
  const to = (wanted: number) => addressOf(view, { ...query, page: wanted })
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

function without(view: CatalogView, query: Query, name: FilterName, value: string): string {
  const picked = new Map(query.picked)
  const left = (picked.get(name) ?? []).filter((one) => one !== value)
  if (left.length > 0) picked.set(name, left)
  else picked.delete(name)
  return addressOf(view, { ...query, picked, page: 1 })
}

/** The address that asks for this, without what goes without saying. */
function addressOf(view: CatalogView, { q, picked, sort, page }: Query): string {
  const ticked = [...picked].map(([name, values]) => [name, values.join(',')])
  return href.tools({
    q,
    ...Object.fromEntries(ticked),
    sort: sort === usualSort(view) ? '' : sort,
    page: page === 1 ? '' : String(page),
  })
}
