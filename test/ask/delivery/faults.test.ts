import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listAlarms, listDeliveries } from '../../../src/ask/delivery/model/store.ts'
import { listSubscribers } from '../../../src/ask/subscribers/model/store.ts'
import { connect, workspaceId } from '../../support/devices.ts'
import { type Fault, NTFY_FAULTS, PUSH_FAULTS } from '../../support/fault-table.ts'
import type { NtfyBehaviour } from '../../support/ntfy-server.ts'
import {
  aMessage,
  anOutgoingMessage,
  type PostOffice,
  postOffice,
  questionId,
} from '../../support/post-office.ts'
import type { Behaviour } from '../../support/push-server.ts'
import { retryDeliveries } from '../../support/retry-deliveries.ts'
import { until } from '../../support/until.ts'

const NEVER_MS = 1e9
// Enough for loopback on a busy machine; a service that says nothing is waited for that long.
const PATIENCE_MS = 2_000
const SUBJECT = 'mailto:ops@example.com'
const TLS = `${import.meta.dir}/../../fixtures/tls`

let wrongName: Bun.Server<undefined>
beforeAll(() => {
  const tls = { key: Bun.file(`${TLS}/key.pem`), cert: Bun.file(`${TLS}/cert.pem`) }
  const fetch = () => new Response(null, { status: 201 })
  wrongName = Bun.serve({ port: 0, hostname: '127.0.0.1', tls, fetch })
})
afterAll(() => wrongName.stop(true))

const rowOf = async ({ db }: PostOffice) =>
  (await listDeliveries(db.read, workspaceId, questionId))[0]

type Transport = 'webpush' | 'ntfy'

/** A phone whose service plays the fault. */
async function phone({ db, push, ntfy }: PostOffice, transport: Transport, { plays }: Fault) {
  const playing = typeof plays === 'string' ? [] : plays
  ntfy.behave('topic', ...(playing as NtfyBehaviour[]))
  const { endpoint, keys } = push.subscribe('phone', ...(playing as Behaviour[]))
  const elsewhere = {
    'nobody listens': 'http://127.0.0.1:1',
    'a certificate for another name': `https://127.0.0.1:${wrongName.port}`,
  }
  const there = transport === 'ntfy' ? `${ntfy.origin}/topic` : endpoint
  const device = { kind: 'phone', label: 'Phone', transport } as const
  await connect(db, {
    ...device,
    endpoint: typeof plays === 'string' ? `${elsewhere[plays]}/topic` : there,
    keys: transport === 'ntfy' ? undefined : keys,
  })
}

/** Without what is another one in each run. */
function common(text: string): string {
  return text.replace(/127\.0\.0\.1:\d+/, 'HOST').replace(/\([A-Z_]*CERT[A-Z_]*\)/, '(CODE)')
}

async function prove(transport: Transport, fault: Fault) {
  await using office = await postOffice({ vapidSubject: SUBJECT, patienceMs: PATIENCE_MS })
  const { db, clock, push, ntfy } = office
  const start = clock.now()
  await phone(office, transport, fault)
  const message = aMessage({ kind: 'notification' })
  const { sending } = await office.mail(anOutgoingMessage(clock, { message }))
  const counts = await sending.firstOutcomes(NEVER_MS)
  expect({ mobile: counts.mobile, pending: counts.pending }).toEqual({
    mobile: fault.counted === 'yes' ? 1 : 0,
    pending: fault.counted === 'pending',
  })

  await until(async () => (await rowOf(office))?.attempts === 1)
  const row = await rowOf(office)
  expect(`${row?.state} ${row?.lastStatus}`).toBe(fault.row)
  expect(row?.claimedBy).toBeNull()
  const [device] = await listSubscribers(db.read, workspaceId)
  const forgotten = fault.device.startsWith('forgotten')
  const reached = fault.device === 'last success'
  expect(device === undefined).toBe(forgotten)
  expect(device?.lastSuccessAt).toBe(reached ? start : undefined)
  expect(common(row?.lastError ?? 'last success')).toBe(fault.device.replace('forgotten: ', ''))
  if (!forgotten) expect(device?.lastError ?? null).toBe(row?.lastError ?? null)
  const alarms = await listAlarms(db.read)
  expect(alarms.map(({ name, text }) => [name, text.includes(SUBJECT)])).toEqual(
    fault.alarm ? [[push.origin, true]] : [],
  )
  // What did not come to an end is not listened to any longer.
  await until(() => push.open() + ntfy.open() === 0)
  await proveNext(office, fault)
  const stays = typeof fault.plays === 'string'
  expect(sending.counts()).toMatchObject({
    mobile: fault.counted === 'no' || stays ? 0 : 1,
    pending: stays,
  })
}

/** What waits is sent at its moment and not before; what has ended never again. */
async function proveNext(office: PostOffice, { again, plays }: Fault) {
  const { clock } = office
  await clock.advance(again === undefined ? 600_000 : again * 1_000 - 1)
  expect(await retryDeliveries(office)).toBe(0)
  if (again === undefined) return
  await clock.advance(1)
  expect(await retryDeliveries(office)).toBe(1)
  await until(async () => (await rowOf(office))?.attempts === 2)
  const still = { state: 'waiting', nextAt: clock.now() + 4_000 }
  const second = typeof plays === 'string' ? still : { state: 'accepted' }
  expect(await rowOf(office)).toMatchObject(second)
}

const withNames = (faults: Fault[]) => faults.map((fault) => [fault.answer, fault] as const)

test.each(withNames(PUSH_FAULTS))('a push service answers: %s', (_, fault) =>
  prove('webpush', fault),
)

test.each(withNames(NTFY_FAULTS))('an ntfy server answers: %s', (_, fault) => prove('ntfy', fault))
