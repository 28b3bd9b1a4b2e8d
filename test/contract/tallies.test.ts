import { expect, test } from 'bun:test'
import { homeWorkspace } from '../../src/ask/accounts/model/workspace-store.ts'
import { tallyQuestions } from '../../src/ask/asking/tally-questions.ts'
import { readEndedDays } from '../../src/ask/inbox/read-ended-days.ts'
import { deleteQuestions } from '../../src/ask/questions/model/purge-store.ts'
import type { Question } from '../../src/ask/questions/model/question.ts'
import { insertQuestion } from '../../src/ask/questions/model/store.ts'
import { QUARTER_MS, timeWithin } from '../../src/ask/questions/model/tally.ts'
import * as store from '../../src/ask/questions/model/tally-store.ts'
import { takeLease } from '../../src/platform/db/lease-store.ts'
import { newId } from '../../src/platform/ids.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { aQuestion } from '../support/question.ts'
import { onBothDatabases } from './both-databases.ts'

const WS = 'ws_1'
const NOW = Date.UTC(2026, 0, 31, 12)
const BY_ANN = { status: 'answered', answeredBy: 'ann', answerSource: 'inbox' } as const

onBothDatabases('the counts of how questions ended', (db) => {
  async function end(endedAt: number, changes: Partial<Question> = {}, tookMs = 10_000) {
    const createdAt = endedAt - tookMs
    const question = aQuestion('x', { createdAt, endedAt, ...BY_ANN, ...changes })
    const id = newId('q', createdAt)
    await db().write((tx) => insertQuestion(tx, { ...question, id }))
    return id
  }
  const tally = async (now = NOW, holder = 'one') => {
    await db().write((tx) => homeWorkspace(tx, WS, 0))
    const clock = fakeClock(now)
    await tallyQuestions({ db: db(), clock, holder })
  }
  const counts = (repoKey?: string) => store.listTallies(db().read, { workspaceId: WS, repoKey }, 0)

  test('are by quarter of an hour and repository, and say who decided', async () => {
    const at = NOW - 10 * QUARTER_MS
    await end(at, { repoKey: 'shop' })
    await end(at + 1, { repoKey: 'shop' }, 120_000)
    await end(at + 2, { status: 'stopped' })
    const rule = { answeredBy: undefined, answerSource: undefined, answeredAs: 'the rule for x' }
    await end(at + 3, rule, 0)
    await end(at + 3, { answerSource: undefined }, 300_000)
    const button = { kind: 'device', id: 'sub_1', label: 'Firefox' } as const
    await end(at + 3, { answerSource: undefined, answeredOn: button })
    await end(at + 4, { status: 'expired', answeredBy: undefined })
    await end(at + 5, { status: 'cancelled' })
    await end(at + QUARTER_MS, { repoKey: 'shop' })
    // These asked nobody, or not yet.
    await end(at, { test: true })
    await end(at, { held: 'unattributed', status: 'expired' })
    await end(at, { status: 'terminal' })
    await end(at, { workspaceId: 'ws_2' })
    await tally()
    const [first, second] = await counts()
    const kinds = { byPerson: 4, byRule: 2, unanswered: 1, withdrawn: 1 }
    expect(first).toMatchObject({ at, repoKey: '', ...kinds })
    expect(second).toMatchObject({ at: at + QUARTER_MS, byPerson: 1, byRule: 0 })
    expect((await counts('shop')).map(({ byPerson }) => byPerson)).toEqual([2, 1])
    expect(timeWithin(first?.times ?? {}, 0.5)).toBeCloseTo(10_000, -3)
    expect(timeWithin(first?.times ?? {}, 0.9)).toBeGreaterThan(114_000)
    expect(timeWithin({}, 0.5)).toBeUndefined()
  })

  test('wait for the quarter to be over, are made once, and outlive the questions', async () => {
    const at = NOW - QUARTER_MS
    const id = await end(at)
    await end(NOW)
    await tally(NOW + 60_000)
    expect(await counts()).toEqual([])
    await tally(NOW + 120_000)
    await tally(NOW + 120_000)
    expect((await counts()).map(({ byPerson }) => byPerson)).toEqual([1])
    expect(await store.findTallied(db().read, WS)).toBe(NOW)
    await db().write((tx) => deleteQuestions(tx, [id]))
    await tally(NOW + QUARTER_MS + 120_000)
    expect((await counts()).map((row) => [row.at, row.byPerson])).toEqual([
      [at, 1],
      [NOW, 1],
    ])
    const [, last] = await counts()
    if (!last) throw new Error('nothing was counted')
    await db().write((tx) => store.putTallies(tx, WS, [{ ...last, byRule: 7 }], NOW + 1))
    await db().write((tx) => store.purgeTallies(tx, WS, NOW))
    expect(await counts()).toEqual([{ ...last, byRule: 7 }])
  })

  test('are made by one process of several', async () => {
    await end(NOW - QUARTER_MS)
    const lease = { name: 'tally', holder: 'other', now: NOW, until: NOW + 300_000 }
    await db().write((tx) => takeLease(tx, lease))
    await tally(NOW + 120_000)
    expect(await counts()).toEqual([])
    await tally(NOW + 120_000, 'other')
    expect((await counts()).length).toBe(1)
  })

  test('are read by the days of a zone, and with what ended since', async () => {
    // 23:30 of the day before in New York, the same day in Berlin and Kathmandu.
    const late = Date.UTC(2026, 0, 30, 4, 30)
    await end(late)
    await tally()
    await end(NOW - 1, { repoKey: 'shop' }, 60_000)
    const clock = fakeClock(NOW)
    const read = async (zone: string, repoKey?: string) => {
      const of = { viewer: { workspaceId: WS }, repoKey } as const
      const { days, total } = await readEndedDays({ db: db(), clock }, of, zone)
      expect(days.length).toBe(30)
      const busy = days.filter(({ byPerson }) => byPerson > 0).map(({ day }) => day)
      return [...busy, total.byPerson]
    }
    expect(await read('America/New_York')).toEqual(['2026-01-29', '2026-01-31', 2])
    expect(await read('Asia/Kathmandu')).toEqual(['2026-01-30', '2026-01-31', 2])
    expect(await read('Europe/Berlin', 'shop')).toEqual(['2026-01-31', 1])
    expect(await read('Europe/Berlin', 'none')).toEqual([0])
  })

  test('are added up again when more is counted, and each day once', async () => {
    const clock = fakeClock(NOW)
    const read = async () => {
      const of = { viewer: { workspaceId: WS } } as const
      const { days, total } = await readEndedDays({ db: db(), clock }, of, 'Asia/Kathmandu')
      expect(days.reduce((sum, { byPerson }) => sum + byPerson, 0)).toBe(total.byPerson)
      return total.byPerson
    }
    await end(NOW - 3 * 24 * 60 * 60_000)
    await tally()
    expect([await read(), await read()]).toEqual([1, 1])
    await end(NOW - 1)
    await end(NOW)
    expect([await read(), await read()]).toEqual([3, 3])
    await clock.advance(QUARTER_MS + 120_000)
    await tally(clock.now())
    await end(clock.now())
    expect([await read(), await read()]).toEqual([4, 4])
    await clock.advance(40 * 24 * 60 * 60_000)
    expect(await read()).toBe(0)
  })

  test('list what ended page by page, also at the same instant', async () => {
    const ids = [await end(100), await end(100), await end(200)].toSorted()
    const page = { before: 201, limit: 2 }
    const first = await store.listEndedAfter(db().read, { workspaceId: WS }, { at: 100 }, page)
    const last = first.at(-1)
    const rest = await store.listEndedAfter(
      db().read,
      { workspaceId: WS },
      { at: 100, id: last?.id },
      page,
    )
    expect([...first, ...rest].map(({ id }) => id as string).toSorted()).toEqual(ids)
    expect(await store.listEndedAfter(db().read, { workspaceId: WS }, { at: 201 }, page)).toEqual(
      [],
    )
  })
})
