import { expect, test } from 'bun:test'
import { resultOf, tokenGet, toolCall } from './calls.ts'
import { openSlow } from './slow.ts'
import { runStop, SMALL_STOP } from './stop.ts'
import { Wire } from './wire.ts'
import { loadWorld } from './world.ts'

test('SIGTERM under load sends every call home, finishes what it can, and the next start has it all', async () => {
  const report = await runStop(SMALL_STOP)
  expect(report.wrong).toEqual([])
  // Its own limit would end it with 1.
  expect(report.exitCode).toBe(0)
  expect(report.sentHome).toBe(SMALL_STOP.held)
  // And the one whose push was on its way.
  expect(report.foundAgain).toBe(SMALL_STOP.held + 1)
  expect(report.answered).toBe(SMALL_STOP.answers)
}, 60_000)

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a second signal (%s) ends it at once, and nothing is lost',
  async (second) => {
    await using world = await loadWorld({ subscribers: 1, people: 1, tokens: 1 })
    const [token = ''] = world.tokens
    await using server = await world.start()
    const wire = new Wire(server.url)
    const ask = toolCall({ era: 'modern', token }, 'ask_user', { question: 'Go on?' })
    const started = Promise.withResolvers<void>()
    const sending = wire.send(ask, started.resolve)
    await started.promise
    // Clients that would be waited for.
    const [cookie = ''] = await world.signIn(server.url)
    const slow = await openSlow({ url: server.url, cookie, each: 1 }, () => {})
    const ended = server.end('SIGTERM')
    const { correlationId, status } = resultOf(await sending)
    expect(status).toBe('pending')
    expect((await server.end(second)).code).not.toBe(0)
    await ended
    slow.vanish()
    await using next = await world.start()
    const again = await new Wire(next.url).send(
      tokenGet(token, `/questions/${correlationId}?timeoutMs=1000`),
    )
    expect(resultOf(again)).toMatchObject({ correlationId, status: 'pending' })
  },
)
