import { afterEach, beforeEach, expect, test } from 'bun:test'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { NO_FILTER } from '../../../src/ask/audit/model/audit-entry.ts'
import { quickKey } from '../../../src/ask/delivery/model/links.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import {
  putConnectCode,
  takeConnectCode,
} from '../../../src/ask/subscribers/model/connect-code-store.ts'
import { listViewers } from '../../../src/ask/subscribers/model/open-page-store.ts'
import { listSubscribers } from '../../../src/ask/subscribers/model/store.ts'
import type { SubscriberId } from '../../../src/ask/subscribers/model/subscriber.ts'
import { readAudit } from '../../../src/ask/trail/read-audit.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { type PushServer, pushServer } from '../../support/push-server.ts'
import { addPersonWithPassword, cookieOf, signInAs } from '../../support/sign-in.ts'
import { until } from '../../support/until.ts'

const PATH = '/settings/passkeys'
const DEVICES = '/settings/devices'
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let world: PageWorld
let push: PushServer
beforeEach(async () => {
  world = await pageWorld({ env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } })
  push = await pushServer()
})
afterEach(async () => {
  await push[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

const isIn = async (cookie: string) => (await world.get('/settings', cookie)).status === 200
const text = async (path = PATH, cookie = world.cookie) => (await world.get(path, cookie)).text()

async function signIn(userAgent: string, cookie = ''): Promise<string> {
  const form = { email: 'mara@example.org', password: PASSWORD }
  const response = await world.post('/sign-in', form, { cookie, 'user-agent': userAgent })
  return cookieOf(response.headers)
}

async function begin(cookie = world.cookie): Promise<string> {
  const page = await (await world.post('/settings/pair', {}, { cookie })).text()
  return /\/pair\/[0-9a-z]{26}/.exec(page)?.[0] ?? ''
}

async function pair(link: string, cookie = ''): Promise<{ status: number; cookie: string }> {
  const { status, headers } = await world.post(link, {}, { cookie, 'user-agent': ANDROID })
  return { status, cookie: cookieOf(headers) }
}

async function send(method: string, path: string, body: object, cookie: string) {
  const response = await fetch(`${world.url}/api/v1${path}`, {
    method,
    headers: { origin: world.url, cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const json = response.status === 204 ? {} : await response.json()
  return { ...(json as { id?: string; deviceKey?: string }), status: response.status }
}

let count = 0
/** Connects the browser with this cookie. */
async function connect(cookie: string, label = 'My phone') {
  const subscription = push.subscribe(`phone${count++}`)
  const input = { kind: 'phone', transport: 'webpush', label, ...subscription }
  const { id, deviceKey: key = '', status } = await send('POST', '/subscribers', input, cookie)
  expect(status).toBe(201)
  return { id: id as SubscriberId, key, subscription }
}

const devices = async () =>
  (await listSubscribers(world.db.read, world.workspaceId)).map(({ label }) => label)

/** What the form about the sign-in of this name sends, as its page has it. */
async function formOf(name: string) {
  const cards = (await text()).split('<li class="thing">')
  const card = cards.find((one) => one.includes(`<b>${name}</b>`)) ?? ''
  const action = /action="([^"]*\/end)"/.exec(card)?.[1] ?? ''
  return { card, action, fields: { ...(/ checked/.test(card) && { devices: 'remove' }) } }
}

const signOut = async (name: string) => {
  const { action, fields } = await formOf(name)
  return (await world.post(action, fields)).headers.get('location')
}

/** What "Remove" of a device sends, unless its person changes it. */
async function removeForm(id: string, cookie = world.cookie) {
  const page = await text(DEVICES, cookie)
  const form = page.split('<form').find((one) => one.includes(`${DEVICES}/${id}/remove`)) ?? ''
  const offered = /<input[^>]*name="signOut"[^>]*>/.exec(form)?.[0]
  return { offered: offered !== undefined, checked: offered?.includes(' checked') === true, form }
}

const remove = async (id: string, fields: Record<string, string>, cookie = world.cookie) =>
  (await world.post(`${DEVICES}/${id}/remove`, fields, { cookie })).status

async function trail() {
  const { entries } = await readAudit(
    { db: world.db, clock },
    { workspaceId: world.workspaceId },
    NO_FILTER,
  )
  return entries.map(({ kind, outcome }) => `${kind}: ${outcome?.replace(/, from .*/, '')}`)
}

/** Reads the live stream of a page until it ends. */
async function liveUntilEnd(cookie: string, page: string): Promise<() => Promise<void>> {
  const response = await fetch(`${world.url}/api/v1/events?page=${page}`, { headers: { cookie } })
  const reader = response.body?.getReader()
  await reader?.read()
  return async () => {
    while (!(await reader?.read())?.done);
  }
}

test('the page lists one’s own sign-ins: this one, what each is, how it began, what rings there', async () => {
  const bo = await addPersonWithPassword(
    { db: world.db, clock },
    { email: 'bo@example.org', name: 'Bo' },
  )
  await signInAs(world.app, bo.id)
  const laptop = await signIn(FIREFOX)
  const phone = await pair(await begin())
  await connect(phone.cookie)
  const page = await text(PATH, laptop)
  expect(page.match(/Signed in <time/g)).toHaveLength(3)
  const cards = page.split('<li class="thing">').slice(1)
  expect(cards[0]).toContain('Firefox on Linux')
  expect(cards[0]).toContain('this one')
  expect(cards[0]).not.toContain('Sign out')
  const [paired] = cards.filter((card) => card.includes('Chrome on Android'))
  expect(paired).toContain('by scanning a code')
  expect(paired).toContain('My phone')
  expect(paired).toContain('Last used <time')
  expect(cards[2]).toContain('Unknown browser')
})

test('a sign-in that is ended answers nothing more, and its live pages end with it', async () => {
  const phone = await pair(await begin())
  const { id } = await connect(phone.cookie)
  const ended = await liveUntilEnd(phone.cookie, 'phone')
  await send('POST', '/visible-pages', { page: 'phone', visible: true }, phone.cookie)
  const viewers = () => listViewers(world.db.read, world.workspaceId, Date.now() - 60_000)
  expect((await viewers()).size).toBe(1)
  expect(await signOut('Chrome on Android')).toBe(`${PATH}?out`)
  await ended()
  await until(async () => (await viewers()).size === 0)
  expect(await isIn(phone.cookie)).toBe(false)
  expect(await isIn(world.cookie)).toBe(true)
  const questionId = await world.ask()
  const answered = await world.post(
    `/d/${questionId}/answer`,
    { value: 'yes' },
    { cookie: phone.cookie },
  )
  expect(answered.headers.get('location')).toStartWith('/sign-in')
  // The box was ticked: what rang there is gone, and so are its buttons.
  expect(await devices()).toEqual([])
  const key = quickKey(world.app.secrets.quickAnswerSecret, questionId, id)
  const tapped = await send(
    'POST',
    `/questions/${questionId}/answer`,
    { value: 'yes', key, subscriberId: id },
    '',
  )
  expect(tapped.status).toBeGreaterThanOrEqual(400)
  expect((await findQuestion(world.db.read, world.workspaceId, questionId))?.status).toBe('pending')
  expect(await trail()).toContain('sign_in.ended: signed out: Chrome on Android')
  expect((await trail()).join()).toContain('device.removed')
}, 12_000)

test('nobody ends the sign-in of somebody else, or one twice', async () => {
  const phone = await pair(await begin())
  const bo = await addPersonWithPassword(
    { db: world.db, clock },
    { email: 'bo@example.org', name: 'Bo' },
  )
  const { action } = await formOf('Chrome on Android')
  const theirs = await signInAs(world.app, bo.id)
  expect((await world.post(action, {}, { cookie: theirs })).status).toBe(404)
  expect((await world.post(action, {}, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await world.get(action)).headers.get('location')).toBe(PATH)
  expect(await isIn(phone.cookie)).toBe(true)
  expect((await world.post(action, {})).status).toBe(303)
  expect((await world.post(action, {})).status).toBe(404)
  expect(await isIn(phone.cookie)).toBe(false)
})

test('signing out all others leaves this sign-in, and leaves their devices unless these are removed as well', async () => {
  const phone = await pair(await begin())
  await connect(phone.cookie)
  await connect(world.cookie, 'My laptop')
  await world.post(`${PATH}/sign-out`, {})
  expect([await isIn(world.cookie), await isIn(phone.cookie)]).toEqual([true, false])
  expect(await devices()).toEqual(['My phone', 'My laptop'])
  const other = await pair(await begin())
  await connect(other.cookie, 'My tablet')
  await world.post(`${PATH}/sign-out`, { devices: 'remove' })
  expect([await isIn(world.cookie), await isIn(other.cookie)]).toEqual([true, false])
  expect(await devices()).toEqual(['My phone', 'My laptop'])
  expect((await trail()).slice(0, 2).toSorted()).toEqual([
    'device.removed: undefined',
    'sign_in.ended: all other sign-ins ended',
  ])
})

test('a paired phone that is removed is signed out unless its person says otherwise', async () => {
  const phone = await pair(await begin())
  const { id } = await connect(phone.cookie)
  expect(await removeForm(id)).toMatchObject({ offered: true, checked: true })
  const ended = await liveUntilEnd(phone.cookie, 'phone')
  expect(await remove(id, { signOut: 'yes' })).toBe(303)
  await ended()
  expect(await isIn(phone.cookie)).toBe(false)
  expect(await isIn(world.cookie)).toBe(true)
  expect(await text(`${DEVICES}?out`)).toContain('removed and signed out')
  expect(await trail()).toContain('sign_in.ended: signed out with the device “My phone”')

  const paired = await pair(await begin())
  const { id: other } = await connect(paired.cookie)
  expect(await remove(other, {})).toBe(303)
  expect(await isIn(paired.cookie)).toBe(true)
}, 12_000)

test('what was not paired is offered to be signed out, this browser with a word, others not at all', async () => {
  const laptop = await signIn(FIREFOX)
  const { id } = await connect(laptop, 'My laptop')
  expect(await removeForm(id)).toMatchObject({ offered: true, checked: false })
  expect((await removeForm(id, laptop)).form).toContain('sign out here')
  const topic = { kind: 'phone', transport: 'ntfy', endpoint: 'http://127.0.0.1:9/topic-of-mine' }
  const ntfy = await send('POST', '/subscribers', topic, laptop)
  expect(ntfy.status).toBe(201)
  expect(await removeForm(ntfy.id ?? '')).toMatchObject({ offered: false })
  expect(await remove(ntfy.id ?? '', { signOut: 'yes' })).toBe(303)
  expect(await isIn(laptop)).toBe(true)
  const deleted = await send('DELETE', `/subscribers/${id}`, { signOut: true }, world.cookie)
  expect(deleted.status).toBe(204)
  expect(await isIn(laptop)).toBe(false)
})

test('an owner who removes somebody’s device signs that device out, and nothing else of theirs', async () => {
  const who = { email: 'bo@example.org', name: 'Bo' }
  const bo = await addPersonWithPassword({ db: world.db, clock }, who)
  const [computer, phone] = [await signInAs(world.app, bo.id), await signInAs(world.app, bo.id)]
  const { id } = await connect(phone, 'Phone of Bo')
  expect(await removeForm(id)).toMatchObject({ offered: true })
  expect(await remove(id, { signOut: 'yes' })).toBe(303)
  expect([await isIn(computer), await isIn(phone)]).toEqual([true, false])
  // A member removes no device of an owner, and signs nobody out by trying.
  const { id: mine } = await connect(world.cookie)
  expect(await remove(mine, { signOut: 'yes' }, computer)).toBe(403)
  expect(await isIn(world.cookie)).toBe(true)
})

test('a device knows the sign-in of its browser, also after signing in anew', async () => {
  const signedOutWith = async (id: string, cookie: string) => {
    expect(await remove(id, { signOut: 'yes' })).toBe(303)
    return !(await isIn(cookie))
  }
  // The browser signs in over its earlier sign-in, by password, and by a code.
  const first = await signIn(FIREFOX)
  const laptop = await connect(first)
  const second = await signIn(FIREFOX, first)
  expect(await isIn(first)).toBe(false)
  const third = await pair(await begin(), second)
  expect(await removeForm(laptop.id)).toMatchObject({ checked: true })
  expect(await signedOutWith(laptop.id, third.cookie)).toBe(true)

  // It was signed out in between, and its page tells with the device’s own key.
  const before = await signIn(FIREFOX)
  const phone = await connect(before)
  await world.post('/sign-out', {}, { cookie: before })
  expect(await removeForm(phone.id)).toMatchObject({ offered: false })
  const after = await signIn(FIREFOX)
  const look = { key: phone.key, permission: 'granted' }
  expect((await send('POST', `/subscribers/${phone.id}/look`, look, after)).status).toBe(200)
  expect(await signedOutWith(phone.id, after)).toBe(true)

  // The service worker has a new subscription.
  const old = await signIn(FIREFOX)
  const tablet = await connect(old)
  await world.post('/sign-out', {}, { cookie: old })
  const again = await signIn(FIREFOX)
  const renewed = { key: tablet.key, ...push.subscribe('renewed') }
  expect((await send('POST', `/subscribers/${tablet.id}/renew`, renewed, again)).status).toBe(204)
  expect(await signedOutWith(tablet.id, again)).toBe(true)
}, 20_000)

test('a device of one person has no sign-in of another', async () => {
  const who = { email: 'bo@example.org', name: 'Bo' }
  const bo = await addPersonWithPassword({ db: world.db, clock }, who)
  const theirs = await signInAs(world.app, bo.id)
  const { id, key } = await connect(world.cookie)
  const look = { key, permission: 'granted' }
  expect((await send('POST', `/subscribers/${id}/look`, look, theirs)).status).toBe(200)
  expect(await remove(id, { signOut: 'yes' })).toBe(303)
  expect(await isIn(theirs)).toBe(true)
  expect(await isIn(world.cookie)).toBe(false)
})

test('a new password ends the other sign-ins at once, and this browser keeps its device', async () => {
  const phone = await pair(await begin())
  const ended = await liveUntilEnd(phone.cookie, 'phone')
  const { id } = await connect(world.cookie, 'My laptop')
  const link = await begin(phone.cookie)
  const change = { currentPassword: PASSWORD, newPassword: 'another long one' }
  const changed = await world.post('/settings/password', change)
  expect(changed.status).toBe(303)
  await ended()
  const cookie = cookieOf(changed.headers)
  expect([await isIn(cookie), await isIn(world.cookie)]).toEqual([true, false])
  expect((await pair(link)).status).toBe(410)
  expect(await remove(id, { signOut: 'yes' }, cookie)).toBe(303)
  expect(await isIn(cookie)).toBe(false)
}, 12_000)

/** A chat that is about to be connected for Mara; what takes its code. */
async function beginChat() {
  const { db, workspaceId } = world
  const mara = await findPersonByEmail(db.read, 'mara@example.org')
  const code = { hash: 'chat', transport: 'telegram', expiresAt: Date.now() + 60_000 }
  const of = { ...code, workspaceId, personId: mara?.id ?? '' }
  await db.write((tx) => putConnectCode(tx, of, Date.now()))
  return () => db.write((tx) => takeConnectCode(tx, { ...code, now: Date.now() }))
}

test('a code that a sign-in began signs nobody in once sign-ins were ended', async () => {
  const ways = [
    async (_: string) => signOut('Chrome on Android'),
    async (_: string) => world.post(`${PATH}/sign-out`, {}),
    async (cookie: string) => {
      const { id } = await connect(cookie)
      return remove(id, { signOut: 'yes' })
    },
    async (cookie: string) => world.post('/sign-out', {}, { cookie }),
    async (_: string) => send('POST', '/../auth/revoke-other-sessions', {}, world.cookie),
  ]
  for (const end of ways) {
    const phone = await pair(await begin())
    const link = await begin(phone.cookie)
    const take = await beginChat()
    await end(phone.cookie)
    expect(await isIn(phone.cookie)).toBe(false)
    expect((await pair(link)).status).toBe(410)
    expect(await take()).toBeUndefined()
  }
})

test('a pairing that was not one’s own ends with the device that it connected, and its codes', async () => {
  const page = await (await world.post('/settings/pair', {})).text()
  const [link = ''] = /\/pair\/[0-9a-z]{26}/.exec(page) ?? []
  const [pairing = ''] = /\/settings\/pair\/pair_\w+/.exec(page) ?? []
  const stranger = await pair(link)
  await connect(stranger.cookie, 'Phone of a stranger')
  const next = await begin(stranger.cookie)
  const ended = await liveUntilEnd(stranger.cookie, 'stranger')
  expect((await world.post(`${pairing}/cancel`, {})).status).toBeLessThan(400)
  await ended()
  expect(await isIn(stranger.cookie)).toBe(false)
  expect(await devices()).toEqual([])
  expect((await pair(next)).status).toBe(410)
  expect((await trail()).join()).toContain('device.removed')
}, 12_000)

test('who is removed loses the live pages at once', async () => {
  const who = { email: 'bo@example.org', name: 'Bo' }
  const bo = await addPersonWithPassword({ db: world.db, clock }, who)
  const cookie = await signInAs(world.app, bo.id)
  const ended = await liveUntilEnd(cookie, 'bo')
  expect((await world.post(`/settings/people/${bo.id}/remove`, {})).status).toBe(303)
  await ended()
  expect(await isIn(cookie)).toBe(false)
}, 12_000)

test('when a sign-in was last used is known to minutes', async () => {
  const mara = await findPersonByEmail(world.db.read, 'mara@example.org')
  const { session } = await import('../../../src/ask/accounts/model/auth-tables.ts')
  const other = await world.otherBrowser()
  const hourAgo = new Date(Date.now() - 3_600_000)
  await world.db.write((tx) => tx.update(session).set({ updatedAt: hourAgo }))
  expect(await isIn(other)).toBe(true)
  const used = async () =>
    (await world.db.read.select().from(session)).filter(
      ({ userId, updatedAt }) => userId === mara?.id && updatedAt > hourAgo,
    ).length
  await until(async () => (await used()) === 1)
  expect(await isIn(world.cookie)).toBe(true)
  await until(async () => (await used()) === 2)
})
