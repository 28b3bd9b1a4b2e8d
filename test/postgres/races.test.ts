import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { WorkspaceId } from '../../src/ask/accounts/model/ids.ts'
import { listPairingCodes } from '../../src/ask/accounts/model/pairing-store.ts'
import { addUsage, correctUsage, readUsage } from '../../src/ask/accounts/model/usage-store.ts'
import { addPerson } from '../../src/ask/people/people.ts'
import { consumePermit, issuePermit } from '../../src/ask/permits/permits.ts'
import { endQuestion, type OnEnded } from '../../src/ask/questions/end-question.ts'
import {
  findQuestion,
  followQuestion,
  insertQuestion,
} from '../../src/ask/questions/model/store.ts'
import {
  deleteReceipts,
  findReceipt,
  insertReceipts,
  insertUnsigned,
  takeUnsigned,
  type Unsigned,
} from '../../src/ask/receipts/model/store.ts'
import { receipts } from '../../src/ask/receipts/model/table.ts'
import { recountTokens } from '../../src/ask/retention/recount-tokens.ts'
import { missHooks, sightHook } from '../../src/ask/scopes/model/hook-store.ts'
import { beginPairing, cancelPairing, pairDevice } from '../../src/ask/sign-in/pair-device.ts'
import { openSetUp, setUp } from '../../src/ask/sign-in/set-up.ts'
import { putConnectCode } from '../../src/ask/subscribers/model/connect-code-store.ts'
import { connectCodes } from '../../src/ask/subscribers/model/table.ts'
import { noteWait } from '../../src/ask/waiting/call-wait.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import type { OpenDb, Tx } from '../../src/platform/db/database.ts'
import { dropLease, takeLease } from '../../src/platform/db/lease-store.ts'
import { createLimits, RATES } from '../../src/platform/http/limits.ts'
import { aQuestion } from '../support/question.ts'
import { TEST_POSTGRES } from '../support/test-database.ts'
import { race, type TwoProcesses, twoProcesses } from './two-processes.ts'

// What one writer decides by itself on SQLite, two processes have to decide between them.
describe.skipIf(!TEST_POSTGRES)('two processes on one PostgreSQL', () => {
  let both: TwoProcesses
  beforeAll(async () => {
    both = await twoProcesses()
  })
  afterAll(() => both?.[Symbol.asyncDispose]())
  const won = (outcomes: readonly unknown[]) => outcomes.filter((one) => typeof one !== 'string')

  async function ask(id: string, more: Parameters<typeof aQuestion>[1] = {}) {
    const now = clock.now()
    const times = { createdAt: now, expiresAt: now + 600_000, waitEndsAt: now + 1_000 }
    const question = aQuestion(id, { ...times, ...more })
    await both.here.write((tx) => insertQuestion(tx, question))
    return question
  }

  test('a permit is used up once, and whoever comes late hears so', async () => {
    for (let n = 0; n < 10; n++) {
      const yes = { status: 'answered', value: 'yes', endedAt: clock.now() } as const
      const { id } = await ask(`permit${n}`, yes)
      const asker = { workspaceId: 'ws_1', tokenId: 'key_1' } as const
      const hash = 'a'.repeat(64)
      const issued = await race(both, 4, (db) => issuePermit({ db, clock }, asker, id, hash))
      const [permit] = won(issued) as Array<{ id: string }>
      expect(new Set(won(issued).map((one) => (one as { id: string }).id)).size).toBe(1)
      const used = await race(both, 6, (db) =>
        consumePermit({ db, clock }, asker, permit?.id ?? '', hash),
      )
      expect(won(used)).toHaveLength(1)
      expect(used.filter((one) => one === 'permit_used')).toHaveLength(5)
    }
  })

  test('a receipt that is signed while its question is deleted is deleted with it', async () => {
    const { id: questionId } = await ask('signed')
    const workspaceId = 'ws_1'
    const decision = {
      questionId,
      workspaceId,
      deliveryMode: 'push_first',
      waitMs: 1,
      decidedAt: 1,
    }
    await both.here.write((tx) => insertUnsigned(tx, decision as Unsigned))
    const taken = Promise.withResolvers<void>()
    const signing = both.here.write(async (tx) => {
      await takeUnsigned(tx, [questionId])
      taken.resolve()
      await insertReceipts(tx, [
        { questionId, workspaceId, payload: '{}', signature: 'c2ln', createdAt: 1 },
      ])
      await tx.select({ pause: sql`pg_sleep(0.3)` }).from(receipts)
    })
    await taken.promise
    await Promise.all([signing, both.there.write((tx) => deleteReceipts(tx, [questionId]))])
    expect(await findReceipt(both.here.read, questionId)).toBeUndefined()
  })

  test('what is noted of a question at once is all kept, whoever comes first', async () => {
    for (let n = 0; n < 10; n++) {
      const question = await ask(`noted${n}`)
      const until = clock.now() + 400_000
      await race(both, 3, async (db, i) => {
        if (i === 0) await noteWait(db, question, until)
        else if (i === 1) await db.write((tx) => followQuestion(tx, question, clock.now(), 0))
        else {
          const of = {
            workspaceId: 'ws_1',
            id: question.id,
            ending: { value: 'yes', detail: { forSession: true } },
          } as const
          await endQuestion({ db, clock, onEnded: [] }, 'answer', of)
        }
      })
      const { detail, status } = (await findQuestion(both.there.read, 'ws_1', question.id)) ?? {}
      expect({ status, session: detail?.forSession }).toEqual({ status: 'answered', session: true })
      expect(detail?.waitsUntil).toBeGreaterThan(0)
    }
  })

  test('a question has one end, whoever gives it', async () => {
    for (let n = 0; n < 10; n++) {
      const { id } = await ask(`end${n}`)
      const ended = await race(both, 8, async (db, i) => {
        const of = { workspaceId: 'ws_1', id, ending: { value: String(i) } } as const
        return (await endQuestion({ db, clock, onEnded: [] }, 'answer', of))?.value ?? 'lost'
      })
      const [first] = ended.filter((one) => one !== 'lost')
      expect(ended.filter((one) => one !== 'lost')).toHaveLength(1)
      expect((await findQuestion(both.here.read, 'ws_1', id))?.value).toBe(first)
    }
  })

  test('what is read for the end of a question is as it is then, and follows one end alone', async () => {
    const { id } = await ask('read-first')
    const follows: string[] = []
    const onEnded = [
      {
        async read(tx: Tx, of: { workspaceId: WorkspaceId; id: QuestionId }) {
          const seen = await findQuestion(tx, of.workspaceId, of.id)
          return async () => void follows.push(seen?.value ?? 'open')
        },
      },
    ] satisfies OnEnded[]
    const ended = await race(both, 8, async (db, i) => {
      const of = { workspaceId: 'ws_1', id, ending: { value: String(i) } } as const
      return (await endQuestion({ db, clock, onEnded }, 'answer', of))?.value ?? 'lost'
    })
    expect(follows).toEqual(ended.filter((one) => one !== 'lost'))
    expect(follows).toHaveLength(1)
  })

  test('of a hundred with one key one is stored', async () => {
    const stored = await race(both, 100, (db, n) =>
      db.write((tx) => insertQuestion(tx, { ...aQuestion(`same${n}`), key: 'the-key' })),
    )
    expect(stored.filter((one) => one === true)).toHaveLength(1)
    expect(stored.filter((one) => one === false)).toHaveLength(99)
  })

  test('of a silent hook one process tells', async () => {
    for (let n = 0; n < 10; n++) {
      const hook = { workspaceId: 'ws_1', sessionId: `s${n}`, machineId: 'm' } as const
      await both.here.write((tx) => sightHook(tx, { ...hook, client: 'c', at: 100, ended: false }))
      const results = await race(both, 6, (db) => db.write((tx) => missHooks(tx, hook, 500, 1_000)))
      expect(results.filter((one) => one === true)).toHaveLength(1)
    }
  })

  test('a lease has one holder', async () => {
    for (let n = 0; n < 20; n++) {
      const now = clock.now()
      const taken = await race(both, 6, (db, i) =>
        db.write((tx) => takeLease(tx, { name: 'job', holder: `p${i}`, now, until: now + 60_000 })),
      )
      expect(taken.filter((one) => one === true)).toHaveLength(1)
      await both.here.write((tx) => dropLease(tx, 'job', `p${taken.indexOf(true)}`))
    }
  })

  test('guesses at both processes count together', async () => {
    const limits = new Map<OpenDb, ReturnType<typeof createLimits>>()
    for (const db of [both.here, both.there]) limits.set(db, createLimits({ db, clock }))
    const tried = await race(both, 60, async (db) => {
      await limits.get(db)?.account.take('mara@example.org')
      return true
    })
    // One more may fit while they run.
    const passed = won(tried).length
    expect([RATES.account.burst, RATES.account.burst + 1]).toContain(passed)
    expect(tried.filter((one) => one === 'rate_limited')).toHaveLength(60 - passed)
  })

  test('a pairing that is cancelled while a phone uses it leaves no code alive', async () => {
    const { person } = await addPerson({ db: both.here, clock }, { email: 'ann@example.org' })
    for (let n = 0; n < 10; n++) {
      const { id, code } = await beginPairing({ db: both.here, clock }, person)
      await race(both, 2, async (db, i) => {
        if (i === 1) return await cancelPairing({ db, clock }, person, id)
        await pairDevice({ db, clock }, { code, userAgent: 'iPhone', signIn: async () => 's' })
      })
      const codes = await listPairingCodes(both.here.read, person.id, id)
      expect(codes.filter(({ cancelledAt }) => cancelledAt === null)).toEqual([])
    }
  })

  test('a person has one code to connect a chat with', async () => {
    for (let n = 0; n < 10; n++) {
      await race(both, 6, (db, i) => {
        const code = { hash: `h${n}-${i}`, workspaceId: 'ws_1', personId: 'ann' } as const
        const row = { ...code, transport: 'telegram', expiresAt: clock.now() + 60_000 }
        return db.write((tx) => putConnectCode(tx, row, clock.now()))
      })
      expect(await both.here.read.select().from(connectCodes)).toHaveLength(1)
    }
  })

  test('the hourly count undoes nothing that is counted meanwhile', async () => {
    const tokenId = 'key_busy' as const
    const of = { tokenId, workspaceId: 'ws_1' as const, bytes: 10, bytesAnHour: 1 }
    const open = async (db: OpenDb, n: number) => {
      const question = aQuestion(`busy${n}`, { tokenId, expiresAt: clock.now() + 600_000 })
      await db.write(async (tx) => {
        await insertQuestion(tx, question, 10)
        await addUsage(tx, { ...of, openQuestions: 1, at: clock.now() })
      })
    }
    await open(both.here, -1)
    await race(both, 60, async (db, n) => {
      if (n % 6 === 5) await recountTokens(db)
      else await open(db, n)
    })
    const before = (await readUsage(both.here.read, [tokenId])).get(tokenId)
    expect(before).toMatchObject({ openQuestions: 51, keptBytes: 510 })
    if (!before) throw new Error('the token has no usage')
    await both.here.write((tx) => correctUsage(tx, before, { openQuestions: 1, keptBytes: 1 }))
    expect(await recountTokens(both.there)).toBeGreaterThan(0)
    expect((await readUsage(both.here.read, [tokenId])).get(tokenId)).toEqual(before)
  })
})

describe.skipIf(!TEST_POSTGRES)('an empty PostgreSQL', () => {
  test('gives each process a set-up link, of which one makes the owner', async () => {
    await using both = await twoProcesses()
    const codes = await race(both, 4, (db) => openSetUp({ db, clock }, { others: true }))
    const links = codes.map(String)
    const results = await race(both, 4, async (db, n) => {
      const form = { code: links[n] ?? '', name: `P${n}`, email: `p${n}@example.org` }
      return { id: await setUp({ db, clock }, { ...form, password: undefined }) }
    })
    expect(results.filter((one) => typeof one !== 'string')).toHaveLength(1)
    expect(results.filter((one) => one === 'gone')).toHaveLength(3)
  })
})
