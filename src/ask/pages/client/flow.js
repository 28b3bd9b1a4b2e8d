// After an answer in a list the next question opens in its place.

import { guard } from './guard.js'
import { bringIntoSight, isBeside } from './rows.js'
import { say } from './say.js'

/**
 * Brings a question into view that has just come up, and reads it out. Its buttons ignore the
 * second tap of whoever tapped twice.
 * @param {HTMLElement} heading
 */
export function showFresh(heading) {
  heading.focus({ preventScroll: true })
  const card = heading.closest('.card')
  if (card) bringIntoSight(isBeside() ? heading : card)
  const form = heading.closest('.card, #decision')?.querySelector('[data-answers]')
  if (form) guard(form)
}

/**
 * Opens the question that follows one that was answered in a list; after the last one, the first.
 * @param {Element} ended its row
 */
export function goOn(ended) {
  if (ended.querySelector('.too-late')) return false
  const cards = [...document.querySelectorAll('#questions .card')]
  const at = cards.indexOf(ended)
  const order = [...cards.slice(at + 1), ...cards.slice(0, at)]
  const next = order.find((card) => card.querySelector('.fold'))
  const words = ended.querySelector('.card-end')?.textContent
  document.dispatchEvent(new CustomEvent('beckon:look'))
  if (!next) {
    const title = document.querySelector('main h1')
    title?.setAttribute('tabindex', '-1')
    if (title instanceof HTMLElement) title.focus()
    say(`Answered: ${words ?? ''}. ${undoWords(ended)}Nothing else is waiting here.`)
    return true
  }
  next.querySelector('.fold')?.setAttribute('open', '')
  for (const other of cards) other.classList.remove('here')
  stay(next)
  if (!isBeside()) bringIntoSight(ended)
  const places = [...next.querySelectorAll('.card-question, .sure-question, .detail')]
  // On a phone the row is the heading.
  const place = places.find((one) => one.getClientRects().length > 0)
  place?.setAttribute('tabindex', '-1')
  if (place instanceof HTMLElement) showFresh(place)
  countLeft(ended)
  say(`Answered: ${words ?? ''}. ${undoWords(ended)}The next question is open.`)
  return true
}

/** @param {Element} ended */
const undoWords = (ended) =>
  ended.querySelector('[data-undo]') ? 'Undo within five seconds. ' : ''

/**
 * Says in the row of the last answer how many questions are left; live.js fills in the number.
 * @param {Element} ended
 */
function countLeft(ended) {
  document.getElementById('left-after')?.remove()
  const count = document.createElement('span')
  count.id = 'left-after'
  count.className = 'soft'
  count.dataset.openLeft = ''
  ended.querySelector('.row-who')?.append(count)
}

/**
 * The keys go on from a row that was replaced. htmx puts its classes back once it has settled.
 * @param {Element} row
 */
export function stay(row) {
  row.classList.add('here')
  const again = () => row.classList.add('here')
  document.addEventListener('htmx:afterSettle', again, { once: true })
}
