import { afterAll, expect, test } from 'bun:test'
import { createGuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'
import { waysOfMessages } from './ways-of-messages.ts'

// Slack sends each message back; nobody else's answer is as long.
const MOST: Record<string, number> = {
  'a call of Slack': 256 * 1024,
  'a call of Telegram': 64 * 1024,
}
const USUAL = 4 * 1024

const long = 'x'.repeat(1024 * 1024)
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(long) })
const guard = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
let read: number[] = []
const fetch: typeof guard.fetch = async (url, request) => {
  const fetched = await guard.fetch(url, request)
  if (fetched.outcome === 'answered') read.push(fetched.body.length)
  return fetched
}
const table = await waysOfMessages({ ...guard, fetch })
afterAll(async () => {
  await table[Symbol.asyncDispose]()
  await server.stop(true)
})

test.each(table.ways.map((way) => [way.name, way] as const))(
  '%s reads little of a long answer',
  async (name, way) => {
    read = []
    await way.ask(`http://127.0.0.1:${server.port}`)
    expect(read.length).toBeGreaterThan(0)
    expect(Math.max(...read)).toBeLessThanOrEqual(MOST[name] ?? USUAL)
  },
)
