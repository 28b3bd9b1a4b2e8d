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

/** All of them but `member`, `stranger` and `unlinked` are in the group that decides. */
const CALLERS = [
  'decider',
  'asker',
  'member',
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
  const approve = { from: [group] }
  await addRule({ db, clock }, workspaceId, { match: { toolName: 'Bash' }, approve })
})
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

function linkOf(questionId: QuestionId, who: Caller, purpose: 'page' | 'yes'): string {
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

/** Every way in which somebody could say yes. */
const WAYS: Record<string, (id: QuestionId, who: Caller) => Promise<unknown>> = {
  page: (id, who) =>
    it.world.post(`/d/${id}/answer`, { value: 'yes', sure: 'yes' }, { cookie: cookies[who] }),
  REST: (id, who) => answer(id, { value: 'yes' }, { cookie: cookies[who] }),
  link: (id, who) => it.world.post(linkOf(id, who, 'page'), { value: 'yes' }, { cookie: '' }),
  'button of ntfy': (id, who) => it.world.post(linkOf(id, who, 'yes'), {}, { cookie: '' }),
  'button of a push': (id, who) => {
    const subscriberId = devices[who]
    const key = quickKey(it.world.app.secrets.quickAnswerSecret, id, subscriberId)
    return answer(id, { value: 'yes', key, subscriberId }, {})
  },
  Slack: async (id, who) => {
    const value = `${await placeOf(id)} yes`
    return it.slack.send(it.world.url, {
      ...{ type: 'block_actions', user: userOf(who), actions: [{ value }] },
    })
  },
  'form of Slack': async (id, who) => {
    const values = { value: { field: { selected_option: { value: 'yes' } } } }
    const place = { callback_id: 'beckon_answer', private_metadata: await placeOf(id) }
    const view = { ...place, state: { values } }
    return it.slack.send(it.world.url, { type: 'view_submission', user: userOf(who), view })
  },
  together: async (id, who) => {
    const other = await ask()
    const fields = [
      ['id', id],
      ['id', other],
      ['value', 'yes'],
    ]
    return it.world.post('/inbox/together', fields, { cookie: cookies[who] })
  },
  'a token': (id) => answer(id, { value: 'yes' }, { authorization: `Bearer ${token}` }),
}

/** Where a yes of a decider counts; nobody else’s counts anywhere. */
const COUNTS = ['page', 'REST', 'Slack', 'form of Slack']
// Signed in, they decide like anybody.
const SIGNED_IN = ['page', 'REST']

test.each(Object.keys(WAYS))(
  'by %s, a yes counts of deciders alone, and nothing else is written',
  async (way) => {
    const counted: string[] = []
    for (const who of CALLERS) {
      const id = await ask()
      await WAYS[way]?.(id, who)
      const votes = await listVotes(it.world.db.read, id)
      const status = (await it.question(id))?.status
      expect([way, who, status, votes.length]).toEqual([
        ...[way, who],
        ...(votes.length > 0 ? ['answered', 1] : ['pending', 0]),
      ])
      if (votes.length > 0) counted.push(who)
    }
    const isHere = COUNTS.includes(way)
    const deciders = SIGNED_IN.includes(way) ? ['decider', 'unlinked'] : ['decider']
    expect(counted).toEqual(isHere ? deciders : [])
  },
)

test('a button of this channel with a question of another workspace answers nothing', async () => {
  const { db } = it.world
  const now = clock.now()
  const id = newId('q', now)
  const times = { createdAt: now, expiresAt: now + 600_000, waitEndsAt: now + 45_000 }
  await db.write((tx) => insertQuestion(tx, aQuestion('', { workspaceId: OTHER, ...times, id })))
  for (const who of ['decider', 'stranger', 'unlinked'] as const) {
    expect(await WAYS.Slack?.(id, who)).toMatchObject({ status: 200 })
    await WAYS['form of Slack']?.(id, who)
  }
  expect((await findQuestion(db.read, OTHER, id))?.status).toBe('pending')
})
