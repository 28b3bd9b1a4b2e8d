import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import table from '../../../packages/cases/servers.json'
import { digestOf } from '../../../packages/js/src/canonical.ts'
import { ask, notify, proposeScope } from '../../../packages/js/src/client.ts'
import { protect } from '../../../packages/js/src/protect.ts'
import { standIn } from '../stand-in.ts'

setDefaultTimeout(60_000)

const server = standIn()
afterAll(() => server[Symbol.dispose]())

const ARGS = { id: 7, why: 'They asked.' }

function act(name: string, ran: unknown[]) {
  return protect((args: unknown) => ran.push(args), {
    name: 'act',
    waitMs: 1_500,
    server: { url: server.urlOf(name), token: 'bk_t' },
  })
}

const QUICK = table.cases.filter((one) => !('slow' in one))

test.each(QUICK.map((one) => [one.name, one] as const))('of a server: %s', async (name, one) => {
  const ran: unknown[] = []
  const { status } = await act(name, ran)(ARGS)
  expect({ status: status as string, ran: ran.length, consumed: server.consumed(name) }).toEqual({
    status: one.status,
    ran: one.ran,
    consumed: one.consumed,
  })
  expect(server.asked(name)).toBeLessThanOrEqual(one.askedMax ?? 8)
  expect(server.outcomes(name)).toBeLessThanOrEqual(1)
  const hash = await digestOf({ tool: 'act', arguments: ARGS })
  for (const digest of server.hashes(name)) expect(digest).toBe(hash)
})

test.each(table.arguments.map((one) => [one.name, one] as const))(
  'of arguments: %s',
  async (name, one) => {
    const ran: unknown[] = []
    const { repeat, times = 0, json, number } = one
    const value = repeat ? repeat.repeat(times) : json ? JSON.parse(json) : Number(number)
    const { status } = await act(name, ran)({ value })
    expect(status as string).toBe(one.status)
    expect([...ran, ...server.hashes(name)]).toEqual([])
  },
)

test.each(table.calls.map((one) => [one.name, one] as const))(
  'of a call: %s',
  async (name, one) => {
    const to = { url: server.urlOf(name), token: 'bk_t', test: one.test ?? false }
    if (one.call === 'notify') await notify('Done', 'All of it.', { server: to })
    else if (one.call === 'scope') await proposeScope('Green.', { sessionId: 's', server: to })
    else await ask.confirm('Go?', { server: to })
    const posts = server.posts(name)
    const keys = new Set(posts.flatMap(({ key }) => key ?? []))
    expect([posts.length, keys.size]).toEqual([one.sent, one.keys])
    for (const { body } of posts) expect(body.env).toBe(one.test ? 'test' : undefined)
  },
)
