import webPush from 'web-push'
import { newKeys } from '../devices.ts'

/** What `web-push` needs to encrypt one payload for each of so many subscriptions, on one core. */
const devices = Array.from({ length: Number(process.argv[2]) }, newKeys)

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const payload = await request.text()
    const before = process.cpuUsage()
    const startedAt = performance.now()
    for (const { p256dh, auth } of devices) webPush.encrypt(p256dh, auth, payload, 'aes128gcm')
    const ms = performance.now() - startedAt
    const { user, system } = process.cpuUsage(before)
    return Response.json({ ms, cpuMs: (user + system) / 1_000 })
  },
})
console.log(server.url.origin)
