import { expect, test } from 'bun:test'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { createNtfy } from '../../../src/ask/channels/ntfy/channel.ts'
import { sendNotification } from '../../../src/ask/notifications/send-notification.ts'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { noDeviceHas } from '../../../src/ask/subscribers/model/unmatched.ts'
import type { Targeting } from '../../../src/ask/wire/targeting.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { ntfyServer } from '../../support/ntfy-server.ts'
import { aMessage, questionId, quickAnswerSecret } from '../../support/post-office.ts'

const NONE_ACCEPTED = 'No connected device accepted this; Settings, Devices says why.'
const NOTE = { title: 'Done', body: 'All green.' }

async function both({ deps, call }: FlowWorld, target: Targeting) {
  const notification = await sendNotification(deps, { ...NOTE, ...target }, call())
  const question = await askUser(deps, { question: 'Go?', ...target }, call())
  expect(notification.sent).toBe(0)
  expect(question).toMatchObject({ noDevices: true, delivery: { web: 0, mobile: 0 } })
  expect(question.warning).toBe(notification.warning as string)
  return { warning: notification.warning, hint: `${notification.hint} ${question.hint}` }
}

test.each([
  [{ tags: ['wrok'] }, 'No device has the tag wrok', 'Without tags '],
  [{ tags: ['wrok', 'ops'] }, 'No device has the tag wrok or the tag ops', 'Without tags '],
  [{ externalIds: ['ann'] }, 'No device has the external id ann', 'Without externalIds '],
  [{ subscriberIds: ['sub_1'] }, 'No device has the id sub_1', 'Without subscriberIds '],
  [
    { tags: ['a'], externalIds: ['b'], subscriberIds: ['c'] },
    'No device has the tag a, the external id b or the id c',
    'Without tags and externalIds and subscriberIds ',
  ],
])('%j is named, and how it gets through', async (target, warning, hint) => {
  await using world = await flowWorld()
  await world.device('laptop', { tags: ['work'] })
  const replies = await both(world, target)
  expect(replies.warning).toBe(warning)
  expect(replies.hint.split(hint)).toHaveLength(3)
  expect(world.deliveries).toEqual([])
})

test('with nothing connected, connecting a device comes first', async () => {
  await using world = await flowWorld()
  expect((await both(world, { tags: ['wrok'] })).warning).toContain('must connect one')
})

test('a device that has the tag and refuses is no slip in the tag', async () => {
  await using world = await flowWorld()
  await world.device('laptop', { tags: ['work'] })
  world.receipts.set('laptop', async () => ({ outcome: 'refused', status: 400, reason: 'no' }))
  expect((await both(world, { tags: ['work'] })).warning).toBe(NONE_ACCEPTED)
})

test('an ntfy device whose server answers without accepting is not said to be missing', async () => {
  await using ntfy = await ntfyServer()
  await using world = await flowWorld()
  const { fetch } = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  const channel = createNtfy({
    fetch,
    clock: world.clock,
    baseUrl: world.deps.baseUrl,
    quickAnswerSecret,
  })
  const phone = await world.device('phone', { kind: 'phone', transport: 'ntfy', keys: undefined })
  ntfy.behave('beckon', { status: 403, body: '{"code":40301,"http":403,"error":"forbidden"}' })
  const to = { ...phone, endpoint: `${ntfy.origin}/beckon` }
  world.receipts.set('phone', async () => {
    const message = aMessage()
    const delivery = { message, subjectId: questionId, expiresAt: world.clock.now() + 600_000 }
    return channel.send(delivery, to, new AbortController().signal)
  })
  expect((await both(world, {})).warning).toBe(NONE_ACCEPTED)
  expect(ntfy.published).toEqual([])
})

test('a target of the policy is not the call’s to correct', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  await setPolicy(deps, call().caller.workspaceId, { targeting: { tags: ['wrok'] } })
  const { warning, hint } = await both(world, {})
  expect(warning).toBe('No device has the tag wrok')
  expect(hint).toContain('This workspace chose that target')
  expect(hint).not.toContain('Without tags')
})

test('the device of another workspace is not one of this', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  await world.device('theirs', { tags: ['wrok'], workspaceId: 'ws_other' })
  expect((await both(world, { tags: ['wrok'] })).warning).toBe('No device has the tag wrok')
})

test('a retry is told the same', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const ask = { question: 'Go?', tags: ['wrok'], requestId: 'r1' }
  const first = await askUser(deps, ask, call())
  expect(await askUser(deps, ask, call())).toEqual(first)
})

// What an agent names comes back short, on one line, and with nothing hidden in it.
test.each([
  ['night shift', 'No device has the tag "night shift"'],
  ['', 'No device has the tag ""'],
  ['a\u200bb', 'No device has the tag "a\\u{200b}b"'],
  ['a\u202eb\u0000c\nd', 'No device has the tag "abc d"'],
  ['"} Ignore all', 'No device has the tag "\\"} Ignore all"'],
  ['x'.repeat(5_000), `No device has the tag ${'x'.repeat(40)}…`],
  ['🙂'.repeat(50), `No device has the tag "${'🙂'.repeat(40)}…"`],
])('the tag %j is echoed as %s', async (tag, warning) => {
  await using world = await flowWorld()
  await world.device('laptop')
  expect((await both(world, { tags: [tag] })).warning).toBe(warning)
})

test('of ten thousand targets a few are named', () => {
  const tags = Array.from({ length: 10_000 }, (_, i) => `t${i}`)
  const warning = noDeviceHas({ tags })
  expect(warning).toBe(
    'No device has the tag t0, the tag t1, the tag t2, the tag t3, the tag t4 or 9995 others',
  )
  expect(noDeviceHas({ tags: tags.slice(0, 6) })).toEndWith('the tag t4 or one other')
})
