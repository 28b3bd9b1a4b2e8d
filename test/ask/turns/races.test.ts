import { expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { withdrawInstruction } from '../../../src/ask/turns/instruct.ts'
import { INSTRUCTION_MAX } from '../../../src/ask/wire/turn-fields.ts'
import { settle } from '../../support/fake-clock.ts'
import { turnWorld } from '../../support/turn-world.ts'

const MINUTE = 60_000

test('of two hooks that ask at once one gets it, and it counts once', async () => {
  await using world = await turnWorld()
  const { report, say, collect, turn } = world
  await report()
  await say('run the tests')
  const both = await Promise.all([collect(), collect(), collect()])
  expect(both.filter(({ instruction }) => instruction)).toHaveLength(1)
  expect((await turn())?.inRow).toBe(1)
})

test('what was given back does not count', async () => {
  await using world = await turnWorld()
  const { report, say, collect, turn } = world
  await report()
  const { id } = await say('run the tests')
  await collect()
  await report({ event: 'given_back', instructionId: id })
  await report({ event: 'given_back', instructionId: id })
  expect((await turn())?.inRow).toBe(0)
})

test('what no event shows is not repeated without end', async () => {
  await using world = await turnWorld()
  const { report, say, collect } = world
  await report({ door: 'plugin' }, 'opencode')
  await say('now the docs')
  let times = 0
  while (times < 20 && (await collect()).instruction) {
    times++
    await report({ event: 'began' }, 'opencode')
    await report({ door: 'plugin' }, 'opencode')
  }
  expect(times).toBe(7)
})

test('of two phones at once one is delivered, and the other is shown what waits', async () => {
  await using world = await turnWorld()
  const { report, say, collect, list, person } = world
  await report()
  const bob = { ...person, id: 'per_bob', name: 'Bob' } as Person
  const both = await Promise.allSettled([say('mine'), say('yours', { person: bob })])
  const [lost] = both.filter(({ status }) => status === 'rejected')
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(lost).toMatchObject({ reason: { code: 'conflict' } })
  const { instruction } = await collect()
  const [[text, state] = []] = await list()
  expect(instruction?.text).toEndWith(`on the phone: ${text}`)
  expect([state, (await list()).length]).toEqual(['handed_over', 1])
  expect(await collect()).toEqual({})
})

test('the same tap twice is delivered once', async () => {
  await using world = await turnWorld()
  const { report, say, list } = world
  await report()
  await Promise.allSettled([say('Continue'), say('Continue')])
  expect(await list()).toEqual([['Continue', 'waiting']])
})

test('a key at the same time as the phone: the words wait or are delivered, and the state says which', async () => {
  await using world = await turnWorld()
  const { report, say, collect, list } = world
  for (let round = 0; round < 5; round++) {
    await report()
    const waiting = collect({ timeoutMs: 20_000 })
    await settle()
    const typed = () => report({ event: 'began', typed: true })
    const send = () => say(`round ${round}`)
    await Promise.all(round % 2 ? [typed(), send()] : [send(), typed()])
    await world.clock.advance(20_000)
    const now = await waiting
    expect((await list())[0]?.[1]).toBe(now.instruction ? 'handed_over' : 'waiting')
    await report()
    const later = await collect()
    const first = now.instruction ?? later.instruction
    expect(first?.text).toBe(`From Ann on the phone: round ${round}`)
    await report({ event: 'taken', instructionId: first?.id ?? '' })
    await report({ event: 'began', typed: true })
  }
})

test('words on their way to a hook that lets go wait again', async () => {
  await using world = await turnWorld()
  const { report, say, collect, list, turn } = world
  await report({ waitsMs: MINUTE, blocks: false, door: 'hook' })
  await say('now the docs')
  await collect()
  await report({ event: 'let_go', why: 'typed', door: 'none' })
  expect(await list()).toEqual([['now the docs', 'waiting']])
  expect(await turn()).toMatchObject({ letGo: 'typed' })
})

test('a hook that hung up gets nothing', async () => {
  await using world = await turnWorld()
  const { report, say, collect, call, list } = world
  await report()
  const hangUp = new AbortController()
  const waiting = collect({ timeoutMs: 50_000 }, call({ signal: hangUp.signal }))
  await settle()
  hangUp.abort()
  await say('now the docs')
  expect(await waiting).toEqual({})
  expect(await list()).toEqual([['now the docs', 'waiting']])
})

test('words one second before the limit are delivered; one second after it they wait', async () => {
  await using world = await turnWorld()
  const { report, say, collect, list, clock } = world
  await report()
  const early = collect({ timeoutMs: 45_000 })
  await settle()
  await clock.advance(44_000)
  const { id } = await say('in time')
  expect((await early).instruction?.id).toBe(id)
  await report({ event: 'taken', instructionId: id })
  await report()
  const late = collect({ timeoutMs: 45_000 })
  await settle()
  await clock.advance(45_000)
  expect(await late).toEqual({})
  await say('too late')
  expect((await list())[0]).toEqual(['too late', 'waiting'])
})

test('a session gets nothing that is for another one, of its folder or of another', async () => {
  await using world = await turnWorld()
  const { report, say, collect, deps, person, session } = world
  await report({ repoKey: 'github.com/acme/shop' })
  const { id } = await say('for the shop')
  for (const other of ['s2', 's3']) {
    const repoKey = `github.com/acme/${other === 's2' ? 'shop' : 'site'}`
    await report({ sessionId: other, repoKey })
    expect(await collect({ sessionIds: [other] })).toEqual({})
    // A report of another session about it changes nothing.
    await report({ sessionId: other, event: 'taken', instructionId: id })
  }
  const elsewhere = { ...person, workspaceId: 'ws_other' as never }
  expect(say('from outside', { person: elsewhere })).rejects.toMatchObject({ code: 'not_found' })
  expect(withdrawInstruction(deps, elsewhere, id)).rejects.toMatchObject({ code: 'not_found' })
  expect((await session()).sessionId).toBeDefined()
  expect((await collect()).instruction?.id).toBe(id)
})

test('the longest text arrives whole, with its lines', async () => {
  await using world = await turnWorld()
  const { report, say, collect } = world
  await report()
  const text = `first\nsecond <b>&amp;</b>\n${'x'.repeat(INSTRUCTION_MAX)}`.slice(
    0,
    INSTRUCTION_MAX,
  )
  await say(text)
  expect((await collect()).instruction?.text).toBe(`From Ann on the phone: ${text}`)
})

test('the message says when nobody knows who is at the terminal', async () => {
  await using world = await turnWorld()
  const { report, notifications, clock } = world
  expect(await report({ idleMs: undefined })).toEqual({ lookAgainMs: 2 * MINUTE })
  await clock.advance(2 * MINUTE)
  await report({ idleMs: undefined })
  expect(notifications[0]?.body).toEndWith('Somebody may be at its terminal: that cannot be seen.')
})
