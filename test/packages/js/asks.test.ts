import { afterAll, expect, test } from 'bun:test'
import table from '../../../packages/cases/asks.json'
import { type AskOptions, ask } from '../../../packages/js/src/client.ts'
import { standIn } from '../stand-in.ts'

const server = standIn()
afterAll(() => server[Symbol.dispose]())

type Ask = AskOptions & { kind: string; question: string; choices?: string[] }

test.each(table.cases.map((one) => [one.name, one] as const))(
  'the table of cases: what is sent: %s',
  async (name, one) => {
    const { kind, question, choices = [], ...options } = one.ask as Ask
    const about = { ...options, server: { url: server.urlOf(name), token: 'bk_t' } }
    if (kind === 'choose') await ask.choose(question, choices, about)
    else await ask[kind as 'confirm' | 'text'](question, about)
    const body: Record<string, unknown> = server.posts(name)[0]?.body ?? {}
    const { timeoutMs, requestId, ...rest } = body
    const key = 'requestId' in one.body ? { requestId } : {}
    expect({ ...rest, ...key }).toEqual(one.body as never)
    expect(requestId).toBeString()
    expect(timeoutMs).toBe(20_000)
  },
)
