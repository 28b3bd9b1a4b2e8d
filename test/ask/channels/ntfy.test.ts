import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createNtfy } from '../../../src/ask/channels/ntfy/channel.ts'
import type { Message } from '../../../src/ask/delivery/model/channel.ts'
import type { Subscriber } from '../../../src/ask/subscribers/model/subscriber.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { aDevice } from '../../support/devices.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { type NtfyBehaviour, type NtfyServer, ntfyServer } from '../../support/ntfy-server.ts'
import { aMessage, baseUrl, questionId, quickAnswerSecret } from '../../support/post-office.ts'

let ntfy: NtfyServer
beforeAll(async () => {
  ntfy = await ntfyServer()
})
afterAll(() => ntfy[Symbol.asyncDispose]())

const clock = fakeClock()
const { fetch } = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
const channel = createNtfy({ fetch, clock, baseUrl, quickAnswerSecret })
let topics = 0

async function publish(
  more: Partial<Message> = {},
  changes: Partial<Subscriber> = {},
  signal = new AbortController().signal,
) {
  const endpoint = `${ntfy.origin}/topic-${topics++}`
  const device = aDevice({
    kind: 'phone',
    transport: 'ntfy',
    keys: undefined,
    endpoint,
    ...changes,
  })
  const delivery = {
    message: aMessage(more),
    subjectId: questionId,
    expiresAt: clock.now() + 600_000,
  }
  const receipt = await channel.send(delivery, device, signal)
  return { receipt, message: ntfy.published.at(-1), device }
}

test('a question has its words, a link, and for a harmless confirm two buttons', async () => {
  const { receipt, message } = await publish()
  expect(receipt).toEqual({ outcome: 'accepted', status: 200 })
  expect(message).toMatchObject({
    title: 'Claude Code asks',
    message: 'May I run the migration?',
    priority: 4,
    tags: ['question'],
    sequence_id: questionId,
  })
  const link = new RegExp(`^${baseUrl}/a/[\\w.-]{40,100}$`)
  expect(message?.click).toMatch(link)
  const actions = message?.actions ?? []
  expect(actions.map(({ label, action, clear }) => [label, action, clear])).toEqual([
    ['Yes', 'http', true],
    ['No', 'http', true],
    ['Look', 'view', true],
  ])
  for (const { url } of actions) expect(url).toMatch(link)
  expect(new Set(actions.map(({ url }) => url)).size).toBe(3)
  expect(actions[0]?.method).toBe('POST')
})

test('a question without one-tap answers has the link alone; a plain message has no link', async () => {
  const question = { correlationId: questionId, type: 'confirm', quick: false } as const
  expect((await publish({ question })).message?.actions?.map(({ label }) => label)).toEqual([
    'Look',
  ])
  const { question: _, ...plain } = aMessage()
  const device = aDevice({ transport: 'ntfy', endpoint: `${ntfy.origin}/plain` })
  const notification = { ...plain, kind: 'notification', url: '/n/n_1', tag: 'n_1' } as const
  const delivery = {
    message: notification,
    subjectId: 'n_1' as const,
    expiresAt: clock.now() + 1_000,
  }
  await channel.send(delivery, device, new AbortController().signal)
  const message = ntfy.published.at(-1)
  expect(message).toMatchObject({ click: `${baseUrl}/n/n_1`, priority: 4, tags: ['warning'] })
  expect(message).not.toHaveProperty('actions')
})

test('an outcome takes the place of its question without a sound; a test stands alone', async () => {
  const outcome = await publish({ kind: 'outcome', title: 'Answered: yes', urgency: 'normal' })
  expect(outcome.message).toMatchObject({ priority: 2, sequence_id: questionId })
  const tried = await publish({ kind: 'test', tag: 'test' })
  expect(tried.message).not.toHaveProperty('sequence_id')
  const spaced = await publish({
    kind: 'notification',
    tag: 'a tag with spaces',
    urgency: 'normal',
  })
  expect(spaced.message).toMatchObject({ priority: 3 })
  expect(spaced.message).not.toHaveProperty('sequence_id')
})

test('pictures are named when they are https, and no address of another kind is', async () => {
  const { message } = await publish({
    iconUrl: 'https://x.example/i.png',
    imageUrl: 'http://x.example/i.png',
    url: 'javascript:alert(1)',
  })
  expect(message?.icon).toBe('https://x.example/i.png')
  expect(message).not.toHaveProperty('attach')
})

test('long words are cut so that the whole fits, in any script', async () => {
  for (const body of [
    'x'.repeat(20_000),
    '長'.repeat(9_000),
    '😀'.repeat(5_000),
    '"\\\n'.repeat(5_000),
  ]) {
    const { receipt, message } = await publish({ body, title: body.slice(0, 2_000) })
    expect(receipt.outcome).toBe('accepted')
    expect(ntfy.sizes.at(-1)).toBeLessThanOrEqual(3_800)
    // What is not shown to its end is not answered with a button.
    expect(message?.actions?.map(({ label }) => label)).toEqual(['Look'])
    expect(message?.message).toEndWith('…')
    expect(message?.message).not.toContain('\ufffd')
  }
  expect((await publish({ body: '' })).message?.message).toBe('Claude Code asks')
})

test('a token or a password goes along, and nothing without one', async () => {
  const secret = 'Bearer tk_secret'
  const endpoint = `${ntfy.origin}/guarded`
  ntfy.protect('guarded', secret)
  expect((await publish({}, { endpoint, authorization: secret })).receipt.outcome).toBe('accepted')
  const { receipt } = await publish({}, { endpoint })
  expect(receipt).toMatchObject({ outcome: 'refused', status: 403 })
  expect(ntfy.authorizations.at(-1)).toBeUndefined()
  const wrong = await publish({}, { endpoint, authorization: 'Bearer tk_other' })
  expect(JSON.stringify(wrong.receipt)).not.toContain('tk_other')
})

const published = JSON.stringify({ id: 'x', event: 'message', topic: 'another' })
const FAULTS: Array<[string, NtfyBehaviour[], object, string]> = [
  ['401', [{ status: 401 }], { outcome: 'refused', status: 401 }, 'access token or password'],
  ['403', [{ status: 403 }], { outcome: 'refused', status: 403 }, 'publish to the topic'],
  ['404', [{ status: 404 }], { outcome: 'refused', status: 404 }, 'Check the address'],
  ['410', [{ status: 410 }], { outcome: 'refused', status: 410 }, '(410)'],
  ['413 twice', [{ status: 413 }], { outcome: 'refused', status: 413 }, 'shortened'],
  [
    '429',
    [{ status: 429, headers: { 'retry-after': '7' } }],
    { outcome: 'later', retryAfterMs: 7_000 },
    'fewer messages',
  ],
  ['429 bare', [{ status: 429 }], { outcome: 'later', status: 429 }, 'fewer messages'],
  ['500', [{ status: 500 }], { outcome: 'later', status: 500 }, 'trouble of its own'],
  ['507', [{ status: 507 }], { outcome: 'later', status: 507 }, 'trouble of its own'],
  [
    '302',
    [{ status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    { outcome: 'refused', status: 302 },
    'not followed',
  ],
  [
    '400',
    [{ status: 400, body: '{"error":"no such thing"}' }],
    { outcome: 'refused', status: 400 },
    'no such thing',
  ],
  ['reset', ['reset'], { outcome: 'later', status: 0 }, 'not reached'],
  [
    'a web page',
    [{ status: 200, body: '<html>' }],
    { outcome: 'refused', status: 200 },
    'not as an ntfy server',
  ],
  [
    'another topic',
    [{ status: 200, body: published }],
    { outcome: 'refused', status: 200 },
    'not as an ntfy server',
  ],
  ['no body', [{ status: 204 }], { outcome: 'refused', status: 204 }, 'not as an ntfy server'],
]

test.each(FAULTS)(
  'a server’s answer is a receipt that says so: %s',
  async (name, behaviour, wanted, words) => {
    const topic = `fault-${name.replaceAll(' ', '-')}`
    ntfy.behave(topic, ...behaviour)
    const { receipt } = await publish({}, { endpoint: `${ntfy.origin}/${topic}` })
    expect(receipt).toMatchObject(wanted)
    expect('reason' in receipt ? receipt.reason : '').toContain(words)
  },
)

test('what is too large for a server is sent once more, smaller', async () => {
  const endpoint = `${ntfy.origin}/small`
  const taken = JSON.stringify({ id: 'x', event: 'message', topic: 'small' })
  ntfy.behave('small', { status: 413 }, { status: 200, body: taken })
  const { receipt } = await publish({ body: 'x'.repeat(9_000) }, { endpoint })
  expect(receipt.outcome).toBe('accepted')
  const [first = 0, second = 0] = ntfy.sizes.slice(-2)
  expect([first > 3_000, second <= 1_500]).toEqual([true, true])
})

test('a server that hangs is given up when asked to; a private one is not reached at all', async () => {
  ntfy.behave('stuck', 'hang')
  const giveUp = new AbortController()
  const stuck = publish({}, { endpoint: `${ntfy.origin}/stuck` }, giveUp.signal)
  setTimeout(() => giveUp.abort(), 50)
  expect((await stuck).receipt).toMatchObject({ outcome: 'later', status: 0 })
  const closed = createNtfy({ ...createGuardedFetch(), clock, baseUrl, quickAnswerSecret })
  const device = aDevice({ transport: 'ntfy', endpoint: `${ntfy.origin}/private` })
  const delivery = { message: aMessage(), subjectId: questionId, expiresAt: clock.now() + 1_000 }
  const before = ntfy.sizes.length
  const refused = await closed.send(delivery, device, new AbortController().signal)
  expect([refused.outcome, ntfy.sizes.length]).toEqual(['refused', before])
  const none = { ...device, endpoint: 'https://ntfy.sh/' }
  const nowhere = await channel.send(delivery, none, new AbortController().signal)
  expect(nowhere).toMatchObject({ outcome: 'refused', status: 0 })
})
