import { expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { deviceKey, quickKey } from '../../../src/ask/delivery/model/links.ts'
import {
  quickAnswerer,
  renewSubscription,
  reportSeen,
} from '../../../src/ask/devices/device-reports.ts'
import { forgetDevice, listDevices } from '../../../src/ask/devices/devices.ts'
import { sendTestPush } from '../../../src/ask/devices/send-test-push.ts'
import { subscribe } from '../../../src/ask/devices/subscribe.ts'
import { findSubscriber } from '../../../src/ask/subscribers/model/store.ts'
import type { SubscriberId } from '../../../src/ask/subscribers/model/subscriber.ts'
import { connect, workspaceId } from '../../support/devices.ts'
import {
  type PostOffice,
  postOffice,
  questionId,
  quickAnswerSecret,
} from '../../support/post-office.ts'
import type { Behaviour } from '../../support/push-server.ts'

const ann: Person = { id: 'ann', name: 'Ann', email: 'a@example.com', workspaceId, role: 'member' }
const bob: Person = { ...ann, id: 'bob' }
const owner: Person = { ...ann, id: 'olga', role: 'owner' }
const stranger: Person = { ...owner, workspaceId: 'ws_other' }
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

function inputFor(office: PostOffice, name: string, ...behaviour: Behaviour[]) {
  const subscription = office.push.subscribe(name, ...behaviour)
  return { kind: 'browser', transport: 'webpush', ...subscription } as const
}

function depsOf(office: PostOffice) {
  return { ...office, quickAnswerSecret }
}

function by({ id: personId }: Person, userAgent?: string) {
  return { workspaceId, personId, userAgent }
}

test('a browser subscribes, is named after itself, and gets a test push with its true result', async () => {
  await using office = await postOffice()
  const input = inputFor(office, 'mine')
  const { device } = await subscribe(depsOf(office), input, by(ann, FIREFOX))
  expect(device).toMatchObject({ label: 'Firefox on Linux', personId: 'ann', tags: [] })
  const result = await sendTestPush(office, ann, device.id)
  expect(result).toMatchObject({ accepted: true, outcome: 'accepted', status: 201 })
  expect(office.push.delivered[0]?.payload.notification).toMatchObject({ tag: 'test' })
  const [listed] = await listDevices(office, workspaceId)
  expect(listed?.lastSuccessAt).toBe(office.clock.now())
})

test('each result of a test push is said as it is', async () => {
  await using office = await postOffice()
  const cases: Array<[string, Behaviour, string, string]> = [
    ['gone', { status: 410 }, 'gone', 'removed from the list'],
    ['busy', { status: 503 }, 'later', '(503). A real message'],
    ['away', { status: 503, body: 'down for an hour' }, 'later', '. A real message'],
    ['bad', { status: 400, body: 'no such app' }, 'refused', 'no such app'],
    ['forbidden', { status: 403 }, 'refused', 'signature'],
    ['reset', 'reset', 'later', 'not reached'],
  ]
  for (const [name, behaviour, outcome, words] of cases) {
    const input = inputFor(office, name, behaviour)
    const { device } = await subscribe(depsOf(office), input, by(ann))
    const result = await sendTestPush(office, ann, device.id)
    expect([name, result.outcome, result.accepted]).toEqual([name, outcome as never, false])
    expect(result.said).toContain(words)
    expect(await findSubscriber(office.db.read, workspaceId, device.id)).toEqual(
      outcome === 'gone' ? undefined : expect.objectContaining({ lastErrorAt: expect.any(Number) }),
    )
  }
})

test('a device that subscribes again keeps its id and what it does not name anew', async () => {
  await using office = await postOffice()
  const input = inputFor(office, 'mine')
  const subscription = { ...input, label: ' My\nbrowser ', externalId: 'x-1', tags: ['ops'] }
  const first = await subscribe(depsOf(office), subscription, by(ann))
  const again = await subscribe(depsOf(office), input, by(bob))
  expect(again.device).toMatchObject({
    id: first.device.id,
    personId: 'bob',
    label: 'My browser',
    externalId: 'x-1',
    tags: ['ops'],
  })
  expect(await listDevices(office, workspaceId)).toHaveLength(1)
})

test('an endpoint that must not be reached and keys that are none are refused by name', async () => {
  await using office = await postOffice()
  const good = inputFor(office, 'mine')
  const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url')
  const cases: Array<[object, string]> = [
    [{ endpoint: 'http://push.example/x' }, 'endpoint'],
    [{ endpoint: 'https://169.254.169.254/latest' }, 'endpoint'],
    [{ endpoint: 'https://localhost/x' }, 'endpoint'],
    [{ endpoint: 'https://me:pw@push.example/x' }, 'endpoint'],
    [{ keys: { ...good.keys, p256dh: 'AAAA' } }, 'keys.p256dh'],
    [{ keys: { ...good.keys, p256dh: offCurve } }, 'keys.p256dh'],
    [{ keys: { ...good.keys, auth: 'AAAA' } }, 'keys.auth'],
  ]
  for (const [wrong, field] of cases) {
    const attempt = subscribe(depsOf(office), { ...good, ...wrong }, by(ann))
    await expect(attempt).rejects.toMatchObject({ code: 'invalid_input', fields: [{ field }] })
  }
  expect(await listDevices(office, workspaceId)).toEqual([])
})

test('a device is tested and disconnected by its person or an owner, and by nobody else', async () => {
  await using office = await postOffice()
  const [one, two] = await connect(
    office.db,
    { personId: 'ann', ...office.push.subscribe('one') },
    { personId: 'ann', ...office.push.subscribe('two') },
  )
  const [first, second] = [one?.id, two?.id] as [SubscriberId, SubscriberId]
  for (const [person, code] of [
    [bob, 'forbidden'],
    [stranger, 'not_found'],
  ] as const) {
    await expect(sendTestPush(office, person, first)).rejects.toMatchObject({ code })
    await expect(forgetDevice(office, person, first)).rejects.toMatchObject({ code })
  }
  expect(office.push.delivered).toEqual([])
  await forgetDevice(office, ann, first)
  await forgetDevice(office, owner, second)
  expect(await listDevices(office, workspaceId)).toEqual([])
})

test('a device says that it showed a message with its own key alone', async () => {
  await using office = await postOffice()
  const input = inputFor(office, 'mine')
  const { device, deviceKey: key } = await subscribe(depsOf(office), input, by(ann))
  const other = deviceKey(quickAnswerSecret, 'sub_other')
  for (const wrong of ['', 'x', other, key.slice(1)]) {
    const attempt = reportSeen(depsOf(office), device.id, 'shown', { key: wrong })
    await expect(attempt).rejects.toMatchObject({ code: 'forbidden' })
  }
  await reportSeen(depsOf(office), device.id, 'shown', { key })
  const [current] = await listDevices(office, workspaceId)
  expect(current?.lastShownAt).toBe(office.clock.now())
  const unknown = reportSeen(depsOf(office), 'sub_other', 'shown', { key: other })
  await expect(unknown).rejects.toMatchObject({ code: 'forbidden' })
})

test('a changed subscription takes the place of the old one, with everything else kept', async () => {
  await using office = await postOffice()
  const subscription = { ...inputFor(office, 'old'), label: 'Desk', tags: ['ops'] }
  const { device, deviceKey: key } = await subscribe(depsOf(office), subscription, by(ann))
  const fresh = office.push.subscribe('new')
  await subscribe(depsOf(office), { ...subscription, ...fresh, label: 'again' }, by(ann))
  await renewSubscription(depsOf(office), device.id, { key, ...fresh })
  expect(await listDevices(office, workspaceId)).toMatchObject([
    { id: device.id, label: 'Desk', tags: ['ops'], endpoint: fresh.endpoint, keys: fresh.keys },
  ])
  const stolen = renewSubscription(depsOf(office), device.id, { key: 'x', ...fresh })
  await expect(stolen).rejects.toMatchObject({ code: 'forbidden' })
})

test('the key of a notification button answers one question from one connected device', async () => {
  await using office = await postOffice()
  const [device] = await connect(office.db, {})
  const subscriberId = device?.id as SubscriberId
  const key = quickKey(quickAnswerSecret, questionId, subscriberId)
  const deps = depsOf(office)
  expect(await quickAnswerer(deps, { questionId, subscriberId, key })).toMatchObject({
    id: subscriberId,
    workspaceId,
  })
  const wrong = [
    { questionId: 'q_other' as const, subscriberId, key },
    { questionId, subscriberId: 'sub_other', key },
    { questionId, subscriberId, key: deviceKey(quickAnswerSecret, subscriberId) },
    { questionId, subscriberId: '', key: '' },
  ]
  for (const quick of wrong) {
    await expect(quickAnswerer(deps, quick)).rejects.toMatchObject({ code: 'forbidden' })
  }
  await forgetDevice(office, owner, subscriberId)
  const late = quickAnswerer(deps, { questionId, subscriberId, key })
  await expect(late).rejects.toMatchObject({ code: 'forbidden' })
})
