// On every page: keeps this browser connected. Browsers drop subscriptions, and a server with new
// keys cannot use the old ones; any page repairs both.

import { post, subscription } from './connection.js'
import { forgetDevice, keptDevice } from './kept-device.js'

// In the address that a browser opens by itself when a notification is tapped.
const FROM_PUSH = /^#push=(\w+)\.(\w+)$/

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
  if (renewed.status === 403) await forgetDevice()
}

/**
 * Where the browser shows pushes by itself, no worker hears the tap: the page says it.
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
