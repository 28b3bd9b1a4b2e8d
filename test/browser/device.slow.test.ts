import { expect, test } from 'bun:test'
import { deviceKey } from '../../src/ask/delivery/model/links.ts'
import { findSubscriber, forgetSubscriber } from '../../src/ask/subscribers/model/store.ts'
import type { SubscriberId } from '../../src/ask/subscribers/model/subscriber.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { loadSecrets } from '../../src/platform/db/settings-store.ts'
import { connect } from '../support/devices.ts'
import { until } from '../support/until.ts'
import { openTab, openWorld } from './chromium.ts'

const { world, browser } = await openWorld({ whole: true })

const FRESH = 'https://fcm.googleapis.com/fcm/send/fresh'

/** A push service in the page: Chromium’s own asks Google. */
function playPushService({ fresh, p256dh }: { fresh: string; p256dh: string }) {
  const calls: string[] = []
  Object.assign(window, { asked: calls })
  const toJSON = () => ({ endpoint: fresh, keys: { p256dh, auth: 'AAAAAAAAAAAAAAAAAAAAAA' } })
  PushManager.prototype.getSubscription = async () => null
  PushManager.prototype.subscribe = async () => {
    calls.push('subscribe')
    const unsubscribe = async () => Boolean(calls.push('unsubscribe'))
    return { toJSON, unsubscribe, endpoint: fresh } as unknown as PushSubscription
  }
}

async function openConnected(id: SubscriberId) {
  const tab = await openTab(browser, world)
  await tab.context.grantPermissions(['notifications'], { origin: world.url })
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
    'deriveBits',
  ])
  const point = await crypto.subtle.exportKey('raw', pair.publicKey)
  const p256dh = Buffer.from(point).toString('base64url')
  const { quickAnswerSecret } = await loadSecrets(world.db, systemClock)
  // Has no scripts, which would find the device and go to the real push service.
  await tab.page.goto('/healthz')
  const stored = { id, deviceKey: deviceKey(quickAnswerSecret, id) }
  await tab.page.evaluate(async (device) => {
    const cache = await caches.open('beckon-device')
    await cache.put('/this-device', Response.json(device))
  }, stored)
  await tab.context.addInitScript(playPushService, { fresh: FRESH, p256dh })
  return tab
}

test('a device whose browser lost its subscription has a new one once a page is opened', async () => {
  const { db, workspaceId } = world
  const [device] = await connect(db, { workspaceId, endpoint: 'https://push.example/lost' })
  const id = device?.id ?? 'sub_none'
  await using tab = await openConnected(id)
  await tab.page.goto('/inbox')
  const endpoint = async () => (await findSubscriber(db.read, workspaceId, id))?.endpoint
  await until(async () => (await endpoint()) === FRESH)
  expect(await endpoint()).toBe(FRESH)
  expect(tab.complaints).toEqual([])
}, 60_000)

test('a device that was removed stays removed', async () => {
  const { db, workspaceId } = world
  const [device] = await connect(db, { workspaceId, endpoint: 'https://push.example/removed' })
  const id = device?.id ?? 'sub_none'
  await db.write((tx) => forgetSubscriber(tx, workspaceId, id))
  await using tab = await openConnected(id)
  await tab.page.goto('/inbox')
  await tab.page.waitForFunction(() => (window as unknown as { asked: string[] }).asked.length > 1)
  expect(await findSubscriber(db.read, workspaceId, id)).toBeUndefined()
}, 60_000)

test('a page that the browser opened from a notification by itself says so, once', async () => {
  const { db, workspaceId } = world
  const [device] = await connect(db, { workspaceId, endpoint: FRESH })
  const id = device?.id ?? 'sub_none'
  const question = await world.ask()
  await using tab = await openConnected(id)
  await tab.page.goto(`/d/${question}#push=question.${question}`)
  const openedAt = async () => (await findSubscriber(db.read, workspaceId, id))?.lastOpenedAt
  await until(async () => (await openedAt()) !== undefined)
  await tab.page.waitForFunction(() => location.hash === '')
  const first = await openedAt()
  await tab.page.goto('/inbox')
  await tab.page.goto(`/d/${question}`)
  expect(await openedAt()).toBe(first)
  expect(tab.complaints).toEqual([])
}, 60_000)

test('a browser that lost its permission says so, and Home warns', async () => {
  const { db, workspaceId } = world
  const [device] = await connect(db, { workspaceId, endpoint: 'https://push.example/denied' })
  const id = device?.id ?? 'sub_none'
  await using tab = await openConnected(id)
  await tab.context.clearPermissions()
  await tab.page.goto('/inbox')
  const silent = async () => (await findSubscriber(db.read, workspaceId, id))?.silentWhy
  await until(async () => (await silent()) === 'permission')
  expect(tab.complaints).toEqual([])
}, 60_000)
