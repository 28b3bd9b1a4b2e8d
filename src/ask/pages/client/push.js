// Connects this browser to push, on the devices page; explains in plain words if it cannot.

import { post, subscription } from './connection.js'
import { keepDevice, keptDevice } from './kept-device.js'

// A push service that can be reached answers well within this time; a blocked one never does.
const PUSH_SERVICE_MS = 15_000
const BLOCKED =
  'Something on this device or its network keeps the browser from its push service: a firewall, a VPN, an ad blocker, or a setting of the browser (in Brave: “Use Google services for push messaging”). Allow it or try another network, then connect again. Or add an ntfy topic under Settings, Devices.'

const place = document.getElementById('this-browser')
const button = place?.querySelector('[data-push-connect]')

const isApple = /iPhone|iPad/.test(navigator.userAgent) || isTouchMac()
const isInstalled = matchMedia('(display-mode: standalone)').matches

function isTouchMac() {
  return navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1
}

/** Why this browser cannot be connected, for the person; undefined if it can. */
function whyNot() {
  if (!window.isSecureContext) {
    return 'Browsers accept pushes only over https or on localhost: open the https address, or add an ntfy topic under Devices.'
  }
  if (isApple && !isInstalled && !('PushManager' in window)) {
    return 'On iPhone and iPad, add Beckon to the home screen first: Share, then “Add to Home Screen”. Open it from there and come back to this page.'
  }
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return 'This browser cannot receive pushes. A private window may be the reason.'
  }
  if (Notification.permission === 'denied') {
    return 'Notifications are blocked for this site: allow them in the site settings of the browser, or connect a phone or ntfy topic.'
  }
  return undefined
}

/** @param {string} words */
function say(words) {
  const state = place?.querySelector('[data-push-state]')
  if (!state) return
  state.setAttribute('data-known', '')
  state.textContent = words
}

/** @param {boolean} offered */
function offer(offered) {
  if (button instanceof HTMLButtonElement) {
    button.hidden = !offered
    button.disabled = false
  }
}

async function look() {
  const reason = whyNot()
  offer(false)
  if (reason) return say(reason)
  const registration = await navigator.serviceWorker.register('/sw.js')
  const current = await registration.pushManager.getSubscription()
  const device = await keptDevice()
  const card = device && document.getElementById(`device-${device.id}`)
  if (current && card) {
    card.querySelector('.thing-name')?.append(' (this browser)')
    // Its row in the list says the rest.
    if (place) place.hidden = card.matches('.thing')
    return say('Connected. “Send test” shows whether a push really arrives.')
  }
  say('Not connected yet: questions do not ring here.')
  offer(true)
}

async function connect() {
  if (button instanceof HTMLButtonElement) button.disabled = true
  try {
    if ((await Notification.requestPermission()) !== 'granted') {
      say(whyNot() ?? 'Without the permission to notify, nothing can ring here.')
      return offer(true)
    }
    say('Connecting…')
    const { current } = await fromPushService(subscription(place?.dataset.vapidKey ?? ''))
    const device = await tellServer(current)
    if (!device) return
    say('Connected. Sending a test…')
    const result = await sendTest(device)
    say(result)
    offer(false)
    await refresh()
  } catch (error) {
    say(`It did not work: ${error instanceof Error ? error.message : error}`)
    offer(true)
  }
}

/**
 * A request of the browser to its push service, or an error that says what blocks it.
 * @template T
 * @param {Promise<T>} request
 * @returns {Promise<T>}
 */
async function fromPushService(request) {
  /** @type {Promise<never>} */
  const silence = new Promise((_, fail) => {
    const seconds = PUSH_SERVICE_MS / 1000
    const words = `The push service did not answer in ${seconds} seconds. ${BLOCKED}`
    setTimeout(() => fail(new Error(words)), PUSH_SERVICE_MS)
  })
  try {
    return await Promise.race([request, silence])
  } catch (error) {
    // "Registration failed": the push service was reached and refused.
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
    throw new Error(`The push service refused this browser (${error.message}). ${BLOCKED}`)
  }
}

/** @param {PushSubscription} current */
async function tellServer(current) {
  const { endpoint, keys } = current.toJSON()
  const kind = isApple || /Android|Mobi/.test(navigator.userAgent) ? 'phone' : 'browser'
  const body = { kind, transport: 'webpush', endpoint, keys }
  const response = await post('/api/v1/subscribers', body)
  if (response.status === 401) {
    location.assign(`/sign-in?next=${encodeURIComponent(location.pathname)}`)
    return undefined
  }
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.detail ?? `the server answered ${response.status}`)
  const { id, deviceKey } = answer
  await keepDevice({ id, deviceKey })
  return { id, kind }
}

/** @param {{ id: string, kind: string }} device */
async function sendTest({ id, kind }) {
  const response = await post(`/api/v1/subscribers/${id}/test`, {})
  const result = await response.json()
  if (!response.ok) return result.detail ?? 'The test could not be sent.'
  if (!result.accepted) return result.said
  return `Your ${kind === 'phone' ? 'phone' : 'browser'} rings now: ${result.said}`
}

/** Shows what a connected device changes on this page. */
async function refresh() {
  const page = await (await fetch(location.pathname)).text()
  const now = new DOMParser().parseFromString(page, 'text/html')
  const parts = ['devices', 'no-devices', 'step-device', 'step-ask']
  for (const id of parts) replace(id, now.getElementById(id))
  document.dispatchEvent(new CustomEvent('beckon:changed'))
}

/** @param {string} id @param {Element | null} fresh */
function replace(id, fresh) {
  const old = document.getElementById(id)
  if (!old) return
  if (!fresh) return old.remove()
  old.replaceWith(fresh)
  const { htmx } = /** @type {{ htmx?: { process(element: Element): void } }} */ (
    /** @type {unknown} */ (window)
  )
  htmx?.process(fresh)
}

if (place) {
  say('Looking at this browser…')
  button?.addEventListener('click', connect)
  const lookAgain = () => look().catch((error) => say(`It did not work: ${error.message}`))
  lookAgain()
  // Somebody who blocked notifications may allow them in another place, and comes back.
  navigator.permissions
    ?.query({ name: 'notifications' })
    .then((permission) => permission.addEventListener('change', lookAgain))
    .catch(() => {})
}
