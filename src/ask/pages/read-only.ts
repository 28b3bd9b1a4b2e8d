import { paths } from './paths.ts'

/** Forms about nothing but how somebody signs in: whoever reads may send them, too. */
export const OWN_FORMS: ReadonlySet<string> = new Set([
  paths.ownPassword,
  paths.removePasskey,
  paths.signOutElsewhere,
  paths.endSignIn,
  paths.disconnect,
])

/** Pages that consist of what their reader sets: an auditor sets nothing. */
export const ACTING_PAGES: ReadonlySet<string> = new Set([
  paths.ownSwitches,
  paths.ownUndo,
  paths.addDevice,
  paths.thisDevice,
  paths.beginPairing,
])

// Open to everybody, signed in or not.
const SENDABLE = [...OWN_FORMS, paths.signOut, paths.theme].map(
  (path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
)

const READ_ONLY = '<p class="soft">You may read this; others decide.</p>'
const ANSWERING = ['button', '.extras', '.bar']
  .map((part) => `form[data-answers] ${part}`)
  .join(', ')

/**
 * A page without the forms and links that an auditor may not use. It takes away whatever is not listed
 * above, so that a new page offers an auditor nothing.
 */
export function withoutActs(page: Response): Response {
  if (!page.headers.get('content-type')?.startsWith('text/html')) return page
  return new HTMLRewriter()
    .on(ANSWERING, { element: (one) => void one.remove() })
    .on('form[data-answers] input', { element: (one) => void one.setAttribute('disabled', '') })
    .on('form', { element: keepReadable })
    .on('button[form]', { element: (one) => void one.remove() })
    .on('a', {
      element(one) {
        if (ACTING_PAGES.has(one.getAttribute('href') ?? '')) one.remove()
      },
    })
    .transform(page)
}

function keepReadable(form: HTMLRewriterTypes.Element) {
  const action = form.getAttribute('action') ?? ''
  if (form.getAttribute('method') !== 'post' || SENDABLE.some((path) => path.test(action))) return
  if (form.getAttribute('data-answers') === null) return void form.remove()
  form.tagName = 'div'
  form.prepend(READ_ONLY, { html: true })
  for (const [name] of [...form.attributes]) if (name !== 'class') form.removeAttribute(name)
}
