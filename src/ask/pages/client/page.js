// The script of the pages, which all work without it.

import { goOn, showFresh, stay } from './flow.js'
import { bringIntoSight, isBeside, openFirst } from './rows.js'
import { say } from './say.js'

const root = document.documentElement
const skew = Number(root.dataset.now) - Date.now()

/** The server's time, in milliseconds. */
const now = () => Date.now() + skew

// The pages of the catalog are the same for everybody; this tells them to show a way back.
function rememberPerson() {
  try {
    if (document.querySelector('.nav')) localStorage.setItem('signed-in', 'yes')
    else if (location.pathname === '/sign-in') {
      localStorage.removeItem('signed-in')
      // Whoever signs in again has another sign-in, which device.js tells the server.
      sessionStorage.removeItem('beckon-said')
    }
  } catch {
    // A browser that stores nothing only shows the way back on the first page of the catalog.
  }
}

function rememberZone() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (zone && zone !== root.dataset.zone) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not everywhere yet.
    document.cookie = `zone=${encodeURIComponent(zone)}; Path=/; Max-Age=31536000; SameSite=Lax`
  }
}

/** An app that is installed from a dark page starts dark, too. */
function darkenSplash() {
  const link = document.querySelector('link[rel="manifest"]')
  if (!(link instanceof HTMLLinkElement) || root.dataset.theme) return
  if (!matchMedia('(prefers-color-scheme: dark)').matches) return
  const url = new URL(link.href)
  url.searchParams.set('theme', 'dark')
  link.href = url.pathname + url.search
}

/** @param {number} ms */
function timeLeft(ms) {
  if (ms <= 0) return 'time is up'
  if (ms < 60_000) return `${Math.ceil(ms / 1000)} s left`
  const minutes = Math.ceil(ms / 60_000)
  if (minutes <= 90) return `${minutes} min left`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`
}

/** @param {number} ms */
function ago(ms) {
  if (ms < 60_000) return 'just now'
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ago`
  return `${Math.floor(ms / 3_600_000)} h ago`
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'long' })

/** Shows times in this person's zone, and relative to now. */
function showTimes() {
  for (const time of document.querySelectorAll('time[data-show]')) {
    if (!(time instanceof HTMLTimeElement)) continue
    const at = Date.parse(time.dateTime)
    time.title = exact.format(at)
    const passed = now() - at
    if (time.dataset.show === 'clock') time.textContent = clock.format(at)
    if (time.dataset.show === 'ago' && passed < 86_400_000) time.textContent = ago(passed)
  }
}

function showTimeLeft() {
  for (const place of document.querySelectorAll('[data-left]')) {
    if (!(place instanceof HTMLElement)) continue
    const left = Number(place.dataset.left) - now()
    const words = timeLeft(left)
    if (place.textContent !== words) place.textContent = words
    place.closest('.left')?.classList.toggle('soon', left < 60_000)
  }
  for (const place of document.querySelectorAll('[data-sends]')) showSends(place)
  for (const line of document.querySelectorAll('progress[data-until]')) {
    if (!(line instanceof HTMLProgressElement)) continue
    const left = Number(line.dataset.until) - now()
    line.value = Math.max(0, left)
    if (left <= 0 && !line.dataset.over) {
      line.dataset.over = 'yes'
      document.dispatchEvent(new CustomEvent('beckon:look'))
    }
  }
}

/**
 * Counts down until a held answer is sent, from when the page got it: its clock may be seconds off.
 * @param {Element} place
 */
function showSends(place) {
  if (!(place instanceof HTMLElement)) return
  place.dataset.ends ??= String(performance.now() + Number(place.dataset.sends))
  const left = Number(place.dataset.ends) - performance.now()
  place.textContent = left > 0 ? `Sent in ${Math.ceil(left / 1000)} s` : 'Sending'
  // The server looks twice a second.
  if (left > -700 || place.dataset.over) return
  place.dataset.over = 'yes'
  document.dispatchEvent(new CustomEvent('beckon:look'))
}

/** Shows what only makes sense with scripts; called again for parts that arrive later. */
function enhance() {
  for (const part of document.querySelectorAll('[data-enhance][hidden]')) {
    part.removeAttribute('hidden')
    part.closest('.left')?.querySelector('[data-plain]')?.setAttribute('hidden', '')
  }
  for (const part of document.querySelectorAll('button.big[data-key], .choice input[data-key]')) {
    const place = part.closest('button, label')
    if (!place || place.querySelector('kbd')) continue
    const key = document.createElement('kbd')
    key.textContent = part.getAttribute('data-key')
    key.setAttribute('aria-hidden', 'true')
    place.append(key)
  }
  sayApp()
  showTimes()
  showTimeLeft()
}

/** In an app installed from a home screen or the Dock, forms say so in a field. */
function sayApp() {
  if (!matchMedia('(display-mode: standalone)').matches) return
  const { userAgent, maxTouchPoints } = navigator
  const isMac = userAgent.includes('Macintosh') && maxTouchPoints < 2
  if (!isMac && !/iPhone|iPad|Macintosh|Android/.test(userAgent)) return
  for (const from of document.querySelectorAll('form > input[name="from"]')) {
    if (from.parentElement?.querySelector('[name="surface"]')) continue
    const surface = document.createElement('input')
    surface.type = 'hidden'
    surface.name = 'surface'
    surface.value = isMac ? 'mac_app' : 'mobile_app'
    from.after(surface)
  }
}

/** @param {Element} button */
async function copy(button) {
  const blocks = button.closest('.body, [data-copy-from]')?.querySelectorAll('pre') ?? []
  const text = [...blocks].map(({ textContent }) => textContent).join('')
  const word = button.querySelector('span')
  try {
    await navigator.clipboard.writeText(text.replace(/\n$/, ''))
    if (word) word.textContent = 'Copied'
    say('Copied')
  } catch {
    if (word) word.textContent = 'Select it by hand'
  }
  setTimeout(() => {
    if (word) word.textContent = 'Copy'
  }, 2000)
}

/** @param {Element} button */
function wrap(button) {
  const isLong = button.getAttribute('aria-pressed') === 'true'
  for (const block of button.closest('.body')?.querySelectorAll('pre') ?? []) {
    block.classList.toggle('long-lines', isLong)
  }
  button.setAttribute('aria-pressed', String(!isLong))
}

document.addEventListener('click', (event) => {
  if (!(event.target instanceof Element)) return
  const button = event.target.closest('[data-copy], [data-wrap], [data-keys]')
  if (button?.hasAttribute('data-copy')) copy(button)
  if (button?.hasAttribute('data-wrap')) wrap(button)
  if (button?.hasAttribute('data-keys')) help()
})

// Typing in one's own words selects them.
document.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLTextAreaElement) || !('other' in target.dataset)) return
  const own = target.form?.querySelector('[type="radio"][value=""]')
  if (own instanceof HTMLInputElement) own.checked = true
})

// Keyboard: an answer key only marks its button; Enter confirms, Esc cancels.

/** The rows that `j` and `k` move through. */
const stops = () =>
  [...document.querySelectorAll('[data-move], main :is(.rows, .things) > li')].filter(
    (row) => row instanceof HTMLElement && (row.checkVisibility?.() ?? true),
  )

/** @param {number} step */
function move(step) {
  const all = stops()
  const at = all.findIndex((stop) => stop.classList.contains('here'))
  const next = all[Math.min(all.length - 1, Math.max(0, at + step))]
  if (!next) return
  for (const stop of all) stop.classList.remove('here')
  next.classList.add('here')
  const link = next.querySelector('summary, a')
  // A row without a link takes the focus itself: Enter must not open the row before it.
  const place = link ?? next
  if (!link) next.setAttribute('tabindex', '-1')
  if (place instanceof HTMLElement) place.focus({ preventScroll: true })
  if (isBeside()) next.querySelector('.fold')?.setAttribute('open', '')
  next.scrollIntoView({ block: 'nearest' })
}

/** @param {string} key */
function mark(key) {
  const place = document.querySelector('.here') ?? document.getElementById('decision')
  const opened = document.querySelectorAll('.card:has(> .fold[open])')
  const scope = place ?? (opened.length === 1 ? opened[0] : null)
  const target = scope?.querySelector(`[data-key="${CSS.escape(key)}"]`)
  if (!(target instanceof HTMLElement)) return false
  const fold = target.closest('.fold')
  if (fold instanceof HTMLDetailsElement && !fold.open) {
    // A question that is not in view cannot be answered.
    fold.open = true
    bringIntoSight(fold)
    say('The question is open. The key marks an answer now.')
    return true
  }
  if (target instanceof HTMLInputElement)
    target.checked = target.type === 'radio' || !target.checked
  root.classList.add('keyed')
  target.focus()
  const label = target.closest('label') ?? target
  const words = label.querySelector('b')?.textContent ?? label.firstChild?.nextSibling?.textContent
  // A box says by itself that it is ticked.
  if (!(target instanceof HTMLInputElement && target.type === 'checkbox'))
    say(`${words ?? key} is marked. Enter sends it, Escape cancels.`)
  return true
}

let going = false

/** @param {KeyboardEvent} event */
function pressed(event) {
  const { key, target } = event
  if (event.metaKey || event.ctrlKey || event.altKey) {
    if (key === 'Enter' && target instanceof HTMLTextAreaElement) target.form?.requestSubmit()
    return
  }
  if (key === 'Escape' && document.activeElement instanceof HTMLElement) {
    document.activeElement.blur()
    say('')
    return
  }
  const typing =
    target instanceof HTMLElement &&
    target.matches('textarea, select, input:not([type="checkbox"], [type="radio"])')
  if (typing || document.querySelector('dialog[open]')) return
  if (act(key)) event.preventDefault()
}

/** @param {string} key */
function act(key) {
  if (going) {
    going = false
    if (key === 'i') location.assign('/inbox')
    return key === 'i'
  }
  root.classList.add('keyed')
  if (key === 'j' || key === 'k') move(key === 'j' ? 1 : -1)
  else if (key === 'g') going = true
  else if (key === 'u') undo()
  else if (key === '?') help()
  else if (key === '/') search()
  else if (/^[yns1-6]$/.test(key)) return mark(key)
  else return false
  return true
}

/** Takes the latest answer back that is not sent yet. */
function undo() {
  const until = (/** @type {Element} */ button) =>
    Number(button.closest('form')?.querySelector('[data-ends]')?.getAttribute('data-ends'))
  const buttons = [...document.querySelectorAll('[data-undo]')]
  const [last] = buttons.sort((one, other) => until(other) - until(one))
  if (last instanceof HTMLElement) last.click()
}

function help() {
  const dialog = document.getElementById('keys')
  if (dialog instanceof HTMLDialogElement) dialog.showModal()
}

function search() {
  const field = document.querySelector('[data-search]')
  if (field instanceof HTMLElement) field.focus()
  else if (document.getElementById('keys')) location.assign('/activity#search')
}

// A second tap must not submit the form again.
document.addEventListener('submit', ({ target }) => {
  if (!(target instanceof HTMLFormElement) || !('once' in target.dataset)) return
  for (const button of target.querySelectorAll('button'))
    setTimeout(() => button.setAttribute('disabled', ''))
})

// Forms that htmx sends.

/** The part that is replaced, and if it has the focus. */
let replaced = { id: '', focus: false }
document.addEventListener('htmx:beforeSwap', (event) => {
  const { target } = /** @type {CustomEvent} */ (event).detail
  const focus = target instanceof Element && target.contains(document.activeElement)
  replaced = { id: target?.id ?? '', focus }
})
document.addEventListener('htmx:afterSwap', () => {
  enhance()
  const { id, focus } = replaced
  const part = id ? document.getElementById(id) : null
  replaced = { id: '', focus: false }
  // Until htmx has settled, the row has the classes of the one before it.
  if (part?.matches('.card:not(:has(> .fold))') && goOn(part)) return
  if (focus && part?.matches('[data-move]')) stay(part)
  // A second question must be read first: holding Enter down must not answer it.
  const read = document.querySelector('[data-focus]:not([data-read])')
  if (read instanceof HTMLElement) {
    read.dataset.read = 'yes'
    showFresh(read)
    const before = part?.querySelector('.just')?.textContent
    if (before) say(before)
    return document.dispatchEvent(new CustomEvent('beckon:look'))
  }
  const stop =
    focus &&
    (part?.querySelector('summary, a, button') ?? (part && document.getElementById('main')))
  if (stop instanceof HTMLElement) stop.focus({ preventScroll: true })
  document.dispatchEvent(new CustomEvent('beckon:look'))
  const verdict = document.querySelector('#decision .verdict')
  const words = part?.querySelector('[data-say]')?.textContent
  if (words) say(words)
  const end = verdict ?? part?.querySelector('.card-end')
  if (end) say(`Answered: ${end.textContent}`)
})

// An empty response: a question was snoozed, or is shown again.
document.addEventListener('htmx:afterRequest', (event) => {
  const { xhr, elt } = /** @type {CustomEvent} */ (event).detail
  if (xhr.status !== 204) return
  document.getElementById('main')?.focus({ preventScroll: true })
  const isBack = elt.closest('#snoozed') !== null
  nameSnoozed(isBack ? undefined : elt.id.replace('snooze-', ''))
  say(isBack ? 'The question is shown again' : 'Snoozed')
  document.dispatchEvent(new CustomEvent('beckon:look'))
})
/**
 * Names in the address what was snoozed last: the list then says until when.
 * @param {string | undefined} id
 */
function nameSnoozed(id) {
  if (!document.getElementById('just-snoozed')) return
  const url = new URL(location.href)
  if (id === undefined) url.searchParams.delete('snoozed')
  else url.searchParams.set('snoozed', id)
  history.replaceState(history.state, '', url)
}
document.addEventListener('beckon:changed', enhance)
document.addEventListener('keydown', pressed)

rememberZone()
rememberPerson()
darkenSplash()
enhance()
openFirst()
if (location.hash === '#search') search()
setInterval(showTimeLeft, 1000)
setInterval(showTimes, 30_000)
