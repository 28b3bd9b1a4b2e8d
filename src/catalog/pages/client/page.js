// What makes the catalog handier with scripts on; every page works without this file.

const theme = document.cookie.match(/(?:^|; )theme=(light|dark)/)?.[1]
if (theme) document.documentElement.dataset.theme = theme

try {
  if (localStorage.getItem('signed-in')) document.documentElement.dataset.signedIn = ''
} catch {
  // A browser that stores nothing.
}

/** @param {Element} button */
async function copy(button) {
  const text = button.closest('[data-copy-from]')?.querySelector('pre')?.textContent ?? ''
  const word = button.querySelector('span')
  const say = document.getElementById('say')
  try {
    await navigator.clipboard.writeText(text.replace(/\n$/, ''))
    if (word) word.textContent = 'Copied'
    if (say) say.textContent = 'Copied'
  } catch {
    if (word) word.textContent = 'Select it by hand'
  }
  setTimeout(() => {
    if (word) word.textContent = 'Copy'
  }, 2000)
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element && target.closest('[data-copy]')
  if (button) copy(button)
})

// The address contains only the fields that were filled in.
document.addEventListener('submit', ({ target }) => {
  if (!(target instanceof HTMLFormElement) || target.method !== 'get') return
  const fields = [...target.elements].filter(
    (field) => field instanceof HTMLInputElement || field instanceof HTMLSelectElement,
  )
  const empty = fields.filter((field) => field.value === '' && !field.disabled)
  for (const field of empty) field.disabled = true
  setTimeout(() => {
    for (const field of empty) field.disabled = false
  })
})

// On a desktop each tick submits the form; in the sheet of a phone the button sends all of them.
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLElement) || !target.closest('[data-at-once]')) return
  const form = target.closest('form')
  if (form && matchMedia('(min-width: 900px)').matches) form.requestSubmit()
})

document.addEventListener('keydown', (event) => {
  const { key, target } = event
  if (event.metaKey || event.ctrlKey || event.altKey) return
  if (target instanceof HTMLElement && target.matches('input, textarea, select')) return
  if (key === '/') focusOn(document.querySelector('[data-search]'), event)
  if (key === 'j' || key === 'k') walk(key === 'j' ? 1 : -1, event)
})

/**
 * @param {Element | null | undefined} place
 * @param {Event} event
 */
function focusOn(place, event) {
  if (!(place instanceof HTMLElement)) return
  place.focus()
  event.preventDefault()
}

/**
 * @param {number} step
 * @param {Event} event
 */
function walk(step, event) {
  const all = [...document.querySelectorAll('[data-move]')]
  const at = all.indexOf(/** @type {Element} */ (document.activeElement))
  focusOn(all[Math.min(all.length - 1, Math.max(0, at + step))], event)
}

for (const part of document.querySelectorAll('[data-enhance][hidden]'))
  part.removeAttribute('hidden')
