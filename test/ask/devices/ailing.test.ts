import { expect, test } from 'bun:test'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { deviceKey } from '../../../src/ask/delivery/model/links.ts'
import { insertDeliveries } from '../../../src/ask/delivery/model/store.ts'
import { findSubscriber, recordSuccess } from '../../../src/ask/subscribers/model/store.ts'
import type { Subscriber } from '../../../src/ask/subscribers/model/subscriber.ts'
import { connect } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

type Row = Parameters<typeof insertDeliveries>[1][number]

const AGENT = 'Mozilla/5.0 (X11; Linux) Firefox/140'
const OLD = Date.now() - 10 * 60_000

async function own(world: PageWorld, more: Partial<Subscriber>): Promise<Subscriber> {
  const owner = await findPersonByEmail(world.db.read, 'mara@example.org')
  const { workspaceId } = world
  const base = { workspaceId, ...(owner ? { personId: owner.id } : {}), userAgent: AGENT }
  const [device] = await connect(world.db, { ...base, ...more })
  if (!device) throw new Error('nothing was connected')
  return device
}

let count = 0
async function storeDeliveries(world: PageWorld, to: Subscriber, rows: Array<Partial<Row>>) {
  const message = { kind: 'question', title: '', body: '', tag: 'q', url: '/', urgency: 'high' }
  const all = rows.map((row) => ({
    ...{ id: `dl_${++count}`, workspaceId: world.workspaceId, subjectId: 'q_1', message },
    ...{ subscriberId: to.id, kind: to.kind, state: 'accepted', attempts: 1, nextAt: 1 },
    ...{ expiresAt: 9, claimedBy: null, claimedUntil: 0, createdAt: OLD, endedAt: OLD },
    ...{
      lastStatus: 201,
      lastError: null,
      shownAt: null,
      openedAt: null,
      seal: null,
      messageRef: null,
    },
    ...row,
  })) as Row[]
  await world.db.write((tx) => insertDeliveries(tx, all))
}

const textOf = async (world: PageWorld, path: string) =>
  (await (await world.get(path)).text()).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

test('a browser says what it has, and Home and Devices warn until all is well', async () => {
  await using world = await pageWorld()
  const { db, workspaceId, app, url } = world
  const device = await own(world, { label: 'Desk', endpoint: 'https://push.example/desk' })
  const key = deviceKey(app.secrets.quickAnswerSecret, device.id)
  const look = async (body: object) =>
    (
      await fetch(`${url}/api/v1/subscribers/${device.id}/look`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ key, ...body }),
      })
    ).json()
  const good = new Bun.CryptoHasher('sha256').update(device.endpoint).digest('hex')
  const since = async () => (await findSubscriber(db.read, workspaceId, device.id))?.silentSince

  for (const [report, silent, words] of [
    [{ permission: 'denied', endpointHash: good }, 'permission', 'no longer lets this site notify'],
    [{ permission: 'granted' }, 'missing', 'has dropped the subscription'],
    [{ permission: 'granted', endpointHash: 'x' }, 'different', 'another subscription than'],
  ] as const) {
    expect(await look(report)).toEqual({ silent })
    const first = await since()
    expect(await look(report)).toEqual({ silent })
    expect([typeof first, await since()]).toEqual(['number', first])
    for (const path of ['/', '/settings/devices'])
      expect(await textOf(world, path)).toContain(words)
  }
  expect(await look({ permission: 'granted', endpointHash: good })).toEqual({})
  expect(await since()).toBeUndefined()
  expect(await textOf(world, '/')).not.toContain('“Desk”')
  expect((await look({ permission: 'granted', key: 'x' })).code).toBe('forbidden')
  // Connecting again mends it, whatever was said before.
  await look({ permission: 'denied' })
  await connect(db, { ...device })
  expect(await since()).toBeUndefined()
})

test('the last three real messages warn: refused, or accepted and never shown', async () => {
  await using world = await pageWorld()
  const failed = { state: 'refused', lastError: 'It answered 403.' } as const
  const outcome = { kind: 'outcome', title: '', body: '', tag: 'q', url: '/', urgency: 'normal' }
  const devices = {
    refuses: [failed, failed, failed],
    hides: [{}, {}, {}, { message: outcome, shownAt: null }] as Array<Partial<Row>>,
    'only two': [{}, {}],
    'just now': [{}, {}, { endedAt: Date.now() }],
    'showed one': [{}, { shownAt: OLD }, {}],
    mixed: [failed, {}, failed],
  }
  for (const [label, rows] of Object.entries(devices)) {
    await storeDeliveries(world, await own(world, { label }), rows)
  }
  const tested = await own(world, { label: 'tested since' })
  await storeDeliveries(world, tested, [failed, failed, failed])
  await world.db.write((tx) => recordSuccess(tx, [tested.id], OLD + 1))
  const program = await own(world, { label: 'a program', userAgent: 'curl/8' })
  await storeDeliveries(world, program, [{}, {}, {}])
  const topic = await own(world, { label: 'a topic', kind: 'phone', transport: 'ntfy' })
  await storeDeliveries(world, topic, [{}, {}, {}])
  const other = await own(world, { label: 'somebody else’s', personId: 'ben' })
  await storeDeliveries(world, other, [failed, failed, failed])

  const home = await textOf(world, '/')
  expect(home).toContain('The last messages to “refuses” were refused: It answered 403.')
  expect(home).toContain('“hides” accepted the last messages and showed none.')
  expect(home.match(/“[^”]+”/g)?.sort()).toEqual(['“hides”', '“refuses”'])
})
