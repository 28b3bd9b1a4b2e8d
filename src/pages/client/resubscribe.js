// On every page: a device that was connected stays so. Browsers drop subscriptions, and a server
// with new keys cannot use the old ones; opening any page repairs both.

// Also written by push.js and the worker: who this browser is to the server.
const DEVICE_CACHE = 'beckon-device'
const DEVICE = '/this-device'

async function stayConnected() {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return
  if (Notification.permission !== 'granted') return
  const cache = await caches.open(DEVICE_CACHE)
  const kept = await (await cache.match(DEVICE))?.json()
  if (!kept) return
  await navigator.serviceWorker.register('/sw.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const applicationServerKey = fromBase64Url(document.body.dataset.vapidKey ?? '')
  const known = await pushManager.getSubscription()
  const fits = known && sameBytes(known.options.applicationServerKey, applicationServerKey)
  if (fits) return
  await known?.unsubscribe()
  const fresh = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  const { endpoint, keys } = fresh.toJSON()
  const { id, deviceKey: key } = kept
  const renewed = await post(`/api/v1/subscribers/${id}/renew`, { key, endpoint, keys })
  // A device that was removed on purpose stays removed.
  if (!renewed.ok) await fresh.unsubscribe()
  if (renewed.status === 403) await cache.delete(DEVICE)
}

/**
 * @param {string} path
 * @param {unknown} body
 */
function post(path, body) {
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** @param {string} text */
function fromBase64Url(text) {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
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
