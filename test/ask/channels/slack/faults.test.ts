import { expect, test } from 'bun:test'
import { cancelQuestion } from '../../../../src/ask/answering/cancel-question.ts'
import { askUser } from '../../../../src/ask/asking/ask-user.ts'
import { receiptOf } from '../../../../src/ask/channels/slack/refusals.ts'
import { listAlarms } from '../../../../src/ask/delivery/model/store.ts'
import { expireQuestions } from '../../../../src/ask/questions/end-question.ts'
import { findSubscriber } from '../../../../src/ask/subscribers/model/store.ts'
import { WINDOW_MS } from '../../../../src/ask/wire/limits.ts'
import { onEnded } from '../../../support/on-ended.ts'
import { slackOffice } from '../../../support/slack-office.ts'
import { buttonsOf, type SlackBehaviour } from '../../../support/slack-server.ts'
import { until } from '../../../support/until.ts'

type Office = Awaited<ReturnType<typeof slackOffice>>

async function ask({ deps, world }: Office, question = 'Deploy?') {
  const { correlationId } = await askUser(deps, { question, wait: false }, world.call())
  return correlationId
}

async function device({ db, connected }: Office) {
  return findSubscriber(db.read, connected.workspaceId, connected.id)
}

const FAULTS: Array<
  [name: string, behaviour: SlackBehaviour, state: string, words: string, alarm: boolean]
> = [
  ['invalid_auth', { error: 'invalid_auth' }, 'refused', 'save its new bot token', true],
  ['token_revoked', { error: 'token_revoked' }, 'refused', 'token_revoked', true],
  [
    'missing_scope',
    { error: 'missing_scope', needed: 'chat:write' },
    'refused',
    'It wants chat:write',
    true,
  ],
  ['ekm_access_denied', { error: 'ekm_access_denied' }, 'refused', 'has to allow the app', true],
  ['a web page', { status: 200, body: '<html>' }, 'refused', 'is not Slack', true],
  [
    'a redirect',
    { status: 302, headers: { location: 'https://x.example' } },
    'refused',
    'is not Slack',
    true,
  ],
  ['channel_not_found', { error: 'channel_not_found' }, 'refused', '/invite', false],
  ['not_in_channel', { error: 'not_in_channel' }, 'refused', '/invite', false],
  ['is_archived', { error: 'is_archived' }, 'refused', 'archived', false],
  ['restricted_action', { error: 'restricted_action' }, 'refused', 'only some people', false],
  ['a word nobody knows', { error: 'constructor' }, 'refused', '(constructor)', false],
  ['invalid_blocks', { error: 'invalid_blocks' }, 'refused', '(invalid_blocks)', false],
  ['429', { status: 429, headers: { 'retry-after': '7' } }, 'waiting', 'fewer messages', false],
  ['ratelimited', { error: 'ratelimited' }, 'waiting', 'fewer messages', false],
  ['500', { status: 500 }, 'waiting', 'trouble of its own', false],
  ['internal_error', { error: 'internal_error' }, 'waiting', 'trouble of its own', false],
  ['an answer that breaks off', 'break', 'waiting', 'broke off', false],
  ['a connection that breaks', 'lose', 'waiting', 'not reached', false],
]

test.each(FAULTS)(
  'what Slack answers is kept, shown and told: %s',
  async (_, behaviour, state, words, alarm) => {
    await using office = await slackOffice()
    const { slackAt, db, rows } = office
    slackAt.behave('chat.postMessage', behaviour)
    const id = await ask(office)
    await until(async () => (await rows(id))[0]?.attempts === 1)
    const [row] = await rows(id)
    expect(row?.state).toBe(state as never)
    expect(row?.lastError).toContain(words)
    expect((await device(office))?.lastError).toContain(words)
    const alarms = await listAlarms(db.read)
    expect(alarms.map(({ text }) => text.includes(words))).toEqual(alarm ? [true] : [])
    expect(JSON.stringify([row, alarms])).not.toContain(slackAt.botToken)
  },
)

test('Retry-After is waited for, and the alarm ends with the next message that gets through', async () => {
  await using office = await slackOffice()
  const { slackAt, clock, db, rows, retry } = office
  slackAt.behave('chat.postMessage', { error: 'token_revoked' })
  const lost = await ask(office, 'Lost')
  await until(async () => (await rows(lost))[0]?.state === 'refused')
  expect(await listAlarms(db.read)).toHaveLength(1)

  slackAt.behave('chat.postMessage', { status: 429, headers: { 'retry-after': '30' } })
  const id = await ask(office)
  await until(async () => (await rows(id))[0]?.attempts === 1)
  slackAt.behave('chat.postMessage')
  await clock.advance(29_000)
  expect(await retry()).toBe(0)
  await clock.advance(1_000)
  expect(await retry()).toBe(1)
  await until(async () => (await rows(id))[0]?.state === 'accepted')
  expect((await rows(id))[0]).toMatchObject({ attempts: 2, messageRef: 'C0OPS 1700000000.000001' })
  await until(async () => (await listAlarms(db.read)).length === 0)
})

test('what one process could not post, the next one posts, and it changes what the other posted', async () => {
  await using office = await slackOffice()
  const { slackAt, clock, sender, openSender, rows, deps, world } = office
  const posted = await ask(office, 'Posted before')
  await until(async () => (await rows(posted))[0]?.state === 'accepted')
  slackAt.behave('chat.postMessage', { status: 503 })
  const waits = await ask(office, 'Waits')
  await until(async () => (await rows(waits))[0]?.attempts === 1)
  await sender[Symbol.asyncDispose]()
  slackAt.behave('chat.postMessage')

  await using next = openSender('second')
  await clock.advance(60_000)
  expect(await office.retry(next)).toBe(1)
  await until(async () => (await rows(waits))[0]?.state === 'accepted')
  const call = world.call()
  await cancelQuestion({ ...deps, onEnded: onEnded(next) }, { correlationId: posted }, call)
  await until(() => slackAt.of('chat.update').length === 1)
  expect(slackAt.of('chat.update')[0]?.input).toMatchObject({
    channel: 'C0OPS',
    ts: '1700000000.000001',
  })
})

test('an expired question is replaced by that, also when Slack has trouble at first', async () => {
  await using office = await slackOffice()
  const { slackAt, clock, deps, rows, retry } = office
  const id = await ask(office)
  await until(async () => (await rows(id))[0]?.state === 'accepted')
  slackAt.behave('chat.update', { status: 500 }, 'lose')
  await clock.advance(WINDOW_MS)
  expect(await expireQuestions(deps)).toBe(1)
  await until(async () => (await rows(id))[1]?.attempts === 1)
  expect(buttonsOf([...slackAt.messages.values()][0]?.blocks ?? [])).not.toEqual([])
  slackAt.behave('chat.update')
  await clock.advance(60_000)
  await retry()
  await until(async () => (await rows(id))[1]?.state === 'accepted')
  const [message] = slackAt.messages.values()
  expect(JSON.stringify(message?.blocks)).toContain('Expired without an answer')
  expect(buttonsOf(message?.blocks ?? [])).toEqual([])
})

test('an outcome that overtakes its question waits for it', async () => {
  await using office = await slackOffice()
  const { slackAt, clock, deps, rows, retry, world } = office
  slackAt.behave('chat.postMessage', 'hang')
  const id = await ask(office)
  await until(() => slackAt.of('chat.postMessage').length === 1)
  await cancelQuestion(deps, { correlationId: id }, world.call())
  const outcome = async () => (await rows(id)).find(({ message }) => message.kind === 'outcome')
  await until(async () => (await outcome())?.attempts === 1)
  expect(await outcome()).toMatchObject({
    state: 'waiting',
    lastError: 'The question was not posted there.',
  })
  expect(slackAt.of('chat.update')).toEqual([])
  await clock.advance(1_000)
  expect(await retry()).toBe(1)
  const closed = office.sender[Symbol.asyncDispose]()
  await clock.advance(2_000)
  await closed
})

test('an answer that says a long message back is read to its end', async () => {
  await using office = await slackOffice()
  const { slackAt, rows } = office
  const long = { ok: true, channel: 'C0OPS', ts: '1.2', message: { text: 'x'.repeat(200_000) } }
  slackAt.behave('chat.postMessage', { status: 200, body: JSON.stringify(long) })
  const id = await ask(office)
  await until(async () => (await rows(id))[0]?.attempts === 1)
  expect((await rows(id))[0]).toMatchObject({ state: 'accepted', messageRef: 'C0OPS 1.2' })
})

test('an outcome of a question that was never posted says why', async () => {
  await using office = await slackOffice()
  const { channel, connected, slackAt } = office
  const message = {
    kind: 'outcome',
    title: 'Answered',
    body: 'q',
    tag: 't',
    url: '/d/q_1',
    urgency: 'normal',
  } as const
  const delivery = { message, subjectId: 'q_none' as const, expiresAt: Number.MAX_SAFE_INTEGER }
  const signal = new AbortController().signal
  expect(await channel.send(delivery, connected, signal)).toMatchObject({
    outcome: 'refused',
    status: 0,
  })
  const lost = { ...connected, endpoint: 'https://slack.com/' }
  const test = { ...delivery, message: { ...message, kind: 'test' as const } }
  expect(await channel.send(test, lost, signal)).toMatchObject({ outcome: 'refused' })
  expect(slackAt.calls).toEqual([])
})

test('without an app nothing is posted; an address that is blocked is an alarm of the server', () => {
  const nothing = receiptOf({ outcome: 'not_set_up' })
  expect(nothing).toMatchObject({ reason: expect.stringContaining('Settings, Slack') })
  expect(nothing).not.toHaveProperty('alarm')
  expect(receiptOf({ outcome: 'blocked', reason: 'Private.' })).toMatchObject({
    outcome: 'refused',
    alarm: expect.stringContaining('BECKON_ALLOW_PRIVATE_HOSTS'),
  })
})
