// Signing in and up with a passkey, over better-auth's endpoints.
;(() => {
  const { startAuthentication, startRegistration, browserSupportsWebAuthn } = /** @type {any} */ (
    window
  ).SimpleWebAuthnBrowser

  /** @param {unknown} error */
  function problem(error) {
    const place = document.getElementById('problem')
    if (!place) return
    const name = error instanceof Error ? error.name : ''
    const words =
      name === 'NotAllowedError'
        ? 'The passkey was not used. Try again, or use a password.'
        : `The passkey did not work. ${error instanceof Error ? error.message : ''}`
    const text = place.querySelector('span')
    if (text) text.textContent = words
    place.hidden = false
  }

  /** @param {string} path @param {unknown} [body] */
  async function call(path, body) {
    const response = await fetch(`/api/auth/passkey/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const reply = await response.json().catch(() => ({}))
    if (!response.ok) throw new Error(reply.message ?? reply.detail ?? 'The server refused it.')
    return reply
  }

  async function signIn() {
    const optionsJSON = await call('generate-authenticate-options')
    const response = await startAuthentication({ optionsJSON })
    await call('verify-authentication', { response })
  }

  async function add() {
    const optionsJSON = await call('generate-register-options')
    const response = await startRegistration({ optionsJSON })
    await call('verify-registration', { response, name: navigator.platform || 'Passkey' })
  }

  const place = document.querySelector('[data-passkey="sign-in"], [data-passkey="add"]')
  if (!(place instanceof HTMLElement) || !browserSupportsWebAuthn()) return
  const button = place.querySelector('button')
  place.hidden = false
  button?.addEventListener('click', async () => {
    button.disabled = true
    try {
      if (place.dataset.passkey === 'add') {
        await add()
        button.textContent = 'Passkey added'
        return
      }
      await signIn()
      location.assign(place.dataset.next ?? '/')
    } catch (error) {
      problem(error)
      button.disabled = false
    }
  })
})()
