// How this browser subscribes to push, and tells the server.

/**
 * This browser's subscription for the server's key, and whether it had to be made.
 * @param {string} vapidKey
 */
export async function subscription(vapidKey) {
  await navigator.serviceWorker.register('/sw.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const applicationServerKey = fromBase64Url(vapidKey)
  const existing = await pushManager.getSubscription()
  if (existing && sameBytes(existing.options.applicationServerKey, applicationServerKey)) {
    return { current: existing, fresh: false }
  }
  // A subscription for other keys, from before the server was set up again, would never be
  // accepted.
  await existing?.unsubscribe()
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
