import { foldText, matches } from '../../search/match.ts'
import { searchFields } from '../../search/search-fields.ts'
import { createSearchIndex } from '../../search/search-index.ts'

// Only in whole documents. One whose address has a query was sent by a server of plain files, which
// ignores it: this file then searches the directory itself, and says what it cannot do.

/**
 * A row of the index, as `SearchRow` in records/documents.ts describes it.
 * @typedef {{ slug: string, name: string, vendor: string, summary: string, cost: string,
 *   facts?: string[], ended?: boolean, grade: string | null, score: number | null, more: string,
 *   filters: Record<string, string[]> }} Row
 * @typedef {import('../../search/match.ts').Wanted} Wanted
 */

const INDEX = '/api/v1/search.json'
const SHOWN_AT_ONCE = 100

/**
 * The orders that the index has the facts for.
 * @type {Map<string, (a: Row, b: Row) => number>}
 */
const ORDERS = new Map([
  ['score', (a, b) => (b.score ?? -1) - (a.score ?? -1)],
  ['name', (a, b) => (foldText(a.name) < foldText(b.name) ? -1 : 1)],
])

const query = new URLSearchParams(location.search)
const form = document.querySelector('form.find')
const list = document.querySelector('.found')
const note = document.querySelector('[data-plain-files]')

if (list && form instanceof HTMLFormElement) searchDirectory(list, form)
else if (query.has('tools') || query.has('kind')) showNote()

/** Shows the note of the page, with a link to the catalog that this is a copy of. */
function showNote(text = '') {
  if (!(note instanceof HTMLElement)) return
  if (text) note.textContent = text
  const canonical = document.querySelector('link[rel=canonical]')?.getAttribute('href') ?? ''
  const { origin, host, pathname } = new URL(canonical, location.href)
  if (origin !== location.origin) {
    const link = element('a', '', `See it at ${host}`)
    link.setAttribute('href', origin + pathname + location.search)
    note.append(' ', link)
  }
  note.hidden = false
}

/**
 * @param {Element} list
 * @param {HTMLFormElement} form
 */
async function searchDirectory(list, form) {
  const filters = list.getAttribute('data-filters')?.split(' ') ?? []
  const wanted = new Map(['q', ...filters].map((name) => [name, valuesOf(name)]))
  const order = query.get('sort') ?? ''
  const compare = ORDERS.get(order)
  if (order && !compare) showNote()
  if (!compare && ![...wanted.values()].some((values) => values.length > 0)) return
  fillForm(form, wanted)
  const { tools } = await fetch(INDEX).then((response) => response.json())
  const [search = ''] = wanted.get('q') ?? []
  wanted.delete('q')
  const words = [...wanted].flatMap(([name, values]) =>
    values.length > 0 ? [/** @type {const} */ ([name, values.map(foldText)])] : [],
  )
  const rows = findRows(tools, words, search)
  showFound(list, compare ? rows.sort(compare) : rows)
}

/** @param {string} name */
function valuesOf(name) {
  const values = query.getAll(name)
  return (name === 'q' ? values : values.flatMap((value) => value.split(','))).filter(Boolean)
}

/**
 * @param {HTMLFormElement} form
 * @param {Map<string, string[]>} wanted
 */
function fillForm(form, wanted) {
  for (const field of form.querySelectorAll('input')) {
    const values = wanted.get(field.name) ?? []
    if (field.type === 'checkbox') field.checked = values.includes(field.value)
    else field.value = values[0] ?? ''
  }
}

/**
 * The rows that the server would find, in its order.
 * @param {Row[]} rows
 * @param {Wanted} wanted
 * @param {string} search
 */
function findRows(rows, wanted, search) {
  const index = createSearchIndex(rows.map(searchFields))
  return index
    .search(search)
    .flatMap((place) => rows[place] ?? [])
    .filter(({ filters }) => matches(wanted, filters))
}

/**
 * @param {Element} list
 * @param {Row[]} rows
 */
function showFound(list, rows) {
  const count = rows.length === 1 ? '1 tool' : `${rows.length} tools`
  const words = element('p', 'sub', `${count} in this copy. `)
  const all = element('a', '', 'Show the whole list')
  all.setAttribute('href', '/tools')
  words.append(all)
  const head = element('div', 'found-head', '')
  head.append(words)
  const results = element('ol', 'tools', '')
  const more = element('button', 'small', 'Show more')
  const showMore = () => {
    results.append(...rows.splice(0, SHOWN_AT_ONCE).map(rowElement))
    more.hidden = rows.length === 0
  }
  more.addEventListener('click', showMore)
  if (rows.every(({ grade }) => grade === null)) results.classList.add('no-grades')
  showMore()
  list.replaceChildren(head, results, more)
}

/** @param {Row} row */
function rowElement({ slug, name, vendor, summary, cost, facts = [], ended, grade, score }) {
  const link = element('a', 'tool-name', '')
  link.setAttribute('href', `/tools/${encodeURIComponent(slug)}`)
  link.dataset.move = ''
  link.append(element('bdi', '', name))
  const title = element('p', 'tool-title', '')
  title.append(link, ' ')
  if (vendor !== name) title.append(element('bdi', 'tool-vendor', vendor))
  const main = element('div', 'tool-main', '')
  main.append(title, ownDirection(element('p', 'tool-summary', summary)))
  const line = element('ul', 'tool-facts', '')
  line.append(
    ownDirection(element('li', 'tool-price', cost)),
    ...facts.map((fact) => ownDirection(element('li', '', fact))),
  )
  const row = element('li', ended ? 'tool ended' : 'tool', '')
  row.append(
    element('span', `grade ${grade ? `g-${grade.toLowerCase()}` : 'none'}`, grade ?? ''),
    main,
    line,
    element('span', 'tool-score number', score === null ? '' : score.toFixed(1)),
  )
  return row
}

/**
 * @param {string} name
 * @param {string} className
 * @param {string} text
 */
function element(name, className, text) {
  const node = document.createElement(name)
  if (className) node.className = className
  node.textContent = text
  return node
}

/** @param {HTMLElement} text */
function ownDirection(text) {
  text.dir = 'auto'
  return text
}
