// Keeps typed text when a response of the server replaces a form, and explains it.

/** @param {Event} event */
const replyOf = (event) => /** @type {CustomEvent} */ (event).detail

// A response without the requested part is another page: sign-in, or an error.
document.addEventListener('htmx:beforeSwap', (event) => {
  const detail = replyOf(event)
  const sender = /** @type {Element} */ (detail.requestConfig.elt)
  const wanted = sender.closest('[hx-select]')?.getAttribute('hx-select')?.slice(1)
  // An empty response (204) changes nothing.
  if (!wanted || !detail.shouldSwap || detail.serverResponse.includes(`id="${wanted}"`)) return
  detail.shouldSwap = false
  const form = sender.closest('form')
  if (!form) location.assign(detail.xhr.responseURL)
  else if (new URL(detail.xhr.responseURL).pathname === '/sign-in') askToSignIn(form, 'Not sent: y')
  else showNotice(form, `Not sent: ${sentenceOf(detail.serverResponse)}`)
})
document.addEventListener('htmx:sendError', (event) => {
  const form = /** @type {Element} */ (replyOf(event).requestConfig.elt).closest('form')
  if (form) showNotice(form, 'Not sent: the server cannot be reached. Try again.')
  document.dispatchEvent(new CustomEvent('beckon:lost'))
})
// A page that would be replaced by the sign-in page stays while something is typed in it.
document.addEventListener('beckon:signed-out', (event) => {
  const form = [...document.querySelectorAll('form[data-answers]')].find(isTyped)
  if (!form) return
  event.preventDefault()
  if (!document.getElementById('unsent')) askToSignIn(form, 'Y')
})
// A question that ends takes its form with it; the words can still be copied.
document.addEventListener('beckon:replaced', (event) => {
  const { old, next } = replyOf(event)
  if (next.querySelector('form[data-answers]')) return
  const words = typedIn(old).map(({ value }) => value)
  if (words.length === 0) return
  const label = document.createElement('label')
  label.className = 'field'
  const field = document.createElement('textarea')
  field.readOnly = true
  field.value = words.join('\n\n')
  label.append('You had typed', field)
  const outcome = next.querySelector('.outcome')
  if (outcome) outcome.after(label)
  else next.append(label)
})

/** @param {Element} form */
const isTyped = (form) => typedIn(form).length > 0

/** @param {Element} part */
function typedIn(part) {
  /** @type {NodeListOf<HTMLTextAreaElement | HTMLInputElement>} */
  const fields = part.querySelectorAll('textarea, input')
  return [...fields].filter(
    ({ type, value, defaultValue }) =>
      (type === 'textarea' || type === 'text') && value !== defaultValue,
  )
}

/** @param {string} page the document of an error */
function sentenceOf(page) {
  const heading = new DOMParser().parseFromString(page, 'text/html').querySelector('main h1 + p')
  return heading?.textContent || 'the server did not take it. Try again.'
}

/** @param {Element} form @param {string} begin */
function askToSignIn(form, begin) {
  const link = document.createElement('a')
  link.href = `/sign-in?next=${encodeURIComponent(location.pathname)}`
  link.target = '_blank'
  link.textContent = 'Sign in in another tab'
  showNotice(form, `${begin}ou are signed out. `, link, ', then come back: what you typed is here.')
}

/** @param {Element} form @param {(string | Node)[]} words */
function showNotice(form, ...words) {
  document.getElementById('unsent')?.remove()
  const notice = document.createElement('p')
  notice.id = 'unsent'
  notice.className = 'problem'
  notice.setAttribute('role', 'alert')
  const sentence = document.createElement('span')
  sentence.append(...words)
  notice.append(sentence)
  const hidden = [...form.querySelectorAll(':scope > input[type="hidden"]')].at(-1)
  if (hidden) hidden.after(notice)
  else form.prepend(notice)
  notice.scrollIntoView({ block: 'nearest' })
}
