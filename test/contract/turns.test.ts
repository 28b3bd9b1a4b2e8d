import { expect, test } from 'bun:test'
import { dropQuickReplies, withdrawOf } from '../../src/ask/turns/model/gone-store.ts'
import type { SessionInstruction } from '../../src/ask/turns/model/instruction.ts'
import * as instructions from '../../src/ask/turns/model/instruction-store.ts'
import { IN_ROW_MAX } from '../../src/ask/turns/model/turn.ts'
import * as turns from '../../src/ask/turns/model/turn-store.ts'
import { onBothDatabases } from './both-databases.ts'

const SIGHTING: turns.TurnSighting = {
  id: 'ses_1',
  workspaceId: 'ws_1',
  machineId: 'machine_1',
  sessionId: 'one',
  tokenId: 'key_1',
  client: 'claude-code',
  state: 'working',
  seenAt: 1_000,
  isNew: true,
  typed: true,
}
const END = {
  ...SIGHTING,
  state: 'finished',
  seenAt: 2_000,
  typed: false,
  lastWords: 'Done.',
  durationMs: 900,
  filesChanged: 0,
  door: 'hook',
} as const satisfies turns.TurnSighting

const INSTRUCTION: SessionInstruction = {
  id: 'ins_1',
  workspaceId: 'ws_1',
  session: 'ses_1',
  personId: 'ann',
  personName: 'Ann',
  text: 'Run the tests',
  via: undefined,
  state: 'waiting',
  createdAt: 1_000,
  handedOverAt: undefined,
  takenAt: undefined,
  endedAt: undefined,
}

onBothDatabases('turns', (db) => {
  const sight = (sighting: turns.TurnSighting, fresh = 0) =>
    db().write((tx) => turns.sightTurn(tx, sighting, fresh))
  const turn = () => turns.findTurn(db().read, 'ws_1', 'ses_1')
  const insert = (...list: Partial<SessionInstruction>[]) =>
    db().write(async (tx) => {
      for (const one of list) await instructions.insertInstruction(tx, { ...INSTRUCTION, ...one })
    })
  const states = async (session: SessionInstruction['session'] = 'ses_1') => {
    const list = await instructions.listInstructions(
      db().read,
      { workspaceId: 'ws_1' },
      session,
      99,
    )
    return Object.fromEntries(list.map(({ id, state }) => [id, state]))
  }

  test('only the token of a turn reports it, until the report is old', async () => {
    expect(await sight(SIGHTING)).toBe(true)
    const other = { ...SIGHTING, tokenId: 'key_2', seenAt: 1_500 } as const
    expect(await sight(other, 1_000)).toBe(false)
    expect(await turn()).toMatchObject({ tokenId: 'key_1', seenAt: 1_000 })
    expect(await sight({ ...SIGHTING, seenAt: 1_200 }, 1_000)).toBe(true)
    expect(await sight(other, 1_201)).toBe(true)
    expect(await turn()).toMatchObject({ tokenId: 'key_2', seenAt: 1_500 })
  })

  test('a new state drops what the earlier one had; the same state keeps it', async () => {
    await sight(END)
    const { isNew, typed, ...facts } = END
    const ended = { ...facts, turn: undefined, since: 2_000, inRow: 0 }
    const none = { toldAt: undefined, heldUntil: undefined, letGo: undefined }
    expect(await turn()).toStrictEqual({ ...ended, ...none })
    await db().write((tx) => turns.noteTold(tx, { id: 'ses_1', since: 2_000 }, 2_100))
    await db().write((tx) => turns.setHold(tx, 'ses_1', { heldUntil: 9_000 }))
    const bare = { ...SIGHTING, state: 'finished', typed: false, seenAt: 3_000 } as const
    await sight({ ...bare, isNew: false, filesChanged: 4 })
    const same = { ...ended, filesChanged: 4, toldAt: 2_100, heldUntil: 9_000 }
    expect(await turn()).toEqual({ ...same, letGo: undefined, seenAt: 3_000 })
    await sight({ ...END, turn: 'two', seenAt: 3_500 })
    expect(await turn()).toMatchObject({ turn: 'two', toldAt: undefined, since: 3_500 })
    await sight({ ...bare, state: 'working', seenAt: 4_000 })
    const dropped = {
      turn: 'two',
      lastWords: undefined,
      durationMs: undefined,
      filesChanged: undefined,
    }
    const anew = { state: 'working', since: 4_000, seenAt: 4_000, door: 'hook' } as const
    expect(await turn()).toStrictEqual({ ...ended, ...none, ...dropped, ...anew })
  })

  test('another workspace, machine or token does not see a turn', async () => {
    await sight(SIGHTING)
    expect(await turns.findTurn(db().read, 'ws_2', 'ses_1')).toBeUndefined()
    expect((await turns.turnsBySession(db().read, 'ws_2', 0, 9)).size).toBe(0)
    const own = { workspaceId: 'ws_1', machineId: 'machine_1', tokenId: 'key_1' } as const
    const ids = async (of: Parameters<typeof turns.listOwnTurns>[1], sessions = ['one', 'two']) =>
      (await turns.listOwnTurns(db().read, of, sessions)).map(({ id }) => id)
    expect(await ids(own)).toEqual(['ses_1'])
    expect(await ids(own, ['two'])).toEqual([])
    expect(await ids(own, [])).toEqual([])
    expect(await ids({ ...own, workspaceId: 'ws_2' })).toEqual([])
    expect(await ids({ ...own, machineId: 'machine_2' })).toEqual([])
    expect(await ids({ ...own, tokenId: 'key_2' })).toEqual([])
  })

  test('turns are listed from the one seen last, and purged in portions', async () => {
    await sight(SIGHTING)
    await sight({ ...SIGHTING, id: 'ses_2', sessionId: 'two', seenAt: 3_000 })
    await sight({ ...SIGHTING, id: 'ses_3', sessionId: 'three', seenAt: 2_000 })
    const list = async (since: number, limit: number) => [
      ...(await turns.turnsBySession(db().read, 'ws_1', since, limit)).keys(),
    ]
    expect(await list(0, 9)).toEqual(['ses_2', 'ses_3', 'ses_1'])
    expect(await list(2_000, 9)).toEqual(['ses_2', 'ses_3'])
    expect(await list(0, 1)).toEqual(['ses_2'])
    const purge = () => db().write((tx) => turns.purgeTurns(tx, 3_000, 1))
    expect([await purge(), await purge(), await purge()]).toEqual([1, 1, 0])
    expect(await list(0, 9)).toEqual(['ses_2'])
  })

  test('people are told once of each end', async () => {
    await sight(END)
    const tell = (since: number) =>
      db().write((tx) => turns.noteTold(tx, { id: 'ses_1', since }, 2_100))
    expect(await tell(1_000)).toBe(false)
    expect((await Promise.all([tell(2_000), tell(2_000)])).sort()).toEqual([false, true])
    await sight({ ...END, seenAt: 5_000 })
    expect(await tell(2_000)).toBe(false)
    expect(await tell(5_000)).toBe(true)
  })

  test('a hold clears why the last one ended', async () => {
    await sight(END)
    const hold = (change: Parameters<typeof turns.setHold>[2]) =>
      db().write((tx) => turns.setHold(tx, 'ses_1', change))
    await hold({ heldUntil: 9_000 })
    await hold({ letGo: 'expired' })
    expect(await turn()).toMatchObject({ heldUntil: 9_000, letGo: 'expired' })
    await hold({ heldUntil: 10_000 })
    expect(await turn()).toMatchObject({ heldUntil: 10_000, letGo: undefined })
  })

  test('instructions in a row are counted up to the most, until somebody types', async () => {
    await sight(END)
    const count = () => db().write((tx) => turns.countInRow(tx, 'ses_1'))
    const counted = await Promise.all(Array.from({ length: IN_ROW_MAX + 2 }, count))
    expect(counted.filter(Boolean)).toHaveLength(IN_ROW_MAX)
    await sight({ ...END, seenAt: 3_000 })
    expect(await turn()).toMatchObject({ inRow: IN_ROW_MAX })
    expect(await count()).toBe(false)
    await sight({ ...SIGHTING, seenAt: 4_000 })
    expect(await count()).toBe(true)
    expect(await turn()).toMatchObject({ inRow: 1 })
    const uncount = () => db().write((tx) => turns.uncountInRow(tx, 'ses_1'))
    await uncount()
    await uncount()
    expect(await turn()).toMatchObject({ inRow: 0 })
  })

  test('a workspace says for each client whether hooks may hold it', async () => {
    const of = { workspaceId: 'ws_1', client: 'codex' } as const
    const set = (on: boolean) => db().write((tx) => turns.setMayHold(tx, of, on))
    expect(await turns.mayHold(db().read, 'ws_1', 'codex')).toBe(false)
    expect(await set(false)).toBe(false)
    expect((await Promise.all([set(true), set(true)])).sort()).toEqual([false, true])
    expect(await turns.mayHold(db().read, 'ws_1', 'codex')).toBe(true)
    expect(await turns.mayHold(db().read, 'ws_1', 'claude-code')).toBe(false)
    expect(await turns.mayHold(db().read, 'ws_2', 'codex')).toBe(false)
    expect((await Promise.all([set(false), set(false)])).sort()).toEqual([false, true])
    expect(await turns.mayHold(db().read, 'ws_1', 'codex')).toBe(false)
    expect(await set(true)).toBe(true)
    expect(await turns.mayHold(db().read, 'ws_1', 'codex')).toBe(true)
  })

  test('quick replies are those of a person, and go with them', async () => {
    const find = (person: string) => turns.findQuickReplies(db().read, person)
    const set = (person: string, texts: string[]) =>
      db().write((tx) => turns.setQuickReplies(tx, person, texts))
    expect(await find('ann')).toBeUndefined()
    await set('ann', ['Go on'])
    await set('ann', ['"Stop"', 'Ünd weiter'])
    await set('ben', [])
    expect(await find('ann')).toEqual(['"Stop"', 'Ünd weiter'])
    await db().write((tx) => dropQuickReplies(tx, 'ann'))
    expect(await find('ann')).toBeUndefined()
    expect(await find('ben')).toEqual([])
  })

  test('instructions are listed in order, and only in their workspace', async () => {
    await insert({ id: 'ins_2' }, { id: 'ins_1' }, { id: 'ins_3', session: 'ses_2' })
    await insert({ id: 'ins_4', state: 'taken' })
    const list = async (workspaceId: 'ws_1' | 'ws_2', limit: number) =>
      (await instructions.listInstructions(db().read, { workspaceId }, 'ses_1', limit)).map(
        ({ id }) => id,
      )
    expect(await list('ws_1', 9)).toEqual(['ins_4', 'ins_2', 'ins_1'])
    expect(await list('ws_1', 1)).toEqual(['ins_4'])
    expect(await list('ws_2', 9)).toEqual([])
    const find = (workspaceId: 'ws_1' | 'ws_2') =>
      instructions.findInstruction(db().read, workspaceId, 'ins_1')
    expect(await find('ws_1')).toStrictEqual(INSTRUCTION)
    expect(await find('ws_2')).toBeUndefined()
    const waiting = async (...sessions: SessionInstruction['session'][]) =>
      (await instructions.listWaiting(db().read, sessions)).map(({ id }) => id)
    expect(await waiting('ses_1', 'ses_2')).toEqual(['ins_1', 'ins_2', 'ins_3'])
    expect(await waiting('ses_2')).toEqual(['ins_3'])
    expect(await waiting()).toEqual([])
  })

  test('one of two moves at once wins, and a move needs the state before it', async () => {
    await insert({})
    const move = (name: Parameters<typeof instructions.moveInstruction>[2], now: number) =>
      db().write((tx) => instructions.moveInstruction(tx, INSTRUCTION, name, now))
    const find = () => instructions.findInstruction(db().read, 'ws_1', 'ins_1')
    const lost = async (before?: number) =>
      (await instructions.listHandedOver(db().read, ['ses_1'], before)).map(({ id }) => id)
    expect(await move('take', 1_500)).toBe(false)
    const elsewhere = { id: 'ins_1', session: 'ses_2' } as const
    const stolen = db().write((tx) => instructions.moveInstruction(tx, elsewhere, 'withdraw', 1))
    expect(await stolen).toBe(false)
    const both = await Promise.all([move('hand_over', 2_000), move('hand_over', 2_000)])
    expect(both.sort()).toEqual([false, true])
    expect(await find()).toMatchObject({ state: 'handed_over', handedOverAt: 2_000 })
    expect(await lost(2_000)).toEqual([])
    expect(await lost(2_001)).toEqual(['ins_1'])
    expect(await lost()).toEqual(['ins_1'])
    await insert({ id: 'ins_3', state: 'handed_over' }, { id: 'ins_0', state: 'handed_over' })
    expect(await lost()).toEqual(['ins_0', 'ins_1', 'ins_3'])
    expect(await instructions.listHandedOver(db().read, [], 2_001)).toEqual([])
    expect(await move('give_back', 3_000)).toBe(true)
    expect(await find()).toStrictEqual(INSTRUCTION)
    const [over, gone] = await Promise.all([move('hand_over', 4_000), move('withdraw', 4_000)])
    expect(over).toBe(!gone)
    expect((await find())?.state).toBe(over ? 'handed_over' : 'withdrawn')
  })

  test('what a person has waiting is withdrawn in their workspace', async () => {
    await insert({}, { id: 'ins_2', personId: 'ben' }, { id: 'ins_3', state: 'handed_over' })
    await insert({ id: 'ins_4', workspaceId: 'ws_2' })
    await db().write((tx) => withdrawOf(tx, { workspaceId: 'ws_1', personId: 'ann' }, 7_000))
    expect(await states()).toEqual({ ins_1: 'withdrawn', ins_2: 'waiting', ins_3: 'handed_over' })
    const find = (workspaceId: 'ws_1' | 'ws_2', id: SessionInstruction['id']) =>
      instructions.findInstruction(db().read, workspaceId, id)
    expect(await find('ws_1', 'ins_1')).toMatchObject({ endedAt: 7_000 })
    expect(await find('ws_2', 'ins_4')).toMatchObject({ state: 'waiting' })
  })

  test('old instructions are purged in portions', async () => {
    await insert({}, { id: 'ins_2', createdAt: 1_500 }, { id: 'ins_3', createdAt: 2_000 })
    const purge = () => db().write((tx) => instructions.purgeInstructions(tx, 2_000, 1))
    expect([await purge(), await purge(), await purge()]).toEqual([1, 1, 0])
    expect(Object.keys(await states())).toEqual(['ins_3'])
  })
})
