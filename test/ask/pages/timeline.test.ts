import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { auditRecord, auditStamp } from '../../../src/ask/audit/model/audit.ts'
import { recordAudit } from '../../../src/ask/audit/model/store.ts'
import { callbackOf } from '../../../src/ask/callbacks/model/callback.ts'
import { insertCallback } from '../../../src/ask/callbacks/model/store.ts'
import { insertDeliveries } from '../../../src/ask/delivery/model/store.ts'
import { measuredTime } from '../../../src/ask/pages/times.ts'
import { insertWidening } from '../../../src/ask/scopes/model/store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { unsent } from '../../../src/platform/db/outbox-store.ts'
import { newId } from '../../../src/platform/ids.ts'
import { aDevice, connect } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { aQuestion } from '../../support/question.ts'

const MINUTE = 60_000
const S1 = { machineId: 'm1', sessionId: 's1' }

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** What the page says about one event, without tags. */
async function readEvent(path: string, id: string): Promise<string> {
  const page = await (await world.get(path)).text()
  const event = page.split(`id="event-${id}"`)[1]?.split(/<li class="event[ "]/)[0] ?? ''
  return event
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\d\d:\d\d(?: UTC)?/g, 'TIME')
}

/** The question goes to six devices: two accept it, one of them shows it and is tapped. */
async function deliver(subjectId: QuestionId, at: number) {
  const { db, workspaceId } = world
  const devices = await connect(
    db,
    ...Array.from({ length: 6 }, (_, i) =>
      aDevice({ workspaceId, label: `D${i}`, transport: i === 1 ? 'ntfy' : 'webpush' }),
    ),
  )
  const message = { kind: 'question', title: 't', body: 'b', tag: subjectId, url: '/' } as const
  const rows = devices.map(({ id: subscriberId, kind }, i) => ({
    ...unsent(at, at + MINUTE),
    ...{ id: newId('dl', at), workspaceId, subjectId, subscriberId, kind, messageRef: null },
    message: { ...message, urgency: 'high' as const },
    state: i < 2 ? ('accepted' as const) : ('refused' as const),
    endedAt: at + 400,
    shownAt: i === 0 ? at + 2_000 : null,
    openedAt: i === 0 ? at + 20_000 : null,
    seal: null,
  }))
  const outcome = { ...message, kind: 'outcome' as const, urgency: 'normal' as const }
  const after = rows.slice(0, 2).map((row) => ({
    ...row,
    ...{ id: newId('dl', at + 30_000), message: outcome, createdAt: at + 30_000, shownAt: null },
  }))
  await db.write((tx) => insertDeliveries(tx, [...rows, ...after]))
}

test('the timeline of a session says of a question how it went, step by step, with how long each took', async () => {
  const { db, workspaceId } = world
  const session = await world.work()
  const mara = await findPersonByEmail(db.read, 'mara@example.org')
  const now = Date.now()
  const ended = {
    status: 'answered',
    value: 'yes',
    note: 'go',
    endedAt: now - 9 * MINUTE,
    answerSource: 'decide_page',
    answeredBy: mara?.id,
  } as const
  const question = { ...S1, question: 'Ship it?', detail: { toolName: 'Bash', toolTarget: 'ship' } }
  const callbackUrl = 'https://ci.example/hook'
  const id = await world.ask({ ...question, ...ended, callbackUrl, waitEndsAt: now }, 10 * MINUTE)
  await deliver(id, now - 10 * MINUTE)
  const answered = aQuestion('x', { ...ended, id, workspaceId, callbackUrl })
  const callback = callbackOf(answered, callbackUrl, newId('cb', now), now - 9 * MINUTE)
  const delivered = { ...callback, state: 'delivered' as const, endedAt: now - 8.5 * MINUTE }
  await db.write((tx) => insertCallback(tx, delivered))
  const words = await readEvent(`/live/${session}`, id)
  const steps = [
    'Asked at TIME Ship it?',
    'Sent to 2 of 6 devices by ntfy (1), Web Push (1) at TIME , after 0.4 seconds',
    'Shown on 1 device at TIME , after 2 seconds',
    'Opened on 1 device at TIME , after 20 seconds',
    "Approved by Mara Lindqvist from the question's page at TIME , after 1 minute",
    'With the note “ go ”',
    'Returned to the agent at once',
    'Callback delivered at TIME , after 1 minute 30 seconds',
  ]
  const places = steps.map((step) => words.indexOf(step))
  expect([words, places]).toEqual([
    words,
    places.filter((place) => place >= 0).toSorted((a, b) => a - b),
  ])
})

test('the timeline of a session says what a rule decided, what stayed unsent, and what came back late', async () => {
  const key = { machineId: 'm1', sessionId: 'other' }
  const session = await world.work(key)
  const yes = { ...key, status: 'answered', value: 'yes', endedAt: Date.now() } as const
  const byRule = { id: 'rule_1', words: 'Bash on npm test*' }
  const ruled = await world.ask({ ...yes, answeredAs: 'the rule', detail: { byRule } })
  const paused = await world.ask({ ...key, detail: { paused: true } }, 20 * MINUTE)
  const late = await world.ask({ ...yes, detail: { collectedAt: Date.now() } }, 5 * MINUTE)
  const lost = await world.ask(yes, 5 * MINUTE)
  const page = `/live/${session}`
  expect(await readEvent(page, ruled)).toContain('by the rule for Bash on npm test*')
  expect(await readEvent(page, ruled)).not.toContain('Sent to')
  const unsaid = await readEvent(page, paused)
  expect(unsaid).toContain('Not sent: paused.')
  expect(unsaid).toContain('Expired at TIME , after 10 minutes')
  expect(unsaid).not.toContain('Returned')
  expect(await readEvent(page, late)).toContain('Returned to the agent at TIME , after 5 minutes')
  expect(await readEvent(page, lost)).toContain('The agent had stopped waiting')
  expect(await readEvent(page, lost)).toContain('Sent to no device')
})

test('the timeline of a session shows scopes, what widened them, and that somebody resumed it', async () => {
  const { db, workspaceId } = world
  const key = { machineId: 'm1', sessionId: 'scoped' }
  const session = await world.work(key)
  const contract = { allowedPaths: ['src/**'], offLimitsPaths: [], doneWhen: 'Green' }
  const yes = { ...key, status: 'answered', value: 'yes', endedAt: Date.now() } as const
  const scope = await world.ask({ ...yes, origin: 'scope', detail: { contract } }, MINUTE)
  const more = await world.ask({ ...yes, detail: { scopePath: 'docs/x.md' } }, 30_000)
  const resumed = auditRecord(auditStamp(Date.now()), {
    ...{ workspaceId, kind: 'session.resumed', personName: 'Mara', subjectId: session },
  })
  await db.write(async (tx) => {
    const widening = { questionId: more, contractId: scope, workspaceId, path: 'docs/x.md' }
    await insertWidening(tx, { ...widening, at: Date.now() })
    await recordAudit(tx, resumed)
  })
  const page = `/live/${session}`
  expect(await readEvent(page, scope)).toContain('Scope agreed , holds until TIME')
  expect(await readEvent(page, more)).toContain('Scope widened by docs/x.md')
  expect(await readEvent(page, resumed.id)).toContain('Resumed by Mara')
})

test('pages back to the first event, each exactly once, and forward again', async () => {
  const { db, workspaceId } = world
  const key = { machineId: 'm1', sessionId: 'long' }
  const session = await world.work(key)
  for (let i = 0; i < 65; i++) await world.tell({ ...key, title: `Step ${i}.` }, i * MINUTE)
  await db.write((tx) =>
    recordAudit(
      tx,
      auditRecord(auditStamp(Date.now() - 40.5 * MINUTE), {
        ...{ workspaceId, kind: 'session.resumed', personName: 'Once', subjectId: session },
      }),
    ),
  )
  const seen: string[] = []
  let resumed = 0
  let path = `/live/${session}`
  for (let pages = 0; path !== '' && pages < 5; pages++) {
    const page = await (await world.get(path)).text()
    seen.push(...[...page.matchAll(/>(Step \d+\.)</g)].map(([, title]) => title ?? ''))
    resumed += page.split('Resumed by Once').length - 1
    expect(page.includes('>Latest<')).toBe(pages > 0)
    path = /href="(\/live\/[^"]+\?from=[^"#]+)/.exec(page)?.[1] ?? ''
  }
  expect(seen).toEqual(Array.from({ length: 65 }, (_, i) => `Step ${i}.`))
  expect(resumed).toBe(1)
})

test('durations are said in words', () => {
  const times = [-5, 400, 1_000, 12_400, 60_000, 185_000, 3_000_000, 7_440_000, 3e8].map(
    measuredTime,
  )
  expect(times).toEqual([
    ...['0 seconds', '0.4 seconds', '1 second', '12 seconds', '1 minute', '3 minutes 5 seconds'],
    ...['50 minutes', '2 hours 4 minutes', '3 days'],
  ])
})
