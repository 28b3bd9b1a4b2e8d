import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isFromSlack, signatureOf } from '../../../../src/ask/channels/slack/rest.ts'
import { howOften } from '../../../support/share.ts'
import { ADA, buttonIn, type SendHow } from '../../../support/slack-server.ts'
import { type SlackWorld, slackWorld } from '../../../support/slack-world.ts'
import { startedApp } from '../../../support/started-app.ts'

let it: SlackWorld
beforeAll(async () => {
  it = await slackWorld()
  await it.connect()
})
afterAll(() => it[Symbol.asyncDispose]())

// From Slack's own page about verifying requests.
const SECRET = '8f742231b10e8888abcd99yyyzzz85a5'
const BODY =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
const SIGNED = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503'

test('the example of Slack’s own documentation is accepted', () => {
  expect(signatureOf(SECRET, '1531420618', BODY)).toBe(SIGNED)
  const headers = new Headers({
    'x-slack-request-timestamp': '1531420618',
    'x-slack-signature': SIGNED,
  })
  expect(isFromSlack(SECRET, { headers, body: BODY, now: 1_531_420_618_000 })).toBe(true)
  expect(isFromSlack(SECRET, { headers, body: BODY, now: 1_531_420_918_000 })).toBe(true)
  expect(isFromSlack(SECRET, { headers, body: BODY, now: 1_531_420_919_000 })).toBe(false)
  expect(isFromSlack(SECRET, { headers, body: BODY, now: 1_531_420_317_000 })).toBe(false)
  expect(isFromSlack(SECRET, { headers, body: `${BODY} `, now: 1_531_420_618_000 })).toBe(false)
})

async function press(how: SendHow) {
  const { slack, world } = it
  const [message] = [...slack.messages.values()].slice(-1)
  const button = buttonIn(message?.blocks ?? [], 'Yes')
  return slack.send(world.url, { type: 'block_actions', user: ADA, actions: [button] }, how)
}

const MINUTE = 60_000
const FORGED: Array<[string, () => SendHow]> = [
  ['another secret', () => ({ secret: 'not the secret' })],
  ['no secret at all', () => ({ secret: '' })],
  ['an old recording', () => ({ at: Date.now() - 5.1 * MINUTE })],
  ['a time that is yet to come', () => ({ at: Date.now() + 5.1 * MINUTE })],
  ['an empty signature', () => ({ signature: '' })],
  ['another version', () => ({ signature: `v1=${'0'.repeat(64)}` })],
  [
    'a signature of another body',
    () => ({
      signature: signatureOf(it.slack.signingSecret, `${Math.floor(Date.now() / 1_000)}`, 'x'),
    }),
  ],
]

test.each(FORGED)('a press that Slack did not sign answers nothing: %s', async (_, how) => {
  const id = await it.ask({ question: 'Forged?' })
  const response = await press(how())
  expect(response.status).toBe(403)
  expect(response.headers.get('content-type')).toContain('application/problem+json')
  expect(await response.text()).not.toContain(it.slack.signingSecret)
  expect((await it.question(id))?.status).toBe('pending')
})

test('a press that is played again changes nothing', async () => {
  const id = await it.ask({ question: 'Again?' })
  const { slack, world } = it
  const [message] = [...slack.messages.values()].slice(-1)
  const actions = [structuredClone(buttonIn(message?.blocks ?? [], 'Yes'))]
  const payload = { type: 'block_actions', user: ADA, actions }
  const at = Date.now()
  expect((await slack.send(world.url, payload, { at })).status).toBe(200)
  const first = await it.question(id)
  expect((await slack.send(world.url, payload, { at })).status).toBe(200)
  expect(await it.question(id)).toEqual(first)
  const trail = await (await it.world.get('/api/v1/audit?kind=question.answered_late')).json()
  expect(JSON.stringify(trail)).not.toContain(id)
})

test('without headers, and by another method, nothing is done', async () => {
  const address = `${it.world.url}/slack/interactions`
  expect((await fetch(address, { method: 'POST', body: 'payload={}' })).status).toBe(403)
  expect((await fetch(address)).status).toBe(405)
  const huge = await fetch(address, { method: 'POST', body: 'x'.repeat(1_100_000) })
  expect(huge.status).toBe(413)
})

test('a server without a Slack app takes nothing', async () => {
  await using bare = await startedApp()
  const response = await it.slack.send(bare.app.url, { type: 'block_actions' })
  expect(response.status).toBe(403)
})

const odd = [
  '',
  'payload',
  'payload=',
  'payload=null',
  'payload=[]',
  'payload=1',
  'payload=%7B',
  'payload=%FF%FE',
  'payload={"type":"block_actions"}',
  'payload={"type":"block_actions","user":{"id":"U"},"actions":[]}',
  'payload={"type":"block_actions","user":null,"actions":[{}]}',
  'payload={"type":"view_submission","user":{"id":"U"},"view":{}}',
]

test('what is signed but malformed is refused in a sentence', async () => {
  for (const body of odd) {
    const response = await it.slack.send(it.world.url, {}, { body })
    expect([body, response.status]).toEqual([body, 400])
  }
})

test('what is well formed and not ours is taken without a word', async () => {
  const user = { id: 'U1' }
  const view = { callback_id: 'other', private_metadata: '', state: { values: {} } }
  for (const payload of [
    { type: 'shortcut' },
    { type: 'view_closed', user },
    { type: 'block_actions', user, actions: [{ action_id: 'open' }] },
    { type: 'block_actions', user, actions: [{ value: 'q_1 sub_1 maybe' }] },
    { type: 'block_actions', user, actions: [{ value: 'q_1 sub_1 yes' }] },
    { type: 'block_actions', user, actions: [{ value: "q_1' or 1=1 sub_1 yes" }] },
    { type: 'view_submission', user, view },
  ]) {
    const response = await it.slack.send(it.world.url, payload)
    expect([response.status, await response.text()]).toEqual([200, ''])
  }
})

test('any JSON that is signed ends in 200 or 400, and the server goes on', async () => {
  const key = fc.constantFrom('type', 'user', 'id', 'actions', 'value', 'view', 'state', 'values')
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('block_actions', 'view_submission', 'U1', '__proto__', 'q_1 sub_1 yes'),
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.boolean(),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(key, tie('any'), { maxKeys: 5 }),
    ),
  })).any
  await fc.assert(
    fc.asyncProperty(value, async (payload) => {
      const { status } = await it.slack.send(it.world.url, payload)
      expect([200, 400]).toContain(status)
    }),
    { numRuns: howOften(20, 150) },
  )
})

test('the option of a number that is not there, or of another kind, is no answer', async () => {
  const id = await it.ask({ question: 'Which?', type: 'select', options: ['A', 'B'] })
  const [message] = [...it.slack.messages.values()].slice(-1)
  const value = String(buttonIn(message?.blocks ?? [], 'A')?.value)
  for (const choice of ['7', 'yes']) {
    const actions = [{ value: value.replace(/ 0$/, ` ${choice}`) }]
    const pressed = { type: 'block_actions', user: ADA, actions }
    expect((await it.slack.send(it.world.url, pressed)).status).toBe(200)
  }
  expect((await it.question(id))?.status).toBe('pending')
})
