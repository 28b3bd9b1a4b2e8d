import { type DeviceKeys, decrypt, deviceKeys, shownKeys } from '../../support/push-server.ts'

export type PushReceiver = AsyncDisposable & {
  subscribe(name: string): { endpoint: string; keys: { p256dh: string; auth: string } }
  received(): number
  /** Whether a push to this device has no reply yet. */
  isWaiting(name: string): boolean
  /** Those that were read, as the device would. */
  decrypted(): number
  /** Messages that one device was sent twice, and those that it could not read. */
  wrong: string[]
  /** Devices that were sent the question `topic`. */
  asked(topic: string): number
}

// Reading one costs as much as sending it: a sample of them is read.
const READ_EVERY = 50

/**
 * A push service that takes everything, and counts what each device is sent; `answer` may let a
 * device wait for it.
 */
export function pushReceiver(
  answer: (name: string) => Promise<void> = async () => {},
): PushReceiver {
  const devices = new Map<string, DeviceKeys>()
  const seen = new Map<string, number>()
  const counts = new Map<string, number>()
  const wrong: string[] = []
  const waiting = new Set<string>()
  let received = 0
  let decrypted = 0

  function read(name: string, body: ArrayBuffer, topic: string) {
    const device = devices.get(name)
    if (!device) return void wrong.push(`a push to ${name}, which nobody subscribed`)
    try {
      const { notification } = decrypt(Buffer.from(body), device)
      decrypted++
      if (notification.tag !== topic) wrong.push(`${name} was sent ${notification.tag} as ${topic}`)
    } catch (error) {
      wrong.push(`${name} could not read its push: ${error}`)
    }
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const name = new URL(request.url).pathname.slice('/push/'.length)
      const topic = request.headers.get('topic') ?? ''
      const urgency = request.headers.get('urgency') ?? ''
      const body = await request.arrayBuffer()
      waiting.add(name)
      await answer(name)
      waiting.delete(name)
      // A question is urgent, its outcome is not: each device has each once.
      const what = `${name} ${topic} ${urgency}`
      const before = seen.get(what)
      if (before !== undefined) {
        const seconds = ((performance.now() - before) / 1_000).toFixed(1)
        wrong.push(`sent twice, ${seconds} s apart: ${what}`)
      }
      seen.set(what, performance.now())
      if (urgency === 'high') counts.set(topic, (counts.get(topic) ?? 0) + 1)
      if (received++ % READ_EVERY === 0) read(name, body, topic)
      return new Response(null, { status: 201 })
    },
  })

  return {
    subscribe(name) {
      const keys = deviceKeys()
      devices.set(name, keys)
      return { endpoint: `http://127.0.0.1:${server.port}/push/${name}`, keys: shownKeys(keys) }
    },
    received: () => received,
    isWaiting: (name) => waiting.has(name),
    decrypted: () => decrypted,
    asked: (topic) => counts.get(topic) ?? 0,
    wrong,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
