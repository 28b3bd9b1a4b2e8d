// On every page: registers the worker, and keeps this browser connected. Browsers drop subscriptions, and a server with new
// keys cannot use the old ones; any page repairs both.

import { post, subscription } from './connection.js'
import { forgetDevice, keepServerKey, keptDevice } from './kept-device.js'

// In the address that a browser opens by itself when a notification is tapped.
const FROM_PUSH = /^#push=(\w+)\.(\w+)$/

async function stayConnected() {
  if (!('serviceWorker' in navigator)) return
  // Also without pushes: it has the page for when the server cannot be reached.
  await navigator.serviceWorker.register('/sw.js')
  if (!('PushManager' in window && 'Notification' in window)) return
  const device = await keptDevice()
  if (!device) return
  await keepServerKey(document.body.dataset.vapidKey ?? '')
  if (Notification.permission === 'granted') {
    await sayOpened(device)
    // If the push service cannot be reached, the browser has no subscription; that is reported below.
    const { current, fresh } = await subscription(document.body.dataset.vapidKey ?? '').catch(none)
    if (current && fresh) await renew(device, current)
  }
  await sayWhatItHas(device)
}

const none = () => ({ current: undefined, fresh: false })

/** @param {import('./kept-device.js').Device} kept @param {PushSubscription} current */
async function renew({ id, deviceKey: key }, current) {
  const { endpoint, keys } = current.toJSON()
  const renewed = await post(`/api/v1/subscribers/${id}/renew`, { key, endpoint, keys })
  // A device that was removed on purpose stays removed.
  if (!renewed.ok) await current.unsubscribe()
  if (renewed.status === 403) await forgetDevice()
}

/**
 * Tells the server what this browser has, once a visit and when it has changed. If the server knows
 * another subscription, it gets this one.
 * @param {import('./kept-device.js').Device} kept
 */
async function sayWhatItHas({ id, deviceKey: key }) {
  const registration = await navigator.serviceWorker.getRegistration()
  const own = (await registration?.pushManager.getSubscription()) ?? undefined
  const { permission } = Notification
  const endpointHash = own && (await hashOf(own.endpoint))
  const report = `${permission} ${endpointHash} ${id}`
  if (sessionStorage.getItem(SAID) === report) return
  const answer = await post(`/api/v1/subscribers/${id}/look`, { key, permission, endpointHash })
  if (answer.status === 403) return forgetDevice()
  if (!answer.ok) return
  if ((await answer.json()).silent === 'different' && own) {
    return renew({ id, deviceKey: key }, own)
  }
  sessionStorage.setItem(SAID, report)
}

const SAID = 'beckon-said'

/** @param {string} text */
async function hashOf(text) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * If the browser shows pushes by itself, no worker receives the tap, so the page reports it.
 * @param {import('./kept-device.js').Device} device
 */
async function sayOpened({ id: device, deviceKey: key }) {
  const [, kind, id] = FROM_PUSH.exec(location.hash) ?? []
  if (!id) return
  history.replaceState(history.state, '', location.pathname + location.search)
  await post(`/api/v1/subscribers/${device}/opened`, { key, id, kind })
}

// If the push service cannot be reached now, the next page tries again.
stayConnected().catch(() => {})
