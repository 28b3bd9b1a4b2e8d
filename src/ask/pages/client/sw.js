// The service worker: shows every push, answers simple questions in the background, opens the right
// page on a tap, and has a page for when the server cannot be reached.

import { DEVICE_CACHE, keepDevice, keptDevice, keptServerKey } from './kept-device.js'

const worker = /** @type {BeckonWorker} */ (/** @type {unknown} */ (self))

// Increase it when what is stored offline changes its format.
const OFFLINE_CACHE = 'beckon-offline-1'
const OFFLINE_PAGE = '/offline'
// A worker that takes longer is stopped by the browser, and the person has put the phone away.
const ANSWER_MS = 15_000
// How long to wait for the browser to list the notifications it shows.
const LOOK_MS = 1_000

/**
 * @typedef {object} Data what the server puts into each push
 * @property {'question' | 'notification' | 'outcome' | 'test'} kind
 * @property {string} id
 * @property {string} subscriberId
 * @property {string} deviceKey
 * @property {string} url
 * @property {number} expiresAt
 * @property {string} [answerKey]
 * @property {string} [session] the session that may be told what to do next
 *
 * @typedef {object} Shown
 * @property {string} title
 * @property {string} [body]
 * @property {string} [tag]
 * @property {string} [icon]
 * @property {string} [image]
 * @property {boolean} [silent]
 * @property {Data} [data]
 */

worker.addEventListener('install', (event) => {
  event.waitUntil(keepOfflinePage().then(() => worker.skipWaiting()))
})
worker.addEventListener('activate', (event) => {
  event.waitUntil(forgetOldCaches().then(() => worker.clients.claim()))
})
worker.addEventListener('push', (event) => event.waitUntil(received(event)))
worker.addEventListener('notificationclick', (event) => {
  event.waitUntil(Promise.allSettled([tapped(event), report('opened', dataOf(event.notification))]))
})
worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewed(event)))
worker.addEventListener('fetch', (event) => {
  const { mode, method, url } = event.request
  const isAsset = new URL(url).pathname.startsWith('/assets/')
  if (method === 'GET' && (mode === 'navigate' || isAsset)) {
    event.respondWith(fetch(event.request).catch((error) => offline(event.request, error)))
  }
})

/** @param {ReceivedPush} event */
async function received(event) {
  const arrived = read(event)
  const message = (await outcomeBefore(arrived)) ?? arrived
  await show(message)
  if (!message.data?.deviceKey) return
  const { subscriberId: id, deviceKey } = message.data
  const stored = keepDevice({ id, deviceKey })
  await Promise.allSettled([stored, report('shown', message.data), countOpen()])
}

/**
 * How a question ended, if that is shown already: pushes may overtake each other, and come
 * twice. It is shown once more, since every push has to show something.
 * @param {Shown} shown
 * @returns {Promise<Shown | undefined>}
 */
async function outcomeBefore({ tag, data }) {
  if (data?.kind !== 'question' || !tag) return undefined
  const looking = worker.registration.getNotifications({ tag })
  // Whatever fails or hangs here, the push itself must still be shown.
  const standing = await Promise.race([looking, later(LOOK_MS)]).catch(() => undefined)
  if (!standing) return undefined
  const over = standing.find((one) => {
    const before = dataOf(one)
    return before?.kind === 'outcome' && before.id === data.id
  })
  return over && { title: over.title, body: over.body, tag, silent: true, data: over.data }
}

/**
 * @param {number} ms
 * @returns {Promise<undefined>}
 */
function later(ms) {
  return new Promise((done) => setTimeout(done, ms, undefined))
}

/**
 * Always something: a worker that shows nothing loses its subscription.
 * @param {ReceivedPush} event
 * @returns {Shown}
 */
function read(event) {
  const { notification } = event
  if (notification) {
    const { title, body, tag, icon, silent, data } = notification
    return { title, body, tag, icon, silent: silent ?? false, data }
  }
  try {
    const message = /** @type {{ notification?: Shown }} */ (event.data?.json())
    if (message.notification?.title) return message.notification
  } catch {
    // Not ours, or cut on the way: still a reason to look.
  }
  return { title: 'Beckon', body: 'Something is waiting for you.', tag: 'beckon' }
}

const ANSWERS = [
  { action: 'yes', title: 'Yes' },
  { action: 'no', title: 'No' },
]

// A field where the browser has one (Chromium), else a button that opens the page.
const TELL = {
  action: 'tell',
  type: 'text',
  title: 'Tell it…',
  placeholder: 'What should it do next?',
}

/** @param {Shown} shown */
function show({ title, data, ...message }) {
  const isOpen = data?.kind === 'question' && data.expiresAt > Date.now()
  const quick = isOpen && data.answerKey !== undefined
  /** @type {NotificationOptions & { actions?: unknown[]; renotify?: boolean; image?: string }} */
  const options = {
    badge: PICTURES.badge,
    ...message,
    icon: message.icon ?? PICTURES.icon,
    data,
    requireInteraction: isOpen,
    // A repeated push sounds again; an outcome only replaces the question.
    renotify: Boolean(message.tag) && !message.silent,
    // Without a key the notification does not show everything that a yes would mean.
    actions: quick
      ? ANSWERS
      : isOpen
        ? [{ action: 'look', title: 'Look' }]
        : data?.session
          ? [TELL]
          : [],
  }
  return worker.registration.showNotification(title, options)
}

/** @param {TappedNotification} event */
async function tapped({ action, notification, reply: words }) {
  notification.close()
  const data = dataOf(notification)
  if (action === 'tell' && data?.session && words) return tell(data, notification, words)
  const isAnswer = action === 'yes' || action === 'no'
  if (!data || !isAnswer || !data.answerKey) return open(data?.url ?? '/inbox')
  const reply = await answer(data, action)
  if (!reply) return open(data.url)
  const { tag } = notification
  return show({ title: reply, body: notification.body, tag, silent: true, data: over(data) })
}

/**
 * Sends what a session does next, as the person who is signed in here. The words stay on the screen
 * if they were not taken.
 * @param {Data} data
 * @param {Notification} notification
 * @param {string} words
 */
async function tell(data, { tag }, words) {
  const problem = await instruct(data.session ?? '', words)
  const title = problem === undefined ? 'It waits for the agent' : `Not sent: ${problem}`
  const { session: _, ...rest } = data
  return show({ title, body: words, tag, silent: true, data: problem === undefined ? rest : data })
}

/**
 * The reason why it was not taken; undefined if it was.
 * @param {string} session
 * @param {string} text
 * @returns {Promise<string | undefined>}
 */
async function instruct(session, text) {
  try {
    const response = await post(`/api/v1/sessions/${session}/instructions`, { text })
    if (response.ok) return undefined
    const { detail } = await response.json()
    return typeof detail === 'string' ? detail : `the server answered ${response.status}`
  } catch {
    return 'the server was not reached'
  }
}

/**
 * The result of the answer, or undefined if the page has to take over: offline, refused.
 * @param {Data} data
 * @param {'yes' | 'no'} value
 */
async function answer({ id, answerKey, subscriberId }, value) {
  const surface = 'mobile_background'
  const body = { value, key: answerKey, subscriberId, surface }
  try {
    const response = await post(`/api/v1/questions/${id}/answer`, body)
    if (response.ok) return `Answered: ${value}`
    if (response.status !== 409) return undefined
    const problem = await response.json()
    return typeof problem.detail === 'string' ? problem.detail : 'Too late'
  } catch {
    return undefined
  }
}

/**
 * The same question, but not to be answered here again.
 * @param {Data} data
 * @returns {Data}
 */
function over({ answerKey: _, ...data }) {
  return { ...data, kind: 'outcome' }
}

/** @param {string} address */
async function open(address) {
  const url = new URL(address, worker.location.origin)
  if (url.origin !== worker.location.origin) return worker.clients.openWindow(url.href)
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const same = tabs.find((tab) => new URL(tab.url).pathname === url.pathname)
  if (same) return same.focus()
  // A tab with a question in it may hold a half-typed answer: it is left alone.
  const free = tabs.find((tab) => !new URL(tab.url).pathname.startsWith('/d/'))
  try {
    const moved = await free?.navigate(url.href)
    if (moved) return await moved.focus()
  } catch {
    // A tab from before this worker cannot be navigated.
  }
  return worker.clients.openWindow(url.href)
}

/**
 * Tells the server what only this device can know about a message.
 * @param {'shown' | 'opened'} what
 * @param {Data | undefined} data
 */
async function report(what, data) {
  if (!data?.deviceKey) return
  const { subscriberId, deviceKey: key, id, kind } = data
  await post(`/api/v1/subscribers/${subscriberId}/${what}`, { key, id, kind })
}

/**
 * @param {Notification} notification
 * @returns {Data | undefined}
 */
function dataOf(notification) {
  return notification.data ?? undefined
}

/** The number on the app's icon; it stays for signed-out people. */
async function countOpen() {
  if (!('setAppBadge' in navigator)) return
  const response = await fetch('/api/v1/inbox', { signal: AbortSignal.timeout(ANSWER_MS) })
  if (!response.ok) return
  const { questions } = await response.json()
  await navigator.setAppBadge(questions.length)
}

/**
 * The browser gave this device a new address: tell the server, or it would go silent. Browsers may
 * name neither the old subscription nor the new one.
 * @param {ChangedSubscription} event
 */
async function renewed({ oldSubscription, newSubscription }) {
  const stored = await keptDevice()
  if (!stored) return
  const { id, deviceKey: key } = stored
  const fresh = newSubscription ?? (await subscribeAgain(oldSubscription))
  const { endpoint, keys } = fresh.toJSON()
  await post(`/api/v1/subscribers/${id}/renew`, { key, endpoint, keys })
}

/** @param {PushSubscription | null} old */
async function subscribeAgain(old) {
  const { pushManager } = worker.registration
  const applicationServerKey = old?.options.applicationServerKey ?? (await keptServerKey())
  return (
    (await pushManager.getSubscription()) ??
    (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }))
  )
}

/**
 * @param {string} path
 * @param {unknown} body
 */
function post(path, body) {
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  })
}

async function keepOfflinePage() {
  const cache = await caches.open(OFFLINE_CACHE)
  const page = await fetch(OFFLINE_PAGE, { cache: 'reload' }).catch(() => undefined)
  if (!page?.ok) return
  const html = await page.clone().text()
  await cache.put(OFFLINE_PAGE, page)
  const assets = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1])
  await Promise.allSettled(assets.map((asset) => cache.add(asset ?? OFFLINE_PAGE)))
}

async function forgetOldCaches() {
  const names = await caches.keys()
  const old = names.filter((name) => name !== OFFLINE_CACHE && name !== DEVICE_CACHE)
  await Promise.all(old.map((name) => caches.delete(name)))
}

/**
 * @param {Request} request
 * @param {unknown} error
 */
async function offline(request, error) {
  const cache = await caches.open(OFFLINE_CACHE)
  const stored = await cache.match(request.mode === 'navigate' ? OFFLINE_PAGE : request)
  if (stored) return stored
  throw error
}
