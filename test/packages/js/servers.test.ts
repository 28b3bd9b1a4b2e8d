import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import table from '../../../packages/cases/servers.json'
import { digestOf } from '../../../packages/js/src/canonical.ts'
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

test.each(table.cases.map((one) => [one.name, one] as const))(
  'of a server: %s',
  async (name, one) => {
    const ran: unknown[] = []
    const { status } = await act(name, ran)(ARGS)
    expect({ status: status as string, ran: ran.length, consumed: server.consumed(name) }).toEqual({
      status: one.status,
      ran: one.ran,
      consumed: one.consumed,
    })
    const hash = await digestOf({ tool: 'act', arguments: ARGS })
    for (const asked of server.hashes(name)) expect(asked).toBe(hash)
  },
)

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
