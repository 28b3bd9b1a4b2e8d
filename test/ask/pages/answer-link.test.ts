import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type LinkPurpose, linkPath } from '../../../src/ask/delivery/model/links.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import { forgetSubscriber } from '../../../src/ask/subscribers/model/store.ts'
import type { Subscriber } from '../../../src/ask/subscribers/model/subscriber.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { loadSecrets } from '../../../src/platform/db/settings-store.ts'
import { connect } from '../../support/devices.ts'
import { MARKUP } from '../../support/hostile-corpus.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

let world: PageWorld
let secret: string
let phone: Subscriber
beforeAll(async () => {
  world = await pageWorld()
  secret = (await loadSecrets(world.db, systemClock)).quickAnswerSecret
  phone = (await connect(world.db, { workspaceId: world.workspaceId }))[0] as Subscriber
})
afterAll(() => world[Symbol.asyncDispose]())

const linkFor = (questionId: QuestionId, purpose: LinkPurpose = 'page', device = phone) =>
  linkPath(secret, { questionId, subscriberId: device.id, purpose })
const stored = (id: QuestionId) => findQuestion(world.db.read, world.workspaceId, id)
const look = (path: string, method = 'GET') => fetch(world.url + path, { method })

/** As a browser posts the form of a page that tells nobody where it comes from. */
const send = (path: string, fields: Record<string, string>) =>
  fetch(world.url + path, {
    method: 'POST',
    headers: { origin: 'null', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })

test('previews and bots may look as often as they like', async () => {
  const id = await world.ask()
  const path = linkFor(id)
  for (const method of ['GET', 'HEAD', 'GET', 'HEAD', 'OPTIONS']) await look(path, method)
  for (const method of ['GET', 'HEAD']) expect((await look(path, method)).status).toBe(200)
  expect((await stored(id))?.status).toBe('pending')
  const response = await send(path, { value: 'yes', note: 'Go' })
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('from an answer link')
  const outcome = { status: 'answered', value: 'yes', note: 'Go', answerSource: 'answer_link' }
  expect(await stored(id)).toMatchObject(outcome)
})

test('the page tells nobody its address, keeps nothing and is not indexed', async () => {
  const id = await world.ask({ detail: { action: 'ls' } })
  const used = linkFor(await world.ask({ status: 'answered', value: 'yes', endedAt: 1 }))
  for (const path of [linkFor(id), used, '/a/unknown', linkFor(id, 'yes')]) {
    const { headers } = await fetch(world.url + path, { headers: { cookie: world.cookie } })
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-robots-tag')).toContain('noindex')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('set-cookie')).toBeNull()
  }
  const page = await (await look(linkFor(id))).text()
  expect(page).not.toContain('<script')
  expect(page).toContain(`action="${linkFor(id)}"`)
  expect(page).not.toContain(`/d/${id}`)
})

test('who is signed in is nobody here', async () => {
  const id = await world.ask()
  const page = await (await world.get(linkFor(id))).text()
  expect(page).not.toContain('class="nav"')
  await world.post(linkFor(id), { value: 'yes' })
  expect((await stored(id))?.answeredBy).toBeUndefined()
})

test('a used link says so, with how the question ended; sent again it changes nothing', async () => {
  const id = await world.ask()
  const path = linkFor(id)
  const both = await Promise.all([send(path, { value: 'yes' }), send(path, { value: 'no' })])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 410])
  const value = (await stored(id))?.value
  for (const response of [await look(path), await send(path, { value: 'no' })]) {
    const page = await response.text()
    expect(response.status).toBe(410)
    expect(page).toContain('This link was used already')
    expect(page).toContain(`The agent was told “${value}”`)
    expect(page).not.toContain('<form')
  }
  expect((await stored(id))?.value).toBe(value)
})

test('an expired question, a removed device and an unknown token are said in plain words', async () => {
  const old = await world.ask({}, 11 * 60_000)
  const late = await send(linkFor(old), { value: 'yes' })
  expect(late.status).toBe(410)
  expect(await late.text()).toContain('the question had ended')
  const expired = await look(linkFor(old))
  expect([expired.status, (await expired.text()).includes('Expired')]).toEqual([410, true])

  const [gone] = await connect(world.db, { workspaceId: world.workspaceId })
  const id = await world.ask()
  const { workspaceId } = world
  await world.db.write((tx) => forgetSubscriber(tx, workspaceId, (gone as Subscriber).id))
  const removed = await send(linkFor(id, 'page', gone), { value: 'yes' })
  expect(removed.status).toBe(410)
  expect(await removed.text()).toContain('was disconnected')

  const [question] = linkFor(id).slice(3).split('.')
  const [, device, key] = linkFor(old).slice(3).split('.')
  for (const path of ['/a/nothing', `/a/${question}.${device}.${key}`]) {
    const unknown = await send(path, { value: 'yes' })
    expect(unknown.status).toBe(404)
    expect(await unknown.text()).toContain('This link is not valid')
  }
  expect((await stored(id))?.status).toBe('pending')
})

test('an answer link asks twice for a yes to what looks destructive', async () => {
  const id = await world.ask({ detail: { action: 'git push --force origin main' } })
  const path = linkFor(id)
  const first = await send(path, { value: 'yes', note: 'careful' })
  const page = await first.text()
  expect(page).toContain('name="sure" value="yes"')
  expect(page).toContain(`action="${path}"`)
  expect((await stored(id))?.status).toBe('pending')
  const tapped = await send(linkFor(id, 'yes'), {})
  expect(tapped.status).toBe(403)
  await send(path, { value: 'yes', note: 'careful', sure: 'yes' })
  expect(await stored(id)).toMatchObject({ value: 'yes', note: 'careful' })
})

test('a button’s address answers without a form, and shows nothing when it is opened', async () => {
  const id = await world.ask()
  expect((await look(linkFor(id, 'no'))).status).toBe(405)
  const tapped = await look(linkFor(id, 'no'), 'POST')
  expect(tapped.status).toBe(200)
  expect(await stored(id)).toMatchObject({ value: 'no', answerSource: 'mobile_background' })
  expect((await look(linkFor(id, 'yes'), 'POST')).status).toBe(410)
})

test('an answer that is not one comes back, and the agent can be stopped', async () => {
  const choices = [{ label: 'A' }, { label: 'B' }]
  const id = await world.ask({ type: 'select', choices })
  const wrong = await send(linkFor(id), { value: 'C', note: 'my note' })
  expect([wrong.status, (await wrong.text()).includes('my note')]).toEqual([422, true])
  const stopped = await send(linkFor(id), { stop: 'yes' })
  expect(stopped.status).toBe(200)
  expect((await stored(id))?.status).toBe('stopped')
})

test('hostile text stays text', async () => {
  for (const text of MARKUP) {
    const detail = { context: text, action: text, actionBody: text, header: text }
    const agentName = `${text} - ${text}`
    const id = await world.ask({ question: text, agentName, detail })
    const page = await (await look(linkFor(id))).text()
    expect(page).not.toMatch(/<(script|img|iframe|base|b id|style|meta http)/)
    expect(page).not.toMatch(/<[^>]* on(error|load|focus|mouseover)=/)
  }
})
