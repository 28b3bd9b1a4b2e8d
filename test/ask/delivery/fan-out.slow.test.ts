import { expect, spyOn, test } from 'bun:test'
import { listAlarms, listDeliveries } from '../../../src/ask/delivery/model/store.ts'
import { deliveries } from '../../../src/ask/delivery/model/table.ts'
import { listSubscribers } from '../../../src/ask/subscribers/model/store.ts'
import { claimDue } from '../../../src/platform/db/outbox-store.ts'
import { workspaceId } from '../../support/devices.ts'
import {
  aMessage,
  anOutgoingMessage,
  connectEach,
  postOffice,
  questionId,
} from '../../support/post-office.ts'
import type { Behaviour } from '../../support/push-server.ts'
import { until } from '../../support/until.ts'

const NEVER_MS = 1e9

test('sending starts in a later turn, after the reply to whoever caused it', async () => {
  await using office = await postOffice()
  await connectEach(office, { 'browser one': [{ status: 201 }] })
  const outgoing = anOutgoingMessage(office.clock)
  const rows = await office.sender.address(office.db.read, outgoing)
  await office.db.write((tx) => office.sender.store(tx, rows))
  const read = spyOn(office.db.read, 'select')
  const thisTurn = new Promise((resolve) => setImmediate(resolve))
  const sending = office.sender.send(rows)
  await thisTurn
  expect([read.mock.calls.length, sending.counts().web]).toEqual([0, 0])
  expect(await sending.firstOutcomes(NEVER_MS)).toMatchObject({ web: 1 })
  expect(read).toHaveBeenCalled()
})

test('each answer of a push service has its own outcome, and none touches another device', async () => {
  await using office = await postOffice()
  const devices = await connectEach(office, {
    'browser created': [{ status: 201 }],
    'phone ok': [{ status: 200 }],
    'browser gone': [{ status: 410 }],
    'phone unknown': [{ status: 404 }],
    'browser busy': [{ status: 429, headers: { 'retry-after': '7' } }],
    'browser trouble': [{ status: 503 }],
    'browser forbidden': [{ status: 403 }],
    'browser bad': [{ status: 400, body: 'UnauthorizedRegistration' }],
    'browser moved': [{ status: 307, headers: { location: 'http://127.0.0.1:1/' } }],
    'phone small': [{ status: 413 }, { status: 201 }],
    'browser tiny': [{ status: 413 }],
    'browser reset': ['reset'],
  })
  const { sending } = await office.mail(anOutgoingMessage(office.clock))
  const counts = await sending.firstOutcomes(NEVER_MS)
  expect(counts).toMatchObject({
    web: 1,
    mobile: 2,
    addressedWeb: 9,
    addressedMobile: 3,
    chat: 0,
    pending: true,
  })

  const read = () => listDeliveries(office.db.read, workspaceId, questionId)
  await until(async () => (await read()).every((row) => row.attempts === 1))
  const labels = new Map(devices.map((device) => [device.id, device.label]))
  const rows = new Map((await read()).map((row) => [labels.get(row.subscriberId), row]))
  const states = [...rows].map(([label, row]) => [label, `${row.state} ${row.lastStatus}`])
  expect(Object.fromEntries(states)).toEqual({
    'browser created': 'accepted 201',
    'phone ok': 'accepted 200',
    'browser gone': 'gone 410',
    'phone unknown': 'gone 404',
    'browser busy': 'waiting 429',
    'browser trouble': 'waiting 503',
    'browser forbidden': 'refused 403',
    'browser bad': 'refused 400',
    'browser moved': 'refused 307',
    'phone small': 'accepted 201',
    'browser tiny': 'refused 413',
    'browser reset': 'waiting 0',
  })
  const now = office.clock.now()
  expect(rows.get('browser busy')?.nextAt).toBe(now + 7_000)
  expect(rows.get('browser trouble')?.nextAt).toBe(now + 2_000)

  const left = await listSubscribers(office.db.read, workspaceId)
  const remarks = new Map(left.map((one) => [one.label, one.lastError]))
  expect(remarks.has('browser gone') || remarks.has('phone unknown')).toBe(false)
  expect(remarks.get('browser created')).toBeUndefined()
  expect(remarks.get('browser bad')).toContain('UnauthorizedRegistration')
  expect(remarks.get('browser moved')).toContain('redirect')
  expect(left.find((one) => one.label === 'phone ok')?.lastSuccessAt).toBe(now)
})

test('a refused signature raises an alarm that names the subject, and a success clears it', async () => {
  await using office = await postOffice({ vapidSubject: 'mailto:ops@example.com' })
  await connectEach(office, { browser: [{ status: 403 }, { status: 201 }] })
  await (await office.mail(anOutgoingMessage(office.clock))).sending.firstOutcomes(NEVER_MS)
  await until(async () => (await listAlarms(office.db.read)).length === 1)
  const [alarm] = await listAlarms(office.db.read)
  expect(alarm?.text).toContain('mailto:ops@example.com')
  expect(alarm?.text).toContain(office.push.origin)
  await (await office.mail(anOutgoingMessage(office.clock))).sending.firstOutcomes(NEVER_MS)
  await until(async () => (await listAlarms(office.db.read)).length === 0)
})

test('a service that hangs holds up nobody else, and its rows are free once the server closed', async () => {
  await using office = await postOffice()
  await using other = await postOffice()
  const hanging: Behaviour[] = ['hang']
  const stuck = Array.from({ length: 70 }, (_, i) => [`phone-${i}`, hanging])
  await connectEach(office, Object.fromEntries(stuck))
  await connectEach(office, { browser: [] }, other.push)
  const { sending } = await office.mail(anOutgoingMessage(office.clock))
  await until(async () => sending.counts().web === 1)
  await office.push.until(64)
  expect(office.push.mostOpen()).toBe(64)
  expect(sending.counts()).toMatchObject({ pending: true, web: 1, addressedMobile: 70, chat: 0 })

  const closed = office.sender[Symbol.asyncDispose]()
  await office.clock.advance(2_000)
  await closed
  const rows = await listDeliveries(office.db.read, workspaceId, questionId)
  const free = rows.filter((row) => row.state === 'waiting' && row.claimedBy === null)
  expect(free).toHaveLength(70)
})

test('a living process keeps what it has in hand, however long it takes', async () => {
  await using office = await postOffice()
  const { db, clock } = office
  await connectEach(office, { phone: ['hang'] })
  await office.mail(anOutgoingMessage(clock, { message: aMessage({ kind: 'notification' }) }))
  await office.push.until(1)
  for (let i = 0; i < 6; i++) await clock.advance(10_000)
  const claim = { by: 'another', now: clock.now(), until: clock.now() + 1_000 }
  expect(await db.write((tx) => claimDue(tx, deliveries, claim, { limit: 10 }))).toEqual([])
  const closed = office.sender[Symbol.asyncDispose]()
  await clock.advance(2_000)
  await closed
})

test('two processes never take the same row', async () => {
  await using office = await postOffice()
  const { db, clock } = office
  const many = Array.from({ length: 40 }, (_, i) => [`browser-${i}`, []])
  await connectEach(office, Object.fromEntries(many))
  const rows = await office.sender.address(db.read, anOutgoingMessage(clock))
  const free = rows.map((row) => ({ ...row, claimedBy: null, claimedUntil: 0 }))
  await db.write((tx) => office.sender.store(tx, free))
  const now = clock.now()
  const taken = await Promise.all(
    ['one', 'two', 'three'].map((by) =>
      db.write((tx) => claimDue(tx, deliveries, { by, now, until: now + 1_000 }, { limit: 30 })),
    ),
  )
  const ids = taken.flat().map((row) => row.id)
  expect(ids).toHaveLength(40)
  expect(new Set(ids).size).toBe(40)
})

test('a message that is too late is not sent', async () => {
  await using office = await postOffice()
  await connectEach(office, { phone: [] })
  const { sending } = await office.mail(anOutgoingMessage(office.clock, { lifeMs: 0 }))
  expect(await sending.firstOutcomes(NEVER_MS)).toMatchObject({ mobile: 0, pending: false })
  expect(office.push.delivered).toEqual([])
})

test('a device that was disconnected in between ends its row and nothing else', async () => {
  await using office = await postOffice()
  await connectEach(office, { phone: [], browser: [] })
  const rows = await office.sender.address(office.db.read, anOutgoingMessage(office.clock))
  const gone = rows.map((row) => ({ ...row, subscriberId: 'sub_gone' as const }))
  const counts = await office.sender.send(gone).firstOutcomes(NEVER_MS)
  expect(counts).toMatchObject({ web: 0, mobile: 0, pending: false })
})

test('a thousand devices each get their own copy, once', async () => {
  await using office = await postOffice()
  const many = Array.from({ length: 1_000 }, (_, i) => [`browser-${i}`, []])
  await connectEach(office, Object.fromEntries(many))
  const { sending } = await office.mail(anOutgoingMessage(office.clock))
  const counts = await sending.firstOutcomes(NEVER_MS)
  expect(counts).toMatchObject({ web: 1_000, pending: false })
  expect(new Set(office.push.delivered.map((one) => one.name)).size).toBe(1_000)
  expect(office.push.delivered).toHaveLength(1_000)
  expect(office.push.mostOpen()).toBeLessThanOrEqual(64)
  await until(async () => {
    const rows = await listDeliveries(office.db.read, workspaceId, questionId)
    return rows.every((row) => row.state === 'accepted')
  })
})
