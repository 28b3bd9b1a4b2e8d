import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Person } from '../../../../src/ask/accounts/model/person.ts'
import { putOff } from '../../../../src/ask/accounts/model/person-store.ts'
import { makeAccountLink, stillHeld } from '../../../../src/ask/chat-accounts/chat-accounts.ts'
import { putAccount } from '../../../../src/ask/chat-accounts/model/store.ts'
import type { Group } from '../../../../src/ask/groups/model/group.ts'
import { insertGroup, putGroupMembers } from '../../../../src/ask/groups/model/store.ts'
import { removePerson } from '../../../../src/ask/people/remove-person.ts'
import { personGone } from '../../../../src/ask/person-gone.ts'
import { addRule } from '../../../../src/ask/policy/change-policy.ts'
import type { RuleApprove } from '../../../../src/ask/policy/model/rule-approve.ts'
import { readPolicy } from '../../../../src/ask/policy/model/store.ts'
import { createToken } from '../../../../src/ask/tokens/agent-tokens.ts'
import { listVotes } from '../../../../src/ask/votes/model/store.ts'
import type { QuestionId } from '../../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../../src/platform/clock.ts'
import { newId } from '../../../../src/platform/ids.ts'
import { addPersonWithPassword, signInAs } from '../../../support/sign-in.ts'
import { buttonIn, buttonsOf } from '../../../support/slack-server.ts'
import { type SlackWorld, slackWorld } from '../../../support/slack-world.ts'
import { until } from '../../../support/until.ts'

type Name = 'ana' | 'bob' | 'eve'
type Json = Record<string, unknown>

let it: SlackWorld
const people = {} as Record<Name, Person>
const cookies = {} as Record<Name, string>
let engineers: Group
let token: string

beforeEach(async () => {
  it = await slackWorld()
  await it.connect()
  const { db, workspaceId, app } = it.world
  for (const name of ['ana', 'bob', 'eve'] as const) {
    const who = { email: `${name}@example.org`, name, role: 'member' } as const
    people[name] = await addPersonWithPassword({ db, clock }, who)
    cookies[name] = await signInAs(app, people[name].id)
  }
  const of = { id: newId('group', clock.now()), workspaceId, name: 'engineers' } as const
  engineers = { ...of, source: 'hand', externalId: undefined, createdAt: 1 }
  await db.write(async (tx) => {
    await insertGroup(tx, engineers)
    await putGroupMembers(tx, engineers, 'hand', [people.ana.id, people.bob.id])
  })
  const agent = await createToken({ db, clock }, { workspaceId, name: 'asks', by: people.eve.id })
  token = agent.token
})
afterEach(() => it[Symbol.asyncDispose]())

const userOf = (name: string, more: Json = {}) => ({
  ...{ id: `U0${name.toUpperCase()}`, username: name, team_id: 'T0' },
  ...more,
})
const approve = (approve: Partial<RuleApprove> = {}) =>
  addRule({ db: it.world.db, clock }, it.world.workspaceId, {
    match: { toolName: 'Bash' },
    approve: { from: [engineers.id], ...approve },
  })

/** Asks as Eve's agent, until Slack has it. */
async function ask(more: Json = {}): Promise<QuestionId> {
  const posted = it.slack.messages.size
  const response = await fetch(`${it.world.url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'Apply?', toolName: 'Bash', wait: false, ...more }),
  })
  await until(() => it.slack.messages.size > posted)
  return ((await response.json()) as { correlationId: QuestionId }).correlationId
}
const buttons = () => buttonsOf([...it.slack.messages.values()].at(-1)?.blocks ?? [])
const votes = async (id: QuestionId) =>
  (await listVotes(it.world.db.read, id)).map(({ name, value }) => `${name} ${value}`).sort()
const statusOf = async (id: QuestionId) => (await it.question(id))?.status

/** Presses, and what Slack shows to that person alone. */
async function press(label: string, user: Json): Promise<string> {
  const before = it.slack.whispers.length
  expect((await it.slack.press(it.world.url, label, user)).status).toBe(200)
  await until(() => it.slack.whispers.length > before)
  const whisper = it.slack.whispers.at(-1)
  expect(whisper).toMatchObject({ response_type: 'ephemeral', replace_original: false })
  return String(whisper?.text)
}
const linkIn = (words: string) => /\/settings\/chat-accounts\/link\/\w{32}/.exec(words)?.[0] ?? ''

/** Links an account as its person does: presses, opens the link, confirms it. */
async function link(name: Name, user: Json = userOf(name)) {
  const path = linkIn(await press('No', user))
  const response = await it.world.post(path, {}, { cookie: cookies[name] })
  expect(response.headers.get('location')).toBe('/settings/chat-accounts')
}

test('the message of a question that lives for hours has the day until when it can be answered', async () => {
  const untilOf = () => JSON.stringify([...it.slack.messages.values()].at(-1)?.blocks)
  await ask()
  expect(untilOf()).toMatch(/<!date\^\d+\^\{time\}\|\d\d:\d\d UTC>/)
  await approve({ lifeMs: 3 * 24 * 60 * 60_000 })
  await ask({ question: 'Apply it?' })
  expect(untilOf()).toMatch(
    /<!date\^\d+\^\{date_short_pretty\} at \{time\}\|\d{4}-\d\d-\d\d \d\d:\d\d UTC>/,
  )
})

test('whoever is not linked is shown a link alone, which says whose account it is, and decides nothing', async () => {
  await approve()
  const id = await ask()
  const words = await press('Yes', userOf('ana'))
  expect(words).toContain('not linked to a person')
  const path = linkIn(words)
  const page = await it.world.get(path, cookies.ana)
  expect(await page.text()).toContain('Link ana (U0ANA) in Acme to ana?')
  const out = await it.world.get(path, '')
  expect([out.status, out.headers.get('location')?.startsWith('/sign-in')]).toEqual([303, true])
  expect((await press('Yes', userOf('ana'))).includes('not linked')).toBe(true)
  expect([await statusOf(id), await votes(id)]).toEqual(['pending', []])
})

test('the first message of a channel has a button that links an account before it is asked for', async () => {
  const words = await press('Link your account', userOf('ana'))
  const response = await it.world.post(linkIn(words), {}, { cookie: cookies.ana })
  expect(response.headers.get('location')).toBe('/settings/chat-accounts')
  expect(await press('Link your account', userOf('ana'))).toContain('you answer as ana')
  const other = await it.connect('C0OTHER')
  await it.world.post(`/settings/devices/${other}/remove`, {})
  expect(await press('Link your account', userOf('bob'))).toContain('no longer connected')
})

test('a linked decider decides, as themselves, and the trail of the vote names them', async () => {
  await approve()
  const id = await ask()
  await link('ana')
  await it.slack.press(it.world.url, 'Yes', userOf('ana'))
  await until(async () => (await statusOf(id)) === 'answered')
  expect(await it.question(id)).toMatchObject({
    ...{ value: 'yes', answerSource: 'slack', answeredBy: people.ana.id },
  })
  const [vote] = await listVotes(it.world.db.read, id)
  expect(vote).toMatchObject({ source: 'slack', proof: 'chat', personId: people.ana.id })
})

test('who is linked and no decider, or whose agent asks, is told so in private', async () => {
  await approve()
  const id = await ask()
  await link('eve')
  expect(await press('Yes', userOf('eve'))).toContain('Your own agent asks this')
  await approve({ asker: 'counts' })
  const other = await ask({ question: 'And this?', toolName: 'Bash' })
  await it.world.db.write((tx) => putGroupMembers(tx, engineers, 'hand', [people.ana.id]))
  const { db, workspaceId } = it.world
  await db.write((tx) =>
    putAccount(tx, {
      ...{ service: 'slack', account: 'T0:U0BOB', label: 'bob', createdAt: 1 },
      ...{ workspaceId, personId: people.bob.id },
    }),
  )
  expect(await press('Yes', userOf('bob'))).toContain('not among those who may decide')
  expect([await votes(id), await votes(other)]).toEqual([[], []])
})

test('two have to agree: each press counts once, also from two accounts of one person', async () => {
  await approve({ need: 2 })
  const id = await ask()
  await link('ana')
  await link('ana', userOf('anna'))
  expect(await press('Yes', userOf('ana'))).toContain('1 of 2 approvals so far')
  expect(await press('Yes', userOf('ana'))).toContain('1 of 2 approvals so far')
  expect(await press('Yes', userOf('anna'))).toContain('1 of 2 approvals so far')
  expect([await statusOf(id), await votes(id)]).toEqual(['pending', ['ana yes']])
  const text = () => JSON.stringify([...it.slack.messages.values()].at(-1)?.blocks)
  await until(() => text().includes('Needs 2 of engineers: 1 of 2 approvals so far.'))
  expect(buttons()).toEqual(['Yes', 'No', 'Answer with a note…', 'Look'])
  await it.world.post(`/d/${id}/vote`, {}, { cookie: cookies.ana })
  await until(() => text().includes('0 of 2 approvals so far.'))
  await it.slack.press(it.world.url, 'Yes', userOf('ana'))
  await until(() => text().includes('1 of 2 approvals so far.'))
  await link('bob')
  await it.slack.press(it.world.url, 'Yes', userOf('bob'))
  await until(async () => (await statusOf(id)) === 'answered')
  expect(await votes(id)).toEqual(['ana yes', 'bob yes'])
  await until(() => text().includes('Answered'))
  expect(buttons()).toEqual([])
})

test('a press that is played again changes nothing, before and after the end', async () => {
  await approve({ need: 2 })
  const id = await ask()
  await link('ana')
  const [message] = [...it.slack.messages.values()].slice(-1)
  const actions = [structuredClone(buttonIn(message?.blocks ?? [], 'Yes'))]
  const payload = { type: 'block_actions', user: userOf('ana'), actions }
  const at = Date.now()
  for (let n = 0; n < 3; n++) await it.slack.send(it.world.url, payload, { at })
  expect(await votes(id)).toEqual(['ana yes'])
  await link('bob')
  await it.slack.press(it.world.url, 'No', userOf('bob'))
  const ended = await it.question(id)
  await it.slack.send(it.world.url, payload, { at })
  expect(await it.question(id)).toEqual(ended)
})

test('the same id in another workspace of Slack is nobody, and is given no link', async () => {
  await approve()
  const id = await ask()
  await link('ana')
  const elsewhere = await press('Yes', userOf('ana', { team_id: 'T9' }))
  expect(elsewhere).toContain('of another workspace')
  expect(linkIn(elsewhere)).toBe('')
  const { db, workspaceId } = it.world
  const there = { service: 'slack', account: 'T9:U0BOB', label: 'bob', createdAt: 1 } as const
  await db.write((tx) => putAccount(tx, { ...there, workspaceId, personId: people.bob.id }))
  expect(await press('Yes', userOf('bob', { team_id: 'T9' }))).toContain('of another workspace')
  expect([await statusOf(id), await votes(id)]).toEqual(['pending', []])
})

test('the name of a decider in Slack proves nothing', async () => {
  await approve()
  const id = await ask()
  await link('ana')
  const words = await press('Yes', { ...userOf('ana'), id: 'U0MALLORY' })
  expect(words).toContain('not linked')
  expect([await statusOf(id), await votes(id)]).toEqual(['pending', []])
})

test('a link works once, for ten minutes, and a later one ends it', async () => {
  await approve()
  await ask()
  const first = linkIn(await press('Yes', userOf('ana')))
  const path = linkIn(await press('Yes', userOf('ana')))
  const cookie = cookies.ana
  expect((await it.world.post(first, {}, { cookie })).status).toBe(410)
  const both = await Promise.all([
    it.world.post(path, {}, { cookie }),
    it.world.post(path, {}, { cookie: cookies.eve }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([303, 410])
  expect((await it.world.get(path, cookie)).status).toBe(410)
  const early = { ...clock, now: () => Date.now() - 10 * 60_000 }
  const of = { service: 'slack', account: 'T0:U0OLD', label: 'old', personId: null } as const
  const { db, workspaceId } = it.world
  const old = await makeAccountLink({ db, clock: early }, { ...of, workspaceId })
  for (const late of [await it.world.get(old, cookie), await it.world.post(old, {}, { cookie })]) {
    expect([late.status, (await late.text()).includes('older than 10 minutes')]).toEqual([
      410,
      true,
    ])
  }
})

test('an account that is somebody’s is taken by nobody else', async () => {
  await approve()
  await ask()
  const mine = linkIn(await press('No', userOf('ana')))
  await it.world.post(mine, {}, { cookie: cookies.ana })
  const { db, workspaceId } = it.world
  const of = { service: 'slack', account: 'T0:U0ANA', label: 'ana', personId: null } as const
  const again = await makeAccountLink({ db, clock }, { ...of, workspaceId })
  const cookie = cookies.eve
  for (const taken of [
    await it.world.get(again, cookie),
    await it.world.post(again, {}, { cookie }),
  ]) {
    expect([taken.status, (await taken.text()).includes('is linked to ana already')]).toEqual([
      409,
      true,
    ])
  }
  expect((await it.world.post(again, {}, { cookie: cookies.ana })).status).toBe(303)
})

test('who is switched off, also between the press and the count, or unlinked, answers nothing', async () => {
  await approve()
  const id = await ask()
  await link('ana')
  await link('bob')
  const { db, workspaceId } = it.world
  const counting = stillHeld('slack', 'T0:U0ANA', people.ana)
  await db.write(counting)
  await db.write((tx) => putOff(tx, { workspaceId, personId: people.ana.id }, 1))
  expect(await press('Yes', userOf('ana'))).toContain('switched off')
  expect(db.write(counting)).rejects.toThrow('switched off')
  const account = { service: 'slack', account: 'T0:U0BOB' }
  const others = await it.world.post('/settings/chat-accounts/remove', account, {
    cookie: cookies.eve,
  })
  expect(others.status).toBe(404)
  expect(await (await it.world.get('/settings/chat-accounts')).text()).toContain('answers as bob')
  expect((await it.world.post('/settings/chat-accounts/remove', account)).status).toBe(303)
  expect(await press('Yes', userOf('bob'))).toContain('not linked')
  expect([await statusOf(id), await votes(id)]).toEqual(['pending', []])
})

test('a question without a rule is answered by the channel, but not by somebody who was switched off', async () => {
  await approve()
  await ask()
  await link('ana')
  const { db, workspaceId } = it.world
  await db.write((tx) => putOff(tx, { workspaceId, personId: people.ana.id }, 1))
  const id = await ask({ question: 'Anybody?', toolName: 'Read' })
  expect(await press('Yes', userOf('ana'))).toContain('switched off')
  expect(await statusOf(id)).toBe('pending')
  await it.slack.press(it.world.url, 'Yes', userOf('stranger'))
  expect(await it.question(id)).toMatchObject({ status: 'answered', answeredBy: undefined })
})

test('where only linked accounts answer in chats, a question without a rule needs one, too', async () => {
  const { db, workspaceId } = it.world
  const form = { chats: 'linked_only' }
  expect((await it.world.post('/settings/policy', form)).status).toBe(303)
  expect((await readPolicy(db.read, workspaceId)).chatAnswers).toBe('linked_only')
  const id = await ask({ toolName: 'Read' })
  expect(await press('Yes', userOf('stranger'))).toContain('not linked')
  expect(await press('Answer with a note…', userOf('stranger'))).toContain('not linked')
  expect([await statusOf(id), it.slack.views.length]).toEqual(['pending', 0])
  await link('eve')
  await it.slack.press(it.world.url, 'Yes', userOf('eve'))
  expect(await it.question(id)).toMatchObject({ value: 'yes', answeredBy: people.eve.id })
})

test('a removed person’s account is nobody’s', async () => {
  await approve()
  await ask()
  await link('ana')
  const { db, workspaceId } = it.world
  const owner = { ...people.eve, role: 'owner' } as const
  const parts = personGone({ onEnded: [], channels: [] })
  const deps = { db, clock, personGone: () => parts }
  await removePerson(deps as Parameters<typeof removePerson>[0], owner, people.ana.id, undefined)
  expect(await press('Yes', userOf('ana'))).toContain('not linked')
  expect(workspaceId).toBe(owner.workspaceId)
})

test('where a rule takes a yes on the page alone, Slack has no yes, and takes none', async () => {
  await approve({ where: ['page'] })
  const id = await ask()
  expect(buttons()).toEqual(['No', 'Look'])
  await link('ana')
  const [message] = [...it.slack.messages.values()].slice(-1)
  const value = String(buttonIn(message?.blocks ?? [], 'No')?.value)
  for (const choice of ['yes', 'form']) {
    const before = it.slack.whispers.length
    const actions = [{ value: value.replace(/ no$/, ` ${choice}`) }]
    const at = { response_url: `${it.slack.apiUrl.replace('/api', '')}/respond/1` }
    const payload = { type: 'block_actions', user: userOf('ana'), ...at, actions }
    expect((await it.slack.send(it.world.url, payload)).status).toBe(200)
    await until(() => it.slack.whispers.length > before)
    expect(String(it.slack.whispers.at(-1)?.text)).toContain(`/d/${id}`)
  }
  expect([await statusOf(id), it.slack.views.length]).toEqual(['pending', 0])
  await it.slack.press(it.world.url, 'No', userOf('ana'))
  expect(await it.question(id)).toMatchObject({ status: 'answered', value: 'no' })
})

test('a choice under such a rule has no options in Slack, and a fresh sign-in is for the page', async () => {
  await approve({ where: ['page'] })
  await ask({ question: 'Which?', type: 'select', options: ['A', 'B'] })
  expect(buttons()).toEqual(['Look'])
  await approve({ fresh: 'sign_in' })
  await ask({ question: 'Fresh?' })
  expect(buttons()).toEqual(['No', 'Look'])
})

test('a form is for linked deciders, too', async () => {
  await approve()
  const id = await ask()
  const before = it.slack.views.length
  expect(await press('Answer with a note…', userOf('ana'))).toContain('not linked')
  expect(it.slack.views.length).toBe(before)
  await link('ana')
  await it.slack.press(it.world.url, 'Answer with a note…', userOf('ana'))
  await until(() => it.slack.views.length > before)
  const yes = {
    value: { field: { selected_option: { value: 'yes' } } },
    note: { field: { value: 'after six' } },
  }
  const others = await it.slack.submit(it.world.url, yes, userOf('bob'))
  expect(JSON.stringify(await others.json())).toContain('not linked')
  expect(await statusOf(id)).toBe('pending')
  expect(await (await it.slack.submit(it.world.url, yes, userOf('ana'))).text()).toBe('')
  expect(await it.question(id)).toMatchObject({ value: 'yes', note: 'after six' })
})

test('while Slack does not say which workspace it is, nobody counts as a person', async () => {
  await approve()
  const id = await ask()
  const { db, workspaceId } = it.world
  const theirs = { service: 'slack', account: 'T0:U0ANA', label: 'ana', createdAt: 1 } as const
  await db.write((tx) => putAccount(tx, { ...theirs, workspaceId, personId: people.ana.id }))
  it.slack.behave('auth.test', { status: 500 })
  expect(await press('Yes', userOf('ana'))).toContain('could not be asked')
  expect(await statusOf(id)).toBe('pending')
  it.slack.behave('auth.test')
  await it.slack.press(it.world.url, 'Yes', userOf('ana'))
  expect(await statusOf(id)).toBe('answered')
})
