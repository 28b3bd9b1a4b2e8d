// Keeps a page up to date: an event says that something changed, and the page is fetched again.
// Only the parts that differ are replaced in place, by key.

import { post } from './connection.js'
import { GUARD_MS, guard } from './guard.js'
import { isBeside } from './rows.js'
import { say } from './say.js'

const CHANGES = [
  'question.opened',
  'question.ended',
  'inbox.changed',
  'notification.sent',
  'session.changed',
]
const SETTLE_MS = 80
const AGES_MS = 60_000
// The server treats a page that is silent for 30 seconds as gone.
const VISIBLE_MS = 20_000
// Each load of a page has its own name; crypto.randomUUID does not exist without https.
const PAGE = [...crypto.getRandomValues(new Uint32Array(3))].join('-')

/** @type {ReturnType<typeof setTimeout> | undefined} */
let due
let looking = false
let again = false
let touching = false
/** Forms that htmx is sending: their response replaces a part of this page. */
let sending = 0
/** @type {EventSource | undefined} */
let events
let refused = false
/** Rows that this update took out, by id. @type {Map<string, Element>} */
const gone = new Map()
/** Rows that this update put elsewhere. @type {Set<Element>} */
const moved = new Set()

/** @param {'live' | 'again' | 'offline'} state @param {string} words */
function show(state, words) {
  const place = document.getElementById('live')
  const word = document.getElementById('live-word')
  if (!place || !word) return
  place.dataset.state = state
  word.textContent = words
}

/** A connection that never broke does not report that the network is back. */
function showFound() {
  if (events?.readyState === EventSource.OPEN) show('live', 'Live')
}

function showLost() {
  if (navigator.onLine) show('again', 'Reconnecting')
  else show('offline', 'Offline: reading only')
}

function lookSoon() {
  clearTimeout(due)
  due = setTimeout(look, SETTLE_MS)
}

async function look() {
  // Nothing moves while a finger is down or an answer is on its way; the page is updated then.
  if (looking || touching || sending > 0) {
    again = true
    return
  }
  looking = true
  const path = location.pathname
  try {
    const response = await fetch(addressNow(), { headers: { accept: 'text/html' } })
    // A page that shows a submitted form again belongs to the question that it is about.
    const isOfForm = /^\/d\/\w+\/\w+$/.test(location.pathname)
    const elsewhere = new URL(response.url).pathname !== location.pathname
    if (response.redirected && elsewhere && !(isOfForm && isQuestion(response))) {
      const ended = new CustomEvent('beckon:signed-out', { cancelable: true })
      if (document.dispatchEvent(ended)) location.reload()
      return
    }
    const text = await response.text()
    // What was sent meanwhile is not in this text.
    if (sending > 0 || location.pathname !== path) again = true
    else if (response.ok) take(text)
    showFound()
  } catch {
    showLost()
  } finally {
    looking = false
    if (again && !touching && sending === 0) {
      again = false
      lookSoon()
    }
  }
}

/** @param {Response} response */
const isQuestion = (response) => new URL(response.url).pathname.startsWith('/d/')

/** The address of this page with the questions it shows: they stay in place when they end. */
function addressNow() {
  const url = new URL(location.href)
  const cards = [...document.querySelectorAll('#questions .card')]
  const ids = cards.map((part) => part.getAttribute('data-key'))
  if (ids.length > 0) url.searchParams.set('showing', ids.join())
  const whole = isBeside() && document.querySelector('.fold[open] [data-whole]')
  if (whole) url.searchParams.set('whole', whole.getAttribute('data-whole') ?? '')
  return url
}

/** @param {string} text */
function take(text) {
  const fresh = new DOMParser().parseFromString(text, 'text/html')
  const before = anchor()
  const held = document.activeElement
  gone.clear()
  moved.clear()
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.getElementById(part.id)
    if (!next) continue
    if (part.getAttribute('data-live') === 'keyed') merge(part, next)
    else if (version(part) !== version(next)) swap(part, next)
  }
  document.title = fresh.title
  if (isOlderThan(fresh)) offerReload()
  countOpen(Number(fresh.body.dataset.open))
  // A row that moved lost the focus.
  if (held instanceof HTMLElement && held.isConnected) held.focus({ preventScroll: true })
  before()
  document.dispatchEvent(new CustomEvent('beckon:changed'))
}

/**
 * The server was updated since this page was loaded: a file that both name has another address.
 * @param {Document} fresh
 */
function isOlderThan(fresh) {
  const now = filesOf(fresh)
  return [...filesOf(document)].some(([name, address]) => (now.get(name) ?? address) !== address)
}

/** The scripts and style sheets of a page: their addresses by name. @param {Document} page */
function filesOf(page) {
  const files = page.querySelectorAll('head > script[src], head > link[rel="stylesheet"]')
  const addresses = [...files].map((file) => file.getAttribute('src') ?? file.getAttribute('href'))
  return new Map(addresses.map((address) => [address?.split('.')[0], address]))
}

function offerReload() {
  const place = document.getElementById('live')
  if (!place || document.getElementById('reload')) return
  const button = document.createElement('button')
  button.id = 'reload'
  button.className = 'small'
  button.textContent = 'Updated: reload'
  button.addEventListener('click', () => location.reload())
  place.after(button)
  place.hidden = true
  say('Beckon was updated. Reload this page to use the new version.')
}

/** @param {Element} part */
const version = (part) => part.getAttribute('data-version')

/** @param {Element | null | undefined} old @param {Element} next */
function sayReplaced(old, next) {
  if (old) document.dispatchEvent(new CustomEvent('beckon:replaced', { detail: { old, next } }))
}

/** @param {Element} part @param {Element} next */
function swap(part, next) {
  const held = part.contains(document.activeElement)
  sayReplaced(part, next)
  part.replaceWith(next)
  process(next)
  guard(next)
  if (next.id === 'decision')
    say(next.querySelector('.verdict')?.textContent ?? 'The question changed')
  const words = next.getAttribute('data-news') ?? (next.id === 'just-snoozed' && next.textContent)
  if (words) say(words)
  if (held) document.getElementById('main')?.focus({ preventScroll: true })
}

/**
 * Unchanged parts keep their element in place, and with it typed text, focus and scroll position.
 * @param {Element} list @param {Element} next
 */
function merge(list, next) {
  const old = new Map([...list.children].map((child) => [child.getAttribute('data-key'), child]))
  const isKnown = (/** @type {Element} */ child) => old.has(child.getAttribute('data-key'))
  const fresh = [...next.children].map((child) => (isKnown(child) ? child : keepRows(child)))
  const keys = new Set(fresh.map((child) => child.getAttribute('data-key')))
  for (const [key, child] of old) {
    if (keys.has(key)) continue
    for (const row of rowsOf(child)) gone.set(row.id, row)
    child.remove()
  }
  let opened = 0
  let at = list.firstElementChild
  for (const child of fresh) {
    const existing = old.get(child.getAttribute('data-key'))
    if (existing && version(existing) === version(child)) {
      if (existing === at) at = at.nextElementSibling
      else list.insertBefore(existing, at)
      continue
    }
    if (existing && existing === at) at = at.nextElementSibling
    if (existing) for (const row of rowsOf(child)) sayReplaced(document.getElementById(row.id), row)
    existing?.remove()
    // Beside the list there is room for one.
    const isMoved = rowsOf(child).some((row) => moved.has(row))
    const inMany = list.closest('.many') !== null && !existing && !isMoved
    if (inMany) for (const fold of child.querySelectorAll('.fold')) fold.removeAttribute('open')
    // Nobody has chosen a row that has just arrived.
    for (const box of child.querySelectorAll('[data-chosen]')) box.removeAttribute('checked')
    list.insertBefore(child, at)
    if (isMoved) continue
    process(child)
    guard(child)
    if (!existing) child.classList.add('arriving')
    if (!existing && child.querySelector('[data-answers]')) opened++
  }
  if (opened > 0) say(opened === 1 ? 'A new question has arrived' : `${opened} new questions`)
}

/** @param {Element} part */
const rowsOf = (part) =>
  [part, ...part.querySelectorAll('.card')].filter((one) => one.matches('.card'))

/**
 * A row that moved to another group keeps its element.
 * @param {Element} child
 */
function keepRows(child) {
  let current = child
  for (const row of rowsOf(child)) {
    const same = document.getElementById(row.id) ?? gone.get(row.id)
    if (!same || version(same) !== version(row)) {
      sayReplaced(same, row)
      continue
    }
    moved.add(same)
    for (const part of same.querySelectorAll('[data-live="whole"]')) {
      const next = row.querySelector(`#${CSS.escape(part.id)}`)
      if (next && version(part) !== version(next)) swap(part, next)
    }
    if (row === child) current = same
    else row.replaceWith(same)
  }
  return current
}

/** @param {Element} part */
function process(part) {
  const { htmx } = /** @type {{ htmx?: { process(part: Element): void } }} */ (
    /** @type {unknown} */ (window)
  )
  htmx?.process(part)
}

/** Remembers what is in the middle of the window, and scrolls back to it. */
function anchor() {
  const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
  const held = document.activeElement?.closest('[data-key]') ?? middle?.closest('[data-key]')
  const id = held?.id
  const top = held?.getBoundingClientRect().top ?? 0
  return () => {
    const same = id ? document.getElementById(id) : undefined
    if (same) scrollBy(0, same.getBoundingClientRect().top - top)
  }
}

/** @param {number} open */
function countOpen(open) {
  const badge = document.getElementById('badge')
  if (badge) {
    badge.hidden = open === 0
    if (badge.firstChild) badge.firstChild.textContent = open > 99 ? '99+' : String(open)
  }
  for (const place of document.querySelectorAll('[data-open-left]'))
    place.textContent = `${open} left`
  if (open > 0) navigator.setAppBadge?.(open)?.catch(() => {})
  else navigator.clearAppBadge?.()?.catch(() => {})
}

/** Says whether somebody can see this page: then a question waits here without any device. */
function sayVisible() {
  const visible = document.visibilityState === 'visible'
  if (visible && events?.readyState !== EventSource.OPEN) return
  post('/api/v1/visible-pages', { page: PAGE, visible }).catch(() => {})
}

function listen() {
  // The server reports what changed between this page and its stream.
  const { now } = document.documentElement.dataset
  const source = new EventSource(`/api/v1/events?page=${PAGE}&since=${now}`)
  events = source
  let lost = false
  source.addEventListener('open', () => {
    show('live', 'Live')
    sayVisible()
    // Changes during a break are found by fetching the page.
    if (lost) lookSoon()
    lost = false
    refused = false
  })
  source.addEventListener('error', () => {
    lost = true
    showLost()
    // The browser reconnects by itself unless the server refused.
    if (source.readyState !== EventSource.CLOSED) return
    // Perhaps because nobody is signed in here any more: then the page must not stay.
    if (!refused) lookSoon()
    refused = true
    setTimeout(listen, 5000)
  })
  for (const change of CHANGES) source.addEventListener(change, lookSoon)
  source.addEventListener('delivery.changed', () => {
    if (document.querySelector('[data-deliveries]')) lookSoon()
  })
}

document.addEventListener('pointerdown', () => {
  touching = true
})
for (const end of ['pointerup', 'pointercancel']) {
  document.addEventListener(end, () => {
    touching = false
    if (!again) return
    again = false
    due = setTimeout(look, GUARD_MS)
  })
}
document.addEventListener('htmx:beforeSend', () => {
  sending += 1
})
document.addEventListener('htmx:afterRequest', () => {
  sending = Math.max(0, sending - 1)
  if (sending === 0 && again && !touching) lookSoon()
})
document.addEventListener('beckon:look', lookSoon)
document.addEventListener('beckon:lost', () => {
  showLost()
  lookSoon()
})
addEventListener('offline', showLost)
addEventListener('online', lookSoon)
document.addEventListener('visibilitychange', () => {
  sayVisible()
  if (document.visibilityState === 'visible') lookSoon()
})
setInterval(() => {
  if (!document.hidden) sayVisible()
}, VISIBLE_MS)
// A session becomes idle without an event.
setInterval(() => {
  if (document.querySelector('[data-ages]') && !document.hidden) lookSoon()
}, AGES_MS)
countOpen(Number(document.body.dataset.open))
listen()
