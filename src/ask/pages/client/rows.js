// Rows of questions that unfold: an opened row scrolls into view, and the address names it.

/** Beside each other: the list, and the question that is open. */
const BESIDE = matchMedia('(min-width: 1024px)')

/** True if a row that opens stands beside the list, as the only one. */
export const isBeside = () => BESIDE.matches && document.querySelector('.many') !== null

/**
 * Scrolls an opened row into view, above the bar that sticks to the end of the window.
 * @param {Element} part
 */
export function bringIntoSight(part) {
  const bars = [...document.querySelectorAll('.decision .bar, .nav')]
  const ends = bars.map((bar) => bar.getBoundingClientRect().top)
  const end = Math.min(innerHeight, ...ends.filter((top) => top > innerHeight / 2))
  const { top, bottom } = part.getBoundingClientRect()
  const header = document.querySelector('.top')?.getBoundingClientRect().bottom ?? 0
  const above = top - Math.max(0, header) - 12
  // Of a row that is longer than the window, the beginning stays in view.
  const by = above < 0 ? above : Math.min(bottom + 12 - end, above)
  if (by < 0 || bottom + 12 > end) scrollBy(0, by)
}

/** @param {Element} part a fold that a tap has opened */
function reveal(part) {
  const field = part.closest('.extras') && part.querySelector('textarea, button')
  if (field instanceof HTMLElement) field.focus({ preventScroll: true })
  if (!(part.matches('.fold') && isBeside())) bringIntoSight(part)
}

document.addEventListener('click', ({ target }) => {
  const part = target instanceof Element && target.closest('main summary')?.parentElement
  if (!(part instanceof HTMLDetailsElement) || part.open) return
  // It opens after this event.
  setTimeout(() => reveal(part))
})

// A reload, or the way back from another page, shows the same question.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (!(target instanceof HTMLDetailsElement) || target.name !== 'question') return
    const id = target.closest('.card')?.getAttribute('data-key')
    const url = new URL(location.href)
    if (target.open && id) url.searchParams.set('open', id)
    else if (url.searchParams.get('open') === id) url.searchParams.delete('open')
    history.replaceState(history.state, '', url)
    // A long change is fetched when there is room for it.
    if (target.open && isBeside() && target.querySelector('[data-whole]'))
      document.dispatchEvent(new CustomEvent('beckon:look'))
  },
  true,
)

/** Beside an empty place nothing is decided: the first question stands there. */
export function openFirst() {
  if (!isBeside() || document.querySelector('.fold[open]')) return
  document.querySelector('.many .fold')?.setAttribute('open', '')
}

// A row that replaces another arrives without a name: with one it would be closed beside the open one.
document.addEventListener('htmx:afterSwap', () => {
  for (const fold of document.querySelectorAll('.many .fold:not([name])'))
    fold.setAttribute('name', 'question')
})
