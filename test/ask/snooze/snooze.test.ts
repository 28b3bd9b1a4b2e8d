import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { PersonId } from '../../../src/ask/accounts/model/ids.ts'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { readQuestion } from '../../../src/ask/inbox/read-questions.ts'
import { lengthsFor, snoozedUntil } from '../../../src/ask/questions/model/snooze.ts'
import { putSnooze } from '../../../src/ask/questions/model/snooze-store.ts'
import { followQuestion } from '../../../src/ask/questions/model/store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'

const MINUTE = 60_000

let world: PageWorld
let bob: { id: PersonId; cookie: string }
beforeAll(async () => {
  world = await pageWorld()
  const { app, db } = world
  const { id } = await addPersonWithPassword(
    { db, clock: systemClock },
    { email: 'bob@example.org', name: 'Bob' },
  )
  bob = { id, cookie: await signInAs(app, id) }
})
afterAll(() => world[Symbol.asyncDispose]())

type Inbox = {
  questions: { correlationId: string }[]
  total: number
  snoozed: { correlationId: string; until: string }[]
}
const inbox = async (cookie?: string): Promise<Inbox> =>
  (await world.get('/api/v1/inbox', cookie)).json() as Promise<Inbox>
const text = async (path: string, cookie?: string) => (await world.get(path, cookie)).text()
const snooze = (id: QuestionId, more = {}) =>
  world.post(`/d/${id}/snooze`, { from: 'inbox', for: '5_minutes', ...more })
const rest = (method: string, id: string, body?: object) =>
  fetch(`${world.url}/api/v1/questions/${id}/snooze`, {
    method,
    headers: { cookie: world.cookie, origin: world.url, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

test('a snoozed question is back after its time, and a minute before the end at the latest', () => {
  const at = (left: number, length: Parameters<typeof snoozedUntil>[1]) =>
    snoozedUntil({ expiresAt: left * MINUTE }, length, 0)
  expect(at(10, '5_minutes')).toBe(5 * MINUTE)
  expect(at(10, '15_minutes')).toBe(9 * MINUTE)
  expect(at(10, 'until_end')).toBe(9 * MINUTE)
  expect(at(3, '5_minutes')).toBe(2 * MINUTE)
  expect([at(1, '5_minutes'), at(0, 'until_end')]).toEqual([undefined, undefined])
  const lengths = (left: number) => lengthsFor({ expiresAt: left * MINUTE }, 0)
  expect(lengths(60)).toEqual(['5_minutes', '15_minutes', 'until_end'])
  expect(lengths(10)).toEqual(['5_minutes', 'until_end'])
  expect(lengths(6)).toEqual(['until_end'])
  expect(lengths(1)).toEqual([])
})

test('one person does not see it for a while; it is no answer, and nobody else is concerned', async () => {
  const id = await world.ask({ question: 'Snooze me?' })
  const response = await snooze(id)
  expect([response.status, response.headers.get('location')]).toEqual([303, `/inbox?snoozed=${id}`])
  const page = await text(`/inbox?snoozed=${id}&showing=${id}`)
  expect(page).toContain('Snoozed until')
  expect(page).toContain('Snoozed (1)')
  expect(page).not.toContain(`id="card-${id}"`)
  expect(page).toContain('data-open="0"')
  const mine = await inbox()
  expect([mine.questions, mine.total, mine.snoozed[0]?.correlationId]).toEqual([[], 0, id])
  expect((await inbox(bob.cookie)).questions[0]?.correlationId).toBe(id)
  expect(await text('/', bob.cookie)).toContain(`id="card-${id}"`)
  expect(await text('/settings')).toContain('data-open="0"')
  expect(await text('/settings', bob.cookie)).toContain('data-open="1"')
  const stored = await readQuestion(
    { db: world.db, clock: systemClock },
    { workspaceId: world.workspaceId },
    id,
  )
  expect([stored?.status, stored?.value, stored?.endedAt]).toEqual([
    'pending',
    undefined,
    undefined,
  ])
  expect(await text(`/d/${id}`)).toContain('You snoozed it until')

  const back = await world.post(`/d/${id}/snooze`, { from: 'inbox', for: 'show_again' })
  expect(back.headers.get('location')).toBe(`/inbox?open=${id}#card-${id}`)
  expect(await text('/')).toContain(`id="card-${id}"`)
  await world.post(`/d/${id}/stop`, { from: 'inbox' })
})

test('over REST it is the same, and ends by DELETE', async () => {
  const id = await world.ask()
  const response = await rest('POST', id, { for: 'until_end' })
  const { correlationId, until } = (await response.json()) as Inbox['snoozed'][0]
  const stored = await readQuestion(
    { db: world.db, clock: systemClock },
    { workspaceId: world.workspaceId },
    id,
  )
  expect([correlationId, Date.parse(until)]).toEqual([id, (stored?.expiresAt ?? 0) - MINUTE])
  expect((await inbox()).snoozed).toEqual([{ correlationId: id, until }])
  // A longer life does not hide it for longer than was said.
  await world.db.write((tx) =>
    followQuestion(
      tx,
      { workspaceId: world.workspaceId, id },
      Date.now(),
      Date.now() + 8 * 3600_000,
    ),
  )
  expect((await inbox()).snoozed).toEqual([{ correlationId: id, until }])
  for (const _ of [1, 2]) expect((await rest('DELETE', id)).status).toBe(204)
  expect((await inbox()).questions[0]?.correlationId).toBe(id)
  expect((await rest('POST', id, { for: 'ever' })).status).toBe(422)
  expect((await rest('POST', 'q_none', { for: 'until_end' })).status).toBe(404)
  expect((await rest('DELETE', 'q_none')).status).toBe(404)
  await world.post(`/d/${id}/stop`, { from: 'inbox' })
})

test('what has ended or is about to says so and is not snoozed', async () => {
  const ended = await world.ask()
  await world.post(`/d/${ended}/answer`, { from: 'inbox', value: 'yes' })
  const late = await snooze(ended)
  expect(late.headers.get('location')).toBe(`/d/${ended}?late`)
  expect(await text(`/d/${ended}?late`)).toContain('Too late:')
  const card = await world.post(
    `/d/${ended}/snooze`,
    { from: 'inbox', for: '5_minutes' },
    { 'hx-request': 'true', 'hx-target': `card-${ended}` },
  )
  expect([card.status, (await card.text()).includes('Too late:')]).toEqual([200, true])
  const refused = await rest('POST', ended, { for: '5_minutes' })
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({ outcome: { status: 'answered', value: 'yes' } })

  const soon = await world.ask({ expiresAt: Date.now() + 50_000 })
  const stayed = await snooze(soon)
  expect([stayed.status, (await stayed.text()).includes('It ends within a minute')]).toEqual([
    422,
    true,
  ])
  expect((await rest('POST', soon, { for: '5_minutes' })).status).toBe(409)
  expect((await snooze(soon, { for: 'ever' })).status).toBe(400)
  await world.post(`/d/${soon}/stop`, { from: 'inbox' })
})

test('the end of a snooze is sent to the streams of its person alone', async () => {
  const id = await world.ask()
  const heard = { mara: '', bob: '' }
  const leaving = new AbortController()
  const listen = async (who: 'mara' | 'bob', cookie: string) => {
    const { signal } = leaving
    const response = await fetch(`${world.url}/api/v1/events`, { headers: { cookie }, signal })
    const read = async () => {
      for await (const part of response.body ?? []) heard[who] += new TextDecoder().decode(part)
    }
    read().catch(() => {})
  }
  await listen('mara', world.cookie)
  await listen('bob', bob.cookie)
  await world.db.write(async (tx) => {
    const person = await findPersonByEmail(tx, 'mara@example.org')
    await putSnooze(tx, {
      personId: person?.id as PersonId,
      questionId: id,
      until: Date.now() + 500,
    })
  })
  expect((await inbox()).snoozed).toHaveLength(1)
  const until = Date.now() + 5_000
  while (!heard.mara.includes('inbox.changed') && Date.now() < until) await Bun.sleep(50)
  leaving.abort()
  expect(heard.mara).toContain('event: inbox.changed')
  expect(heard.bob).not.toContain('inbox.changed')
  expect((await inbox()).snoozed).toEqual([])
})
