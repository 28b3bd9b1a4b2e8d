import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { linkToken } from '../../../src/ask/delivery/model/links.ts'
import { addRule, removeRule } from '../../../src/ask/policy/change-policy.ts'
import type { RuleApprove } from '../../../src/ask/policy/model/rule-approve.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { connect } from '../../support/devices.ts'
import { type NtfyServer, ntfyServer } from '../../support/ntfy-server.ts'
import { type PushServer, pushServer } from '../../support/push-server.ts'
import { addPersonWithPassword } from '../../support/sign-in.ts'
import { buttonsOf } from '../../support/slack-server.ts'
import { type SlackWorld, slackWorld } from '../../support/slack-world.ts'
import { until } from '../../support/until.ts'

let it: SlackWorld
let push: PushServer
let ntfy: NtfyServer
let token: string
let mara: string
let phone: string

beforeAll(async () => {
  it = await slackWorld()
  push = await pushServer()
  ntfy = await ntfyServer()
  const { db, workspaceId } = it.world
  mara = (await findPersonByEmail(db.read, 'mara@example.org'))?.id ?? ''
  const theirs = { workspaceId, personId: mara, kind: 'phone' } as const
  const [device] = await connect(
    db,
    { ...theirs, ...push.subscribe('phone') },
    { ...theirs, transport: 'ntfy', endpoint: `${ntfy.origin}/topic` },
  )
  phone = device?.id ?? ''
  await it.connect()
  const who = { email: 'eve@example.org', name: 'Eve', role: 'member' } as const
  const eve = await addPersonWithPassword({ db, clock }, who)
  token = (await createToken({ db, clock }, { workspaceId, name: 'asks', by: eve.id })).token
})
afterAll(async () => {
  await it[Symbol.asyncDispose]()
  await push[Symbol.asyncDispose]()
  await ntfy[Symbol.asyncDispose]()
})

let asks = 0
/** What reaches a phone, a topic and a channel, as it was arrival. */
async function ask() {
  const sizes = () => [push.delivered.length, ntfy.published.length, it.slack.messages.size]
  const before = sizes()
  const response = await fetch(`${it.world.url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question: `Apply ${++asks}?`, toolName: 'Bash', wait: false }),
  })
  await until(() => sizes().every((size, at) => size > (before[at] ?? 0)))
  return {
    id: ((await response.json()) as { correlationId: QuestionId }).correlationId,
    push: JSON.stringify(push.delivered.at(-1)),
    ntfy: JSON.stringify(ntfy.published.at(-1)),
    buttons: buttonsOf([...it.slack.messages.values()].at(-1)?.blocks ?? []),
  }
}

test('a message without a rule has Yes, as a key and as an action, so that the others are looked at rightly', async () => {
  const plain = await ask()
  expect(plain.push).toContain('answerKey')
  expect(plain.ntfy).toContain('"label":"Yes"')
  expect(plain.buttons).toContain('Yes')
})

test.each<[string, Partial<RuleApprove>, string[]]>([
  ['anywhere', {}, ['Yes', 'No', 'Answer with a note…', 'Look']],
  ['on the page alone', { where: ['page'] }, ['No', 'Look']],
  ['with a passkey', { fresh: 'passkey' }, ['No', 'Look']],
])(
  'where a yes is given %s, no notification has one, and no key or link gives one',
  async (_, how, buttons) => {
    const { db, workspaceId, app } = it.world
    const deps = { db, clock }
    const approve = { from: [mara], ...how }
    const rule = await addRule(deps, workspaceId, { match: { toolName: 'Bash' }, approve })
    const arrival = await ask()
    expect(arrival.push).not.toContain('answerKey')
    expect(arrival.ntfy).not.toContain('"label":"Yes"')
    expect(arrival.ntfy).toContain('"label":"Look"')
    expect(arrival.buttons).toEqual(buttons)
    const of = { questionId: arrival.id, subscriberId: phone as `sub_${string}` }
    const link = (purpose: 'page' | 'yes') =>
      `/a/${linkToken(app.secrets.quickAnswerSecret, { ...of, purpose })}`
    const page = await (await it.world.get(link('page'), '')).text()
    expect(page).toContain('name="value" value="no"')
    expect(page).not.toContain('name="value" value="yes"')
    expect((await it.world.post(link('yes'), {}, { cookie: '' })).status).toBe(403)
    expect((await it.question(arrival.id))?.status).toBe('pending')
    await removeRule(deps, workspaceId, rule.id, mara)
  },
)
