/** @jsxImportSource preact */
import { cleanLine } from '../../../platform/text.ts'
import { Icon } from '../../../platform/web/icon.tsx'
import type { CatalogSnapshot } from '../../feeds/catalog-snapshot.ts'
import { pagePaths } from '../../page-paths.ts'
import { X402_UNKNOWN } from '../../records/x402.ts'
import {
  countChoices,
  DIRECTORY_SORTS,
  type FilterName,
  inFilterOrder,
  type Query,
  type Sort,
  usualSort,
} from '../query.ts'
import { categoryName, number, plural, wordFor } from '../words.ts'

const TITLES: Partial<Record<FilterName, string>> = {
  category: 'Category',
  grade: 'Grade',
  x402: 'Pay per call',
  up: 'Live',
  agentReady: 'Agent ready',
  pricing: 'Price',
  auth: 'Sign-in',
  kind: 'Kind',
  transport: 'Transport',
  where: 'Where it runs',
}

const SORT_WORDS: Record<Sort, string> = {
  best: 'Best match',
  score: 'Best score',
  name: 'Name',
  category: 'Category',
  price: 'Price',
  context: 'Context',
  uptime: 'Uptime',
  updated: 'Last changed',
  stars: 'Stars',
}

const UP_WORDS: Record<string, string> = { yes: 'Up', no: 'Down', unknown: 'Not known' }

/** The label of a choice. */
export function choiceWords(snapshot: CatalogSnapshot, name: FilterName, value: string): string {
  if (name === 'category') return categoryName(snapshot, value)
  if (name === 'grade') return value === 'none' ? 'Not graded yet' : value
  if (name === 'agentReady') return value === 'true' ? 'Agent ready' : 'Not agent ready'
  if (name === 'capability' || name === 'tag') return cleanLine(value)
  if (name === 'auth' && value === 'none') return 'No sign-in'
  if (name === 'up') return UP_WORDS[value] ?? cleanLine(value)
  if (name === 'x402' && value === X402_UNKNOWN) return 'Not known'
  return wordFor(value)
}

/**
 * Search, filters and order, as a form that works without scripts; on a phone the filters are a
 * sheet.
 */
export function Find({ snapshot, query }: { snapshot: CatalogSnapshot; query: Query }) {
  const ticked = [...query.picked.values()].reduce((sum, values) => sum + values.length, 0)
  const usual = usualSort(snapshot, query.q)
  const sorts = DIRECTORY_SORTS.filter((sort) => sort !== 'best' || query.q !== '')
  return (
    <form class="find" method="get" action={pagePaths.tools} aria-label="Search">
      <div class="find-bar">
        <label class="search">
          <span class="unseen">Search the tools</span>
          <Icon name="search" />
          <input
            type="search"
            name="q"
            value={query.q}
            maxLength={100}
            placeholder={`Search ${plural(snapshot.tools.length, 'tool')}`}
            data-search
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
        </label>
        <button type="button" class="open-filters" popovertarget="filters">
          <Icon name="filter" />
          Filters
          {ticked > 0 && <span class="count">{ticked}</span>}
        </button>
        <label class="sort" data-at-once>
          <span class="unseen">Order</span>
          <select name="sort">
            {sorts.map((sort) => (
              <option value={sort === usual ? '' : sort} selected={sort === query.sort}>
                {SORT_WORDS[sort]}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="primary go">
          Search
        </button>
      </div>
      <div id="filters" class="filters" popover="auto" data-at-once>
        <div class="sheet-head">
          <h2>Filters</h2>
          <button type="button" popovertarget="filters" popovertargetaction="hide" class="close">
            <Icon name="cross" />
            <span class="unseen">Close</span>
          </button>
        </div>
        {(Object.keys(TITLES) as FilterName[]).map((name) => (
          <Choices snapshot={snapshot} query={query} name={name} />
        ))}
        <div class="sheet-end">
          {ticked > 0 && <a href={pagePaths.tools}>Clear all</a>}
          <button type="submit" class="primary">
            Show tools
          </button>
        </div>
      </div>
    </form>
  )
}

// Further choices are collapsed.
const SHOWN = 7

function Choices({
  snapshot,
  query,
  name,
}: {
  snapshot: CatalogSnapshot
  query: Query
  name: FilterName
}) {
  const counts = countChoices(snapshot, query, name)
  const ticked = query.picked.get(name) ?? []
  for (const value of ticked) if (!counts.has(value)) counts.set(value, 0)
  const values = inFilterOrder(name, counts)
  if (values.length < 2 && ticked.length === 0) return null
  const first = values.filter((value, i) => i < SHOWN || ticked.includes(value))
  const rest = values.filter((value) => !first.includes(value))
  const choice = (value: string) => (
    <label class="choice">
      <input type="checkbox" name={name} value={value} checked={ticked.includes(value)} />
      <span>{choiceWords(snapshot, name, value)}</span>
      <span class="count">{number(counts.get(value) ?? 0)}</span>
    </label>
  )
  return (
    <fieldset>
      <legend>{TITLES[name]}</legend>
      {first.map(choice)}
      {rest.length > 0 && (
        <details>
          <summary>{number(rest.length)} more</summary>
          {rest.map(choice)}
        </details>
      )}
    </fieldset>
  )
}
