import { afterAll, expect, test } from 'bun:test'
import { createGuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'
import { HOSTILE_REPLIES } from '../support/hostile-replies.ts'
import { wireServer } from '../support/wire-server.ts'
import type { WayOut } from './way-out.ts'
import { waysOut } from './ways-out.ts'

const PATIENCE_MS = 100

// Of an answer without a body nobody counts the lengths.
const NO_MATTER_FOR_HEAD = new Set(['two lengths'])

const guard = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
const fetch: typeof guard.fetch = (url, request) =>
  guard.fetch(url, { ...request, timeoutMs: PATIENCE_MS })
const table = await waysOut({ ...guard, fetch })
const rows = table.ways.map((way): [string, WayOut] => [way.name, way])
const servers = await Promise.all(
  Object.entries(HOSTILE_REPLIES).map(async ([name, { wire, counts }]) => {
    const server = await wireServer()
    server.play(wire)
    return { name, counts, server }
  }),
)

afterAll(async () => {
  await table[Symbol.asyncDispose]()
  for (const { server } of servers) await server[Symbol.asyncDispose]()
})

test.each(rows)(
  '%s comes to an end whatever it is answered, and takes no part for the whole',
  async (_name, way) => {
    const all = await Promise.all(
      servers.map(async ({ name, counts, server }) => {
        const result = await way.ask(`http://127.0.0.1:${server.port}`)
        return { name, counts, ...result }
      }),
    )
    const isWrong = ({ name, counts }: (typeof all)[0]) =>
      !way.byStatus || (counts === 'none' && !NO_MATTER_FOR_HEAD.has(name))
    const wrong = all.filter((one) => one.taken && isWrong(one))
    expect(wrong).toEqual([])
    // A reason is a sentence or two, without what a stranger wrote at length, or where in the code.
    const odd = all.filter(
      ({ why }) => (why?.length ?? 0) > 600 || /\n\s+at |node_modules/.test(why ?? ''),
    )
    expect(odd).toEqual([])
  },
)
