import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import table from '../../../packages/cases/servers.json'
import { protect } from '../../../packages/js/src/protect.ts'
import { standIn } from '../stand-in.ts'

setDefaultTimeout(60_000)

const server = standIn()
afterAll(() => server[Symbol.dispose]())

const SLOW = table.cases.filter((one) => 'slow' in one)

test.concurrent.each(SLOW.map((one) => [one.name, one] as const))(
  'of a server: %s',
  async (name, one) => {
    const ran: unknown[] = []
    const to = { url: server.urlOf(name), token: 'bk_t' }
    const act = protect((id: number) => ran.push(id), { name: 'act', waitMs: 1_500, server: to })
    const { status } = await act(7)
    const result: object = { status, ran: ran.length, consumed: server.consumed(name) }
    expect(result).toEqual({ status: one.status, ran: one.ran, consumed: one.consumed })
  },
)
