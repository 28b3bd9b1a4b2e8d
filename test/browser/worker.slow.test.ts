import { beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import type { Worker } from 'playwright-core'
import { answerQuestion } from '../../src/ask/answering/answer-question.ts'
import { deviceKey, quickKey } from '../../src/ask/delivery/model/links.ts'
import { findQuestion } from '../../src/ask/questions/model/store.ts'
import { findSubscriber } from '../../src/ask/subscribers/model/store.ts'
import { listInstructions } from '../../src/ask/turns/model/instruction-store.ts'
import { sightTurn } from '../../src/ask/turns/model/turn-store.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { loadSecrets } from '../../src/platform/db/settings-store.ts'
import { connect } from '../support/devices.ts'
import { CHAT, MARKUP, STRANGE } from '../support/hostile-corpus.ts'
import { noSender } from '../support/no-sender.ts'
import { onEnded } from '../support/on-ended.ts'
import { readInbox } from '../support/read-inbox.ts'
import { until } from '../support/until.ts'
import { openTab, openWorld, type Tab } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld({ whole: true })

type ShownNotification = {
  title: string
  body: string
  tag: string
  actions: number
  icon: string
  badge: string
}

/** A tab whose worker is at work, and what can be done to that worker. */
async function workerTab(tab: Tab) {
  const { page, context } = tab
  await context.grantPermissions(['notifications'], { origin: world.url })
  const cdp = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [one] = registrations
      if (one) resolve(one.registrationId)
    })
  })
  await cdp.send('ServiceWorker.enable')
  await page.goto('/settings/devices')
  await page.evaluate(activated)
  const registrationId = await registered
  const worker = context.serviceWorkers()[0] as Worker

  return {
    /** Hands the worker a decrypted push, as the browser would. */
    async push(data: string) {
      const deliver = () =>
        cdp.send('ServiceWorker.deliverPushMessage', { origin: world.url, registrationId, data })
      await deliver()
      // DevTools loses one now and then on a busy machine; a push service would not.
      for (let again = 0; again < 3 && !(await isShownSoon(page, data)); again++) await deliver()
    },
    listNotifications: () => page.evaluate(listShown),
    /** From here on the worker cannot find out which notifications stand there. */
    breakLooking: () => worker.evaluate(refuseToLook),
    /** Taps the notification or one of its buttons, with a text where it has a field. */
    tap: (tag: string, action: string, reply?: string) =>
      worker.evaluate(tapInWorker, { tag, action, ...(reply === undefined ? {} : { reply }) }),
  }
}

/** A push that comes while the worker is still being activated may be lost. */
async function activated(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready
  while (active?.state !== 'activated') await new Promise((done) => setTimeout(done, 20))
}

async function listShown(): Promise<ShownNotification[]> {
  const { getNotifications } = ServiceWorkerRegistration.prototype
  const all = await getNotifications.call(await navigator.serviceWorker.ready)
  return all.map((one) => {
    const { length } = (one as unknown as { actions: unknown[] }).actions
    const { icon, badge } = one as unknown as { icon: string; badge: string }
    return { title: one.title, body: one.body, tag: one.tag, actions: length, icon, badge }
  })
}

async function closeShown(): Promise<void> {
  const { getNotifications } = ServiceWorkerRegistration.prototype
  const all = await getNotifications.call(await navigator.serviceWorker.ready)
  for (const one of all) one.close()
}

async function isShownSoon(page: Tab['page'], push: string): Promise<boolean> {
  const end = performance.now() + 4_000
  while (performance.now() < end) {
    if (await isShown(page, push)) return true
    await Bun.sleep(20)
  }
  return false
}

/** Something with the tag of `push` stands there; anything, when that cannot be read. */
async function isShown(page: Tab['page'], push: string): Promise<boolean> {
  const wanted = /"tag":"([^"]+)"/.exec(push)?.[1]
  const notifications = await page.evaluate(listShown)
  return notifications.some(({ tag }) => wanted === undefined || tag === wanted)
}

function refuseToLook() {
  const scope = globalThis as unknown as { registration: { getNotifications: unknown } }
  scope.registration.getNotifications = () => Promise.reject(new Error('refused'))
}

type Tap = { tag: string; action: string; reply?: string }

/** A made-up event may not keep a worker alive by itself; the test waits in its place. */
async function tapInWorker({ tag, ...how }: Tap): Promise<void> {
  const scope = globalThis as unknown as {
    registration: ServiceWorkerRegistration
    NotificationEvent: new (type: string, init: object) => Event
    dispatchEvent(event: Event): void
  }
  const [notification] = await scope.registration.getNotifications({ tag })
  const event = new scope.NotificationEvent('notificationclick', { notification, ...how })
  const works: Promise<unknown>[] = []
  const waitUntil = (work: Promise<unknown>) => void works.push(work)
  Object.defineProperty(event, 'waitUntil', { value: waitUntil })
  scope.dispatchEvent(event)
  await Promise.allSettled(works)
}

async function pushOf(id: QuestionId, answerKey?: string) {
  const { workspaceId, db } = world
  const [device] = await connect(db, { workspaceId, kind: 'phone' })
  if (!device) throw new Error('there is no device')
  const { quickAnswerSecret } = await loadSecrets(db, systemClock)
  const data = {
    kind: 'question',
    id,
    subscriberId: device.id,
    url: `${world.url}/d/${id}`,
    expiresAt: Date.now() + 60_000,
    answerKey: answerKey ?? quickKey(quickAnswerSecret, id, device.id),
  }
  const notification = { title: 'Claude Code asks', body: 'Deploy?', tag: id, data }
  return JSON.stringify({ web_push: 8030, notification })
}

/** For the tests that leave the worker as it is; starting one takes seconds. */
const tab = await openTab(browser, world)
const worker = await workerTab(tab)
beforeEach(() => tab.page.evaluate(closeShown))

const findStored = (id: QuestionId) => findQuestion(world.db.read, world.workspaceId, id)

test('Yes on the notification answers in the background, and the notification says so', async () => {
  const id = await world.ask()
  await worker.push(await pushOf(id))
  await until(async () => (await worker.listNotifications()).length === 1)
  expect(await worker.listNotifications()).toMatchObject([
    { title: 'Claude Code asks', tag: id, actions: 2 },
  ])
  await worker.tap(id, 'yes')
  expect(await findStored(id)).toMatchObject({
    status: 'answered',
    value: 'yes',
    answerSource: 'mobile_background',
  })
  expect(await worker.listNotifications()).toMatchObject([
    { title: 'Answered: yes', tag: id, actions: 0 },
  ])
})

test('words typed into the notification are sent as who is signed in; what is not taken stays there', async () => {
  const { db, workspaceId } = world
  const id = await world.work({ client: 'claude' })
  const of = { id, workspaceId, machineId: 'm1', sessionId: 's1', tokenId: 'key_1' as const }
  const turn = { ...of, client: 'claude', state: 'finished', seenAt: Date.now() } as const
  await db.write((tx) => sightTurn(tx, { ...turn, isNew: true, typed: false }, 0))
  const push = JSON.parse(await pushOf('q_none'))
  const { notification } = push
  notification.tag = id
  notification.data = { ...notification.data, kind: 'notification', session: id }
  await worker.push(JSON.stringify(push))
  await until(async () => (await worker.listNotifications()).length === 1)
  await worker.tap(id, 'tell', '/compact')
  expect(await worker.listNotifications()).toMatchObject([
    { title: expect.stringContaining('Not sent'), body: '/compact', actions: 1 },
  ])
  await worker.tap(id, 'tell', 'now the docs')
  expect(await worker.listNotifications()).toMatchObject([
    { title: 'It waits for the agent', body: 'now the docs', actions: 0 },
  ])
  const list = await listInstructions(db.read, { workspaceId }, id, 9)
  expect(list).toMatchObject([{ text: 'now the docs', state: 'waiting' }])
})

test.each([
  ['without', 1],
  ['with', 2],
])('%s a key, what a push does not offer is not answered by a tap on it', async (how, actions) => {
  const id = await world.ask({ question: 'Run it?', detail: { action: 'npm publish' } })
  const push = JSON.parse(await pushOf(id))
  if (how === 'without') delete push.notification.data.answerKey
  await worker.push(JSON.stringify(push))
  await until(async () => (await worker.listNotifications()).length === 1)
  expect(await worker.listNotifications()).toMatchObject([{ tag: id, actions }])
  await worker.tap(id, 'yes')
  expect(await findStored(id)).toMatchObject({ status: 'pending' })
})

test('what a notification says is text, whatever it is', async () => {
  const { push, listNotifications } = worker
  for (const text of [MARKUP.join(' '), ...CHAT.slice(0, 3), STRANGE[0]]) {
    const id = await world.ask()
    const payload = JSON.parse(await pushOf(id, 'key'))
    payload.notification = { ...payload.notification, title: text, body: text }
    await push(JSON.stringify(payload))
    await until(async () => (await listNotifications()).some(({ tag }) => tag === id))
    const [one] = (await listNotifications()).filter(({ tag }) => tag === id)
    expect([one?.title, one?.body]).toEqual([text, text])
  }
  expect(tab.complaints).toEqual([])
})

test('a question that arrives after its outcome does not take its place', async () => {
  const { push, listNotifications } = worker
  const id = await world.ask({ question: 'Who came first?' })
  const question = await pushOf(id, 'key')
  const outcome = JSON.parse(question)
  outcome.notification.title = 'Answered: yes'
  outcome.notification.data = { ...outcome.notification.data, kind: 'outcome' }
  await push(JSON.stringify(outcome))
  await until(async () =>
    (await listNotifications()).some(({ title }) => title === 'Answered: yes'),
  )
  await push(question)
  const other = await world.ask({ question: 'And this one?' })
  await push(await pushOf(other))
  await until(async () => (await listNotifications()).some(({ tag }) => tag === other))
  const mine = (await listNotifications()).filter(({ tag }) => tag === id)
  expect(mine).toMatchObject([{ title: 'Answered: yes', actions: 0 }])
})

test('a tap that comes too late is told so, and changes nothing', async () => {
  const id = await world.ask()
  await worker.push(await pushOf(id))
  await until(async () => (await worker.listNotifications()).length === 1)
  const { workspaceId, db } = world
  const deps = { db, clock: systemClock, onEnded: onEnded(noSender) }
  await answerQuestion(deps, { workspaceId, questionId: id, value: 'no', source: 'inbox' })
  await worker.tap(id, 'yes')
  expect(await findStored(id)).toMatchObject({ value: 'no', answerSource: 'inbox' })
  expect((await worker.listNotifications())[0]?.title).toContain('Too late')
})

test('a tap beside the buttons, or a key that is refused, opens the question', async () => {
  for (const [action, key] of [
    ['', undefined],
    ['yes', 'a-wrong-key'],
  ] as const) {
    await tab.page.goto('/settings/devices')
    const id = await world.ask()
    await worker.push(await pushOf(id, key))
    await until(async () => (await worker.listNotifications()).some((one) => one.tag === id))
    await worker.tap(id, action)
    await tab.page.waitForURL(`**/d/${id}`)
    expect(await findStored(id)).toMatchObject({ status: 'pending' })
  }
})

test('a push is shown although the browser does not say what stands there already', async () => {
  await using tab = await openTab(browser, world)
  const worker = await workerTab(tab)
  await worker.breakLooking()
  const id = await world.ask()
  await worker.push(await pushOf(id))
  await until(async () => (await worker.listNotifications()).length === 1)
  expect(await worker.listNotifications()).toMatchObject([{ tag: id }])
})

test('a push that cannot be read still shows something', async () => {
  await worker.push('{"cut":')
  await until(async () => (await worker.listNotifications()).length === 1)
  expect(await worker.listNotifications()).toMatchObject([{ title: 'Beckon', actions: 0 }])
})

test('without the server, a page of the worker says so', async () => {
  await using tab = await openTab(browser, world)
  await workerTab(tab)
  await tab.context.setOffline(true)
  await tab.page.goto('/inbox')
  expect(await tab.page.textContent('h1')).toBe('You are offline')
})

test('a push brings the number on the icon up to date, with the page closed or open', async () => {
  await using tab = await openTab(browser, world)
  const worker = await workerTab(tab)
  // Headless there is no icon: what the worker would have written there is kept beside it.
  const scope = tab.context.serviceWorkers()[0] as Worker
  await scope.evaluate(() => {
    const value = async (count: number) => void Object.assign(globalThis, { badge: count })
    Object.defineProperty(navigator, 'setAppBadge', { value, configurable: true })
  })
  const id = await world.ask()
  const open = (await readInbox({ db: world.db, clock: systemClock }, world.workspaceId)).length
  const data = JSON.parse(await pushOf(id))
  data.notification.data.deviceKey = 'a-wrong-key'
  await worker.push(JSON.stringify(data))
  const badge = () => scope.evaluate(() => (globalThis as unknown as { badge?: number }).badge)
  await until(async () => (await badge()) !== undefined)
  expect(await badge()).toBe(open)
  expect(open).toBeGreaterThan(0)
})

test('the worker says what it showed, and that it was tapped, with a button too', async () => {
  const { quickAnswerSecret } = await loadSecrets(world.db, systemClock)
  for (const action of ['', 'yes']) {
    const id = await world.ask()
    const payload = JSON.parse(await pushOf(id))
    const { data } = payload.notification
    data.deviceKey = deviceKey(quickAnswerSecret, data.subscriberId)
    const device = () => findSubscriber(world.db.read, world.workspaceId, data.subscriberId)
    await worker.push(JSON.stringify(payload))
    await until(async () => (await device())?.lastShownAt !== undefined)
    expect((await device())?.lastOpenedAt).toBeUndefined()
    await worker.tap(id, action)
    await until(async () => (await device())?.lastOpenedAt !== undefined)
  }
})

test('a notification has the icon of the app, or that of its sender, and a badge', async () => {
  for (const icon of [undefined, `${world.url}/favicon.ico`]) {
    const id = await world.ask()
    const payload = JSON.parse(await pushOf(id))
    payload.notification.icon = icon
    await worker.push(JSON.stringify(payload))
    await until(async () => (await worker.listNotifications()).some(({ tag }) => tag === id))
    const notification = (await worker.listNotifications()).find(({ tag }) => tag === id)
    if (icon !== undefined) expect(notification?.icon).toBe(icon)
    for (const picture of [notification?.icon, notification?.badge]) {
      const response = await fetch(picture ?? '')
      expect([picture, response.headers.get('content-type')]).toEqual([
        picture,
        expect.stringMatching(/^image\//),
      ])
    }
  }
})

test('a signed-in page registers the worker, whether or not the browser is connected', async () => {
  await using tab = await openTab(browser, world)
  await tab.page.goto('/activity')
  await tab.page.evaluate(activated)
  await tab.context.setOffline(true)
  await tab.page.goto('/inbox')
  expect(await tab.page.textContent('h1')).toBe('You are offline')
})

test('a browser that names no subscription renews with the key it has', async () => {
  await using tab = await openTab(browser, world)
  await workerTab(tab)
  const { db, workspaceId } = world
  const [device] = await connect(db, { workspaceId })
  const { quickAnswerSecret, vapid } = await loadSecrets(db, systemClock)
  const stored = { id: device?.id, deviceKey: deviceKey(quickAnswerSecret, device?.id ?? 'sub_') }
  await tab.page.evaluate(keepHere, stored)
  await tab.page.goto('/settings')
  const scope = tab.context.serviceWorkers()[0] as Worker
  await until(() => scope.evaluate(hasServerKey))
  expect(await scope.evaluate(changeSubscription)).toBe(vapid.publicKey)
  const endpoint = async () =>
    (await findSubscriber(db.read, workspaceId, stored.id ?? 'sub_'))?.endpoint
  await until(async () => (await endpoint()) === 'https://fcm.googleapis.com/fcm/send/renewed')
})

async function keepHere(device: object): Promise<void> {
  // No push service is reached: the browser would make a subscription by itself.
  PushManager.prototype.getSubscription = async () => null
  await (await caches.open('beckon-device')).put('/this-device', Response.json(device))
}

async function hasServerKey(): Promise<boolean> {
  return (await (await caches.open('beckon-device')).match('/server-key')) !== undefined
}

/** The browser says that the subscription changed; resolves to the key of the new one. */
async function changeSubscription(): Promise<unknown> {
  const scope = globalThis as unknown as {
    PushManager: { prototype: PushManager }
    dispatchEvent(event: Event): void
  }
  let key: unknown
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
    'deriveBits',
  ])
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  const p256dh = btoa(String.fromCharCode(...point))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  scope.PushManager.prototype.getSubscription = async () => null
  scope.PushManager.prototype.subscribe = async (options) => {
    key = options?.applicationServerKey
    const keys = { p256dh, auth: 'AAAAAAAAAAAAAAAAAAAAAA' }
    const endpoint = 'https://fcm.googleapis.com/fcm/send/renewed'
    return { toJSON: () => ({ endpoint, keys }) } as unknown as PushSubscription
  }
  const works: Promise<unknown>[] = []
  const event = Object.assign(new Event('pushsubscriptionchange'), {
    ...{ oldSubscription: null, newSubscription: null },
    waitUntil: (work: Promise<unknown>) => void works.push(work),
  })
  scope.dispatchEvent(event)
  await Promise.all(works)
  return key
}
