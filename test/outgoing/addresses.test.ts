import { afterAll, expect, test } from 'bun:test'
import { readTopic } from '../../src/ask/channels/ntfy/topic.ts'
import { readSubscription } from '../../src/ask/channels/web-push/web-push.ts'
import { createGuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'
import {
  ALL_FORBIDDEN_HOSTS,
  FORBIDDEN_NAMES,
  FORBIDDEN_URLS,
} from '../support/forbidden-addresses.ts'
import { plainly, type WireServer, wireServer } from '../support/wire-server.ts'
import type { WayOut } from './way-out.ts'
import { waysOut } from './ways-out.ts'

const listeners = [await wireServer('127.0.0.1'), await wireServer('::1')]
const [here, six] = listeners as [WireServer, WireServer]
for (const listener of listeners) listener.play(plainly(200, '{}'))
const unreached = () => listeners.map((listener) => listener.connections())

// Every name there is leads to this machine.
const strict = createGuardedFetch({ resolve: async () => ['127.0.0.1'] })
const table = await waysOut(strict)
const rows = table.ways.map((way): [string, WayOut] => [way.name, way])

afterAll(async () => {
  await table[Symbol.asyncDispose]()
  for (const listener of listeners) await listener[Symbol.asyncDispose]()
})

const addresses = [
  ...ALL_FORBIDDEN_HOSTS.flatMap((host) => {
    const { port } = host.startsWith('[') ? six : here
    return [`http://${host}:${port}`, `https://${host}:${port}`]
  }),
  ...FORBIDDEN_URLS,
]
// What may be told: of the address, and never of what is there.
const TELLS =
  /private network|Only https|user name or password|another kind of service|not valid|valid address|There is nothing at|must not reach its address|is not there|it must be a web address|could not be given|web address without password/i

test.each(rows)('%s never reaches a forbidden address', async (_name, way) => {
  const before = unreached()
  const all = await Promise.all(addresses.map(async (base) => ({ base, ...(await way.ask(base)) })))
  expect(all.filter(({ taken }) => taken).map(({ base }) => base)).toEqual([])
  const refusals = all.filter(({ why }) => why !== undefined && why !== '[]')
  expect(refusals.filter(({ why }) => !TELLS.test(why ?? ''))).toEqual([])
  expect(unreached()).toEqual(before)
})

test('what can never be reached is refused where it is entered', () => {
  const { refusal } = strict
  const keys = { p256dh: '', auth: '' }
  const entered: Array<(endpoint: string) => unknown> = [
    (endpoint) => readSubscription({ endpoint, keys }, refusal),
    (endpoint) => readTopic({ endpoint, kind: 'phone', transport: 'ntfy' } as never, refusal),
  ]
  const names = FORBIDDEN_NAMES.map((name) => `http://${name}`)
  for (const base of [...addresses, ...names]) {
    for (const enter of entered) {
      const failure = failureOf(() => enter(base))
      expect([base, failure?.fields?.map(({ field }) => field)]).toEqual([
        base,
        expect.arrayContaining(['endpoint']),
      ])
    }
  }
})

function failureOf(work: () => unknown) {
  try {
    work()
    return undefined
  } catch (error) {
    return error as { fields?: Array<{ field: string }> }
  }
}
