// On every page: who this browser is to the server, and that it stays so. Browsers drop
// subscriptions, and a server with new keys cannot use the old ones; any page repairs both.

// Also written by the worker.
const DEVICE_CACHE = 'beckon-device'
const DEVICE = '/this-device'
// Behind the address that a browser opens by itself when a notification is tapped.
const FROM_PUSH = /^#push=(\w+)\.(\w+)$/

/** @typedef {{ id: string, deviceKey: string }} Device */

/** @returns {Promise<Device | undefined>} */
export async function keptDevice() {
  return (await (await caches.open(DEVICE_CACHE)).match(DEVICE))?.json()
}

/** @param {Device} device */
export async function keepDevice(device) {
  const cache = await caches.open(DEVICE_CACHE)
  await cache.put(DEVICE, new Response(JSON.stringify(device)))
}

/**
 * This browser's subscription for the server's key, and whether it had to be made.
 * @param {string} vapidKey
 */
export async function subscription(vapidKey) {
  await navigator.serviceWorker.register('/sw.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const applicationServerKey = fromBase64Url(vapidKey)
  const known = await pushManager.getSubscription()
  if (known && sameBytes(known.options.applicationServerKey, applicationServerKey)) {
    return { current: known, fresh: false }
  }
  // One for other keys, of a server that was set up anew, would never be accepted.
  await known?.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey }
  return { current: await pushManager.subscribe(options), fresh: true }
}

/**
 * @param {string} path
 * @param {unknown} body
 */
export function post(path, body) {
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function stayConnected() {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return
  if (Notification.permission !== 'granted') return
  const kept = await keptDevice()
  if (!kept) return
  await sayOpened(kept)
  const { current, fresh } = await subscription(document.body.dataset.vapidKey ?? '')
  if (!fresh) return
  const { endpoint, keys } = current.toJSON()
  const { id, deviceKey: key } = kept
  const renewed = await post(`/api/v1/subscribers/${id}/renew`, { key, endpoint, keys })
  // A device that was removed on purpose stays removed.
  if (!renewed.ok) await current.unsubscribe()
  if (renewed.status === 403) await (await caches.open(DEVICE_CACHE)).delete(DEVICE)
}

/**
 * Where the browser shows pushes by itself, no worker hears the tap: the page says it.
 * @param {Device} device
 */
async function sayOpened({ id: device, deviceKey: key }) {
  const [, kind, id] = FROM_PUSH.exec(location.hash) ?? []
  if (!id) return
  history.replaceState(history.state, '', location.pathname + location.search)
  await post(`/api/v1/subscribers/${device}/opened`, { key, id, kind })
}

/** @param {string} text */
function fromBase64Url(text) {
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

/**
 * @param {ArrayBuffer | null} buffer
 * @param {Uint8Array} bytes
 */
function sameBytes(buffer, bytes) {
  const other = new Uint8Array(buffer ?? new ArrayBuffer(0))
  return other.length === bytes.length && other.every((byte, i) => byte === bytes[i])
}

// Without the push service now, the next page tries again.
stayConnected().catch(() => {})
