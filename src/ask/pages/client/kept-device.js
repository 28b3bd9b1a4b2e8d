// The device id of this browser, stored for pages and the service worker.

export const DEVICE_CACHE = 'beckon-device'
const DEVICE = '/this-device'
const SERVER_KEY = '/server-key'

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

export async function forgetDevice() {
  await (await caches.open(DEVICE_CACHE)).delete(DEVICE)
}

/** Stores the key that this browser subscribes with, base64url. @param {string} key */
export async function keepServerKey(key) {
  await (await caches.open(DEVICE_CACHE)).put(SERVER_KEY, new Response(key))
}

/** @returns {Promise<string | null>} */
export async function keptServerKey() {
  return (await (await caches.open(DEVICE_CACHE)).match(SERVER_KEY))?.text() ?? null
}
