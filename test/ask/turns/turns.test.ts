import { expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { listAbout } from '../../../src/ask/audit/model/store.ts'
import { withdrawInstruction } from '../../../src/ask/turns/instruct.ts'
import { setMayHold } from '../../../src/ask/turns/model/turn-store.ts'
import { settle } from '../../support/fake-clock.ts'
import { turnWorld } from '../../support/turn-world.ts'

const MINUTE = 60_000

test('the end of a long turn is told once, and a tap opens its session', async () => {
  await using world = await turnWorld()
  const { report, notifications, session } = world
  await report({ event: 'began' })
  expect(await report()).toEqual({})
  expect(await report()).toEqual({})
  const { id } = await session()
  expect(notifications).toEqual([
    expect.objectContaining({
      title: 'Claude Code finished in shop-api',
      body: 'Tests are green.\n12 min, 3 files changed',
      url: `https://beckon.example/live/${id}`,
      context: expect.objectContaining({ type: 'task_complete' }),
    }),
  ])
  await report({ event: 'began' })
  await report({ outcome: 'rate_limited', lastWords: 'API Error: 429' })
  expect(notifications[1]).toMatchObject({
    title: 'Claude Code hit a rate limit in shop-api',
    context: { type: 'error' },
  })
})

test('somebody at the terminal is not told, until they have been away as long as the policy says', async () => {
  await using world = await turnWorld()
  const { report, notifications } = world
  expect(await report({ idleMs: 30_000 })).toEqual({ lookAgainMs: 90_000 })
  expect(notifications).toEqual([])
  await report({ idleMs: 2 * MINUTE })
  expect(notifications).toHaveLength(1)
})

test('an instruction is handed over once, and begun only when the next event shows it', async () => {
  await using world = await turnWorld()
  const { report, say, collect, list, notifications, session } = world
  await report({ door: 'queue' }, 'codex')
  const { id } = await say('run the tests')
  const one = await collect()
  expect(one.instruction).toMatchObject({ id, text: 'From Ann on the phone: run the tests' })
  expect(await collect()).toEqual({})
  expect(await list()).toEqual([['run the tests', 'handed_over']])
  await report({ event: 'taken', instructionId: id }, 'codex')
  expect(await list()).toEqual([['run the tests', 'taken']])
  // Short, but nobody has typed since.
  await report({ durationMs: 1_000 }, 'codex')
  expect(notifications).toHaveLength(2)
  const about = { subjectId: (await session()).id, kind: 'instruction.taken' } as const
  expect(await listAbout(world.db.read, about, 10)).toHaveLength(1)
})

test('what the agent did not begin with waits again', async () => {
  await using world = await turnWorld()
  const { report, say, collect, list } = world
  await report()
  const { id } = await say('go on')
  await collect()
  await report({ event: 'given_back', instructionId: id })
  expect(await list()).toEqual([['go on', 'waiting']])
  await collect()
  await report({ event: 'over' })
  expect(await list()).toEqual([['go on', 'waiting']])
  // The next start of the same session gets it.
  expect((await collect()).instruction?.id).toBe(id)
})

test('a hook that waits gets an instruction at once', async () => {
  await using world = await turnWorld()
  const { report, say, collect } = world
  await report()
  const waiting = collect({ timeoutMs: 50_000 })
  await settle()
  await say('now the docs')
  expect((await waiting).instruction?.text).toBe('From Ann on the phone: now the docs')
})

test('an agent at work gets nothing before its turn has ended', async () => {
  await using world = await turnWorld()
  const { report, say, collect } = world
  await report({ event: 'began' })
  await say('then the docs')
  expect(await collect()).toEqual({})
  await report()
  expect((await collect()).instruction).toBeDefined()
})

test('after seven in a row somebody has to type at the terminal', async () => {
  await using world = await turnWorld()
  const { report, say, collect } = world
  for (let at = 0; at < 7; at++) {
    await report()
    const { id } = await say(`step ${at}`)
    expect((await collect()).instruction).toBeDefined()
    await report({ event: 'taken', instructionId: id })
  }
  await report()
  await say('step 7')
  expect(await collect()).toEqual({})
  await report({ event: 'began', typed: true })
  await report()
  expect((await collect()).instruction).toBeDefined()
})

test('a client is held only where that is switched on, and only while nobody is there', async () => {
  await using world = await turnWorld()
  const { report, db, call } = world
  const waits = { waitsMs: 30 * MINUTE, blocks: true, door: 'hook' as const }
  expect(await report(waits)).toEqual({})
  await db.write((tx) => setMayHold(tx, { ...call().caller, client: 'claude' }, true))
  expect(await report(waits)).toEqual({ holdMs: 30 * MINUTE })
  expect(await report({ ...waits, outcome: 'busy' })).toEqual({})
  // What waits beside the client needs no switch.
  expect(await report({ ...waits, blocks: false }, 'opencode')).toEqual({ holdMs: 30 * MINUTE })
})

test('a second person is shown what waits, and one who is late cannot take it back', async () => {
  await using world = await turnWorld()
  const { report, say, collect, deps, person } = world
  await report()
  const { id } = await say('first')
  const bob = { ...person, id: 'per_bob', name: 'Bob' } as Person
  expect(say('second', { person: bob })).rejects.toThrow(/Ann told it.*“first”/s)
  await collect()
  expect(withdrawInstruction(deps, person, id)).rejects.toMatchObject({ code: 'too_late' })
  await say('second', { person: bob })
})

const REFUSED: Array<[what: string, text: string]> = [
  ['a command of the client', '/compact'],
  ['a shell command', '  !rm -rf /'],
  ['nothing', ' \n '],
  ['8,001 characters', 'x'.repeat(8_001)],
]
for (const [what, text] of REFUSED) {
  test(`${what} is refused, and the field is named`, async () => {
    await using world = await turnWorld()
    await world.report()
    const refusal = { code: 'invalid_input', fields: [{ field: 'text', must: expect.any(String) }] }
    expect(world.say(text)).rejects.toMatchObject(refusal)
  })
}

test('a confirmed command and hostile text are delivered as text', async () => {
  await using world = await turnWorld()
  const { report, say, collect } = world
  await report()
  await say('/compact', { confirmed: true })
  expect((await collect()).instruction?.text).toBe('From Ann on the phone: /compact')
  await say('a\u202Eb <b>\u{E0041}\nc')
  await report({ event: 'began', typed: true })
  await report()
  expect((await collect()).instruction?.text).not.toMatch(/[\u202E\u{E0041}]/u)
})

test('another token and another machine get nothing, and change nothing', async () => {
  await using world = await turnWorld()
  const { report, say, collect, call, turn } = world
  await report()
  await say('secret plan')
  const other = call({ tokenId: 'key_other' as never })
  expect(await collect({}, other)).toEqual({})
  expect(await collect({ machineId: 'm2' })).toEqual({})
  expect(await collect({ sessionIds: ['s2'] })).toEqual({})
  await report({ event: 'began' }, 'claude', other)
  expect((await turn())?.state).toBe('finished')
})

test('a turn whose beginning was not heard is a turn of its own, and its end is told once', async () => {
  await using world = await turnWorld()
  const { report, notifications, turn } = world
  await report({ turn: 'one' })
  await report({ turn: 'one' })
  expect(notifications).toHaveLength(1)
  await report({ turn: 'two', lastWords: 'Docs are written.' })
  await report({ turn: 'two', durationMs: 5 * MINUTE })
  expect(notifications.map(({ body }) => body?.split('\n')[0])).toEqual([
    'Tests are green.',
    'Docs are written.',
  ])
  expect(await turn()).toMatchObject({ turn: 'two', durationMs: 5 * MINUTE })
})

test('what is reported of a turn after its end does not say that it goes on', async () => {
  await using world = await turnWorld()
  const { report, turn } = world
  const state = async () => (await turn())?.state
  await report({ event: 'began', turn: 'one' })
  await report({ turn: 'one' })
  await report({ event: 'began', turn: 'one' })
  await report({ event: 'taken', turn: 'one' })
  expect(await state()).toBe('finished')
  await report({ event: 'began', turn: 'two' })
  expect(await state()).toBe('working')
})

test('somebody who typed the prompt of a turn of which only the end was heard has typed', async () => {
  await using world = await turnWorld()
  const { report, say, collect, turn } = world
  await report({ turn: 'one' })
  await say('go on')
  await collect()
  expect((await turn())?.inRow).toBe(1)
  await report({ turn: 'two', typed: true })
  expect((await turn())?.inRow).toBe(0)
})

test('a hook that may not wait is told that words wait, and leaves the telling to the other process', async () => {
  await using world = await turnWorld()
  const { report, say, notifications } = world
  const hook = { waitsMs: 30 * MINUTE, blocks: true, door: 'hook' as const }
  await report({ event: 'began', turn: 'one' })
  await say('then the docs')
  expect(await report({ ...hook, turn: 'one' })).toEqual({ waiting: true })
  expect(notifications).toEqual([])
  await report({ turn: 'one', waitsMs: 0, blocks: true })
  expect(notifications).toHaveLength(1)
})

test('test traffic tells nobody', async () => {
  await using world = await turnWorld()
  await world.report({}, 'claude', world.call({ test: true }))
  expect(world.notifications).toEqual([])
})
