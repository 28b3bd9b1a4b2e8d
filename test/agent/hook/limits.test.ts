import { expect, test } from 'bun:test'
import { CLIENTS, loadHookClient } from '../../../src/agent/clients/clients.ts'
import { openContext } from '../../../src/agent/session/context.ts'
import { page } from '../../docs/blocks.ts'

const HOOKS = (await Promise.all(CLIENTS.map(({ name }) => loadHookClient(name)))).filter(
  (client) => client !== undefined,
)
const LATEST_S: Record<string, number> = { qwen: 50, cursor: 50, windsurf: 50, cline: 20 }

test.each(HOOKS.map((client) => [client.name, client] as const))(
  'a hook of %s decides before the client goes on without it',
  (name, client) => {
    const call = client.parse(undefined, {})
    const startedAt = performance.now()
    const timing = { startedAt, ended: new AbortController().signal, ms: Number.POSITIVE_INFINITY }
    const { left } = openContext(client, { call, cut: false }, timing)
    const until = performance.now() - startedAt + left()
    expect(until).toBeLessThan(client.hostTimeoutMs)
    expect(Math.round(until / 1000)).toBe(LATEST_S[name] ?? 595)
    expect(client.hasOwnLimit ?? false).toBe(name in LATEST_S)
  },
)

test('once its time has ended a hook has none left, though timers ring early', async () => {
  const [client] = HOOKS
  if (!client) throw new Error('there is no client')
  const call = client.parse(undefined, {})
  const left: number[] = []
  for (let ms = 3; ms < 9; ms += 0.15) {
    // The timer counts from when the loop last looked at the clock.
    Bun.sleepSync(2)
    const timing = { startedAt: performance.now(), ended: new AbortController().signal, ms }
    const context = openContext(client, { call, cut: false }, timing)
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve))
    left.push(context.left())
  }
  expect(left.filter((one) => one > 0)).toEqual([])
})

test('the table of limits says what the clients say', async () => {
  const text = await page('docs/hooks.md')
  for (const { title, hasOwnLimit, hostTimeoutMs, name } of HOOKS) {
    const row = `| ${title} | ${hostTimeoutMs / 1000} s | ${LATEST_S[name]} s |`
    if (hasOwnLimit) expect(text).toContain(row)
  }
})
