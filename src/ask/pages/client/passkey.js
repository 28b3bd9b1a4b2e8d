// Signing in and up with a passkey, using better-auth's endpoints.

import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

/** @param {string} words */
function show(words) {
  const place = document.getElementById('problem')
  const text = place?.querySelector('span')
  if (!place || !text) return
  text.textContent = words
  place.hidden = false
}

/** What an earlier try said is not about the next one. */
function clear() {
  const problem = document.getElementById('problem')
  if (problem) problem.hidden = true
  const status = document.getElementById('passkey-said')
  if (status) status.textContent = ''
}

/** @param {unknown} error */
function wordsFor(error) {
  const { name, message } = /** @type {Error} */ (error)
  if (name === 'InvalidStateError') return 'You have a passkey on this device already.'
  if (name === 'NotAllowedError') return 'The passkey was not used. Try again, or use a password.'
  return `The passkey did not work. ${message}`
}

/** @param {string} path @param {unknown} [body] */
async function call(path, body) {
  const response = await fetch(`/api/auth/passkey/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const reply = await response.json().catch(() => ({}))
  if (!response.ok) throw new Error(reply.detail ?? 'The server refused it.')
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

/**
 * Sends the form without a password: the link is spent and the person is signed in, so that a
 * passkey can be registered. True if that succeeded.
 * @param {HTMLFormElement} form
 */
async function enter(form) {
  const fields = [...new FormData(form)].filter(([name]) => name !== 'password')
  const body = new URLSearchParams(/** @type {string[][]} */ (fields))
  const response = await fetch(form.action, { method: 'POST', body })
  if (response.redirected) return true
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  show(page.querySelector('#problem span, h1 + p')?.textContent ?? 'The server refused it.')
  return false
}

/** @param {HTMLElement} place @param {() => Promise<void>} act */
function onClick(place, act) {
  const button = place.querySelector('button')
  place.hidden = false
  button?.addEventListener('click', async () => {
    button.disabled = true
    clear()
    try {
      await act()
    } catch (error) {
      show(wordsFor(error))
    }
    button.disabled = false
  })
}

/** @param {HTMLFormElement} form whether everything but the password is filled in, saying so */
function filled(form) {
  const password = form.querySelector('[name="password"]')
  password?.setAttribute('disabled', '')
  const valid = form.reportValidity()
  password?.removeAttribute('disabled')
  return valid
}

/** @param {HTMLElement} place */
function offer(place) {
  let entered = false
  onClick(place, async () => {
    if (place.dataset.passkey === 'sign-in') {
      await signIn()
      location.assign(place.dataset.next ?? '/')
    } else if (place.dataset.passkey === 'add') {
      await add()
      const status = document.getElementById('passkey-said')
      if (status) status.textContent = 'This passkey signs you in from now on.'
    } else {
      const form = document.querySelector('form')
      if (!form || (!entered && !filled(form))) return
      entered ||= await enter(form)
      if (!entered) return
      form.hidden = true
      try {
        await add()
      } catch (error) {
        // Already signed in, but without a way to sign in again: the form asks for a password
        // instead.
        form.hidden = false
        throw error
      }
      location.replace('/')
    }
  })
}

/**
 * Signs a vote with a passkey, then sends its form.
 * @param {HTMLFormElement} form
 */
async function prove(form) {
  const { challenge, rpId, credentialIds } = JSON.parse(form.dataset.prove ?? '{}')
  clear()
  try {
    const response = await startAuthentication({
      optionsJSON: {
        challenge,
        rpId,
        userVerification: 'required',
        allowCredentials: credentialIds.map((/** @type {string} */ id) => ({
          id,
          type: 'public-key',
        })),
      },
    })
    const field = form.elements.namedItem('signature')
    if (field instanceof HTMLInputElement) field.value = JSON.stringify(response)
    form.submit()
  } catch (error) {
    show(wordsFor(error))
  }
}

// On the document, because the form may take the place of the question.
document.addEventListener('submit', (event) => {
  const { target: form } = event
  if (!(form instanceof HTMLFormElement) || form.dataset.prove === undefined) return
  event.preventDefault()
  prove(form)
})

// Removes a used link from the history.
document.querySelector('form[action="/setup"]')?.addEventListener('submit', () => {
  history.replaceState(null, '', '/setup')
})

const place = document.querySelector('[data-passkey]')
if (place instanceof HTMLElement && browserSupportsWebAuthn()) offer(place)
