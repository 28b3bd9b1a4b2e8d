import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { PersonId } from '../../../src/ask/accounts/model/ids.ts'
import { insertPerson, putOff } from '../../../src/ask/accounts/model/person-store.ts'
import { workspaces } from '../../../src/ask/accounts/model/table.ts'
import { putAccount } from '../../../src/ask/chat-accounts/model/store.ts'
import { linkToken, quickKey } from '../../../src/ask/delivery/model/links.ts'
import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import { findQuestion, insertQuestion } from '../../../src/ask/questions/model/store.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { listVotes } from '../../../src/ask/votes/model/store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { aDevice, connect } from '../../support/devices.ts'
import { aQuestion } from '../../support/question.ts'
import { signInAs } from '../../support/sign-in.ts'
import { type SlackWorld, slackWorld } from '../../support/slack-world.ts'

/** All of them but `member`, `told` and `stranger` are in the group that decides; `unlinked` has no account in Slack. */
const CALLERS = [
  'decider',
  'asker',
  'member',
  'told',
  'auditor',
  'off',
  'left',
  'stranger',
  'unlinked',
] as const
type Caller = (typeof CALLERS)[number]

const OTHER = 'ws_other' as const
let it: SlackWorld
let token: string
const cookies = {} as Record<Caller, string>
const devices = {} as Record<Caller, `sub_${string}`>

beforeAll(async () => {
  it = await slackWorld()
  await it.connect()
  const { db, workspaceId, app } = it.world
  const now = clock.now()
  const group = newId('group', now)
  await db.write(async (tx) => {
    await tx.insert(workspaces).values({ id: OTHER, name: 'other', createdAt: now })
    for (const id of CALLERS) {
      const role = id === 'auditor' ? 'auditor' : 'member'
      const where = id === 'stranger' ? OTHER : workspaceId
      const who = { id, name: id, email: `${id}@example.org`, workspaceId: where, role } as const
      await insertPerson(tx, who, now)
      if (id === 'unlinked') continue
      const account = { service: 'slack', account: `T0:U0${id.toUpperCase()}`, label: id } as const
      await putAccount(tx, { ...account, workspaceId: where, personId: id, createdAt: 1 })
    }
    const of = { id: group, workspaceId, name: 'engineers', source: 'hand', createdAt: 1 } as const
    await insertGroup(tx, { ...of, externalId: undefined })
    const ids: PersonId[] = ['decider', 'asker', 'auditor', 'off', 'left', 'unlinked']
    await putGroupMembers(tx, { id: group, workspaceId }, 'hand', ids)
  })
  for (const who of CALLERS) {
    cookies[who] = await signInAs(app, who)
    const [device] = await connect(
      db,
      aDevice({ workspaceId: who === 'stranger' ? OTHER : workspaceId, personId: who }),
    )
    devices[who] = device?.id as `sub_${string}`
  }
  await db.write((tx) => putOff(tx, { workspaceId, personId: 'off' }, 1))
  const gone = await it.world.post('/settings/people/left/remove', { tokens: 'revoke' })
  expect(gone.status).toBe(303)
  token = (await createToken({ db, clock }, { workspaceId, name: 'asks', by: 'asker' })).token
  const approve = { from: [group], tell: [group, 'told'] }
  await addRule({ db, clock }, workspaceId, { match: { toolName: 'Bash' }, approve })
}, 30_000)
afterAll(() => it[Symbol.asyncDispose]())

let asks = 0
async function ask(): Promise<QuestionId> {
  const response = await fetch(`${it.world.url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question: `Apply ${++asks}?`, toolName: 'Bash', wait: false }),
  })
  return ((await response.json()) as { correlationId: QuestionId }).correlationId
}

const answer = (id: QuestionId, body: object, headers: Record<string, string>) =>
  fetch(`${it.world.url}/api/v1/questions/${id}/answer`, {
    method: 'POST',
    headers: { origin: it.world.url, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

function linkOf(questionId: QuestionId, who: Caller, purpose: 'page' | Value): string {
  const link = { questionId, subscriberId: devices[who], purpose }
  return `/a/${linkToken(it.world.app.secrets.quickAnswerSecret, link)}`
}

/** Where Slack shows it, as its buttons say. */
async function placeOf(id: QuestionId): Promise<string> {
  const [channel] = (await it.devices()).filter(({ transport }) => transport === 'slack')
  return `${id} ${channel?.id}`
}

/** In Slack everybody calls themselves as the decider does. */
function userOf(who: Caller) {
  return { id: `U0${who.toUpperCase()}`, username: 'decider', team_id: 'T0' }
}

type Value = 'yes' | 'no'

/** Every way in which somebody could answer. */
const WAYS: Record<string, (id: QuestionId, who: Caller, value: Value) => Promise<unknown>> = {
  page: (id, who, value) =>
    it.world.post(`/d/${id}/answer`, { value, sure: 'yes' }, { cookie: cookies[who] }),
  REST: (id, who, value) => answer(id, { value }, { cookie: cookies[who] }),
  link: (id, who, value) => it.world.post(linkOf(id, who, 'page'), { value }, { cookie: '' }),
  'button of ntfy': (id, who, value) => it.world.post(linkOf(id, who, value), {}, { cookie: '' }),
  'button of a push': (id, who, value) => {
    const subscriberId = devices[who]
    const key = quickKey(it.world.app.secrets.quickAnswerSecret, id, subscriberId)
    return answer(id, { value, key, subscriberId }, {})
  },
  Slack: async (id, who, value) => {
    const actions = [{ value: `${await placeOf(id)} ${value}` }]
    return it.slack.send(it.world.url, { type: 'block_actions', user: userOf(who), actions })
  },
  'form of Slack': async (id, who, value) => {
    const values = { value: { field: { selected_option: { value } } } }
    const place = { callback_id: 'beckon_answer', private_metadata: await placeOf(id) }
    const view = { ...place, state: { values } }
    return it.slack.send(it.world.url, { type: 'view_submission', user: userOf(who), view })
  },
  together: async (id, who, value) => {
    const other = await ask()
    const fields = [
      ['id', id],
      ['id', other],
      ['value', value],
    ]
    return it.world.post('/inbox/together', fields, { cookie: cookies[who] })
  },
  'a token': (id, _, value) => answer(id, { value }, { authorization: `Bearer ${token}` }),
}

/** Where an answer of a decider counts; nobody else’s counts anywhere. */
const COUNTS: Record<Value, string[]> = {
  yes: ['page', 'REST', 'Slack', 'form of Slack'],
  // Whoever holds the link to a decider’s device may decline for them.
  no: ['page', 'REST', 'Slack', 'form of Slack', 'link'],
}
// Without an account in Slack they decide like anybody.
const UNLINKED = ['page', 'REST', 'link']

test.each(Object.keys(WAYS).flatMap((way) => [[way, 'yes'] as const, [way, 'no'] as const]))(
  'by %s, a %s counts of deciders alone, and nothing else is written',
  async (way, value) => {
    const counted: string[] = []
    for (const who of CALLERS) {
      const id = await ask()
      await WAYS[way]?.(id, who, value)
      const votes = await listVotes(it.world.db.read, id)
      const { status, value: decided } = (await it.question(id)) ?? {}
      expect([way, who, status, decided, votes.length]).toEqual([
        ...[way, who],
        ...(votes.length > 0 ? ['answered', value, 1] : ['pending', undefined, 0]),
      ])
      if (votes.length > 0) counted.push(who)
    }
    const deciders = UNLINKED.includes(way) ? ['decider', 'unlinked'] : ['decider']
    expect(counted).toEqual(COUNTS[value].includes(way) ? deciders : [])
  },
  30_000,
)

test('a button of this channel with a question of another workspace answers nothing', async () => {
  const { db } = it.world
  const now = clock.now()
  const id = newId('q', now)
  const times = { createdAt: now, expiresAt: now + 600_000, waitEndsAt: now + 45_000 }
  await db.write((tx) => insertQuestion(tx, aQuestion('', { workspaceId: OTHER, ...times, id })))
  for (const who of ['decider', 'stranger', 'unlinked'] as const) {
    expect(await WAYS.Slack?.(id, who, 'yes')).toMatchObject({ status: 200 })
    await WAYS['form of Slack']?.(id, who, 'yes')
  }
  expect((await findQuestion(db.read, OTHER, id))?.status).toBe('pending')
})
