import { afterEach, beforeEach, expect, test } from 'bun:test'
import { findPersonByEmail, putOff } from '../../../../src/ask/accounts/model/person-store.ts'
import { putAccount } from '../../../../src/ask/chat-accounts/model/store.ts'
import { insertGroup, putGroupMembers } from '../../../../src/ask/groups/model/store.ts'
import { addRule } from '../../../../src/ask/policy/change-policy.ts'
import type { RuleApprove } from '../../../../src/ask/policy/model/rule-approve.ts'
import { findQuestion } from '../../../../src/ask/questions/model/store.ts'
import { createToken } from '../../../../src/ask/tokens/agent-tokens.ts'
import { listVotes } from '../../../../src/ask/votes/model/store.ts'
import type { QuestionId } from '../../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../../src/platform/clock.ts'
import { newId } from '../../../../src/platform/ids.ts'
import { aDevice, connect } from '../../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../../support/page-world.ts'
import { addPersonWithPassword } from '../../../support/sign-in.ts'
import {
  keyboardOf,
  type TelegramServer,
  telegramServer,
} from '../../../support/telegram-server.ts'
import { until } from '../../../support/until.ts'

/** The chats of Mara, Bob and Eve, by the ids of their accounts. */
const CHATS = { mara: 4_711, bob: 4_712, eve: 4_713 }

let telegram: TelegramServer
let world: PageWorld
let agent: string
let group: `group_${string}`
let bob: string

beforeEach(async () => {
  telegram = await telegramServer()
  const env = {
    BECKON_TELEGRAM_API_URL: telegram.apiUrl,
    BECKON_TELEGRAM_BOT_TOKEN: telegram.token,
    BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
  }
  world = await pageWorld({ env })
  const { workspaceId, db } = world
  const add = (name: string) =>
    addPersonWithPassword({ db, clock }, { email: `${name}@example.org`, name, role: 'member' })
  const mara = await findPersonByEmail(db.read, 'mara@example.org')
  const [other, eve] = [await add('bob'), await add('eve')]
  bob = other.id
  agent = (await createToken({ db, clock }, { workspaceId, name: 'agent', by: eve.id })).token
  group = newId('group', clock.now())
  const ids = { mara: mara?.id ?? '', bob, eve: eve.id }
  await db.write(async (tx) => {
    const of = { id: group, workspaceId, name: 'engineers', source: 'hand', createdAt: 1 } as const
    await insertGroup(tx, { ...of, externalId: undefined })
    await putGroupMembers(tx, { id: group, workspaceId }, 'hand', [ids.mara, bob])
    for (const [name, chat] of Object.entries(CHATS)) {
      const personId = ids[name as keyof typeof ids]
      const account = { service: 'telegram', account: String(chat), label: name } as const
      await putAccount(tx, { ...account, workspaceId, personId, createdAt: 1 })
    }
  })
  for (const [name, chat] of Object.entries(CHATS)) {
    const personId = ids[name as keyof typeof ids]
    const endpoint = `${telegram.apiUrl}/#${chat}`
    const where = { kind: 'chat', transport: 'telegram', endpoint, keys: undefined } as const
    await connect(db, aDevice({ workspaceId, personId, ...where }))
  }
})
afterEach(async () => {
  await world[Symbol.asyncDispose]()
  await telegram[Symbol.asyncDispose]()
})

const approve = (approve: Partial<RuleApprove> = {}) =>
  addRule({ db: world.db, clock }, world.workspaceId, {
    match: { toolName: 'Bash' },
    approve: { from: [group], ...approve },
  })

/** Asks, until both deciders have it; Eve is not told. */
async function ask(more: object = {}): Promise<QuestionId> {
  const posted = telegram.messages.size
  const response = await fetch(`${world.url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'Apply?', toolName: 'Bash', wait: false, ...more }),
  })
  await until(() => telegram.messages.size >= posted + 2)
  return ((await response.json()) as { correlationId: QuestionId }).correlationId
}
const messageTo = (name: keyof typeof CHATS) =>
  [...telegram.messages].findLast(([key]) => key.startsWith(`${CHATS[name]} `))?.[1]
const labels = (name: keyof typeof CHATS) =>
  keyboardOf(messageTo(name) ?? {}).map((row) => row.map(({ text }) => text))
const votes = async (id: QuestionId) =>
  (await listVotes(world.db.read, id)).map(
    ({ name, value, source }) => `${name} ${value} ${source}`,
  )
const read = (id: QuestionId) => findQuestion(world.db.read, world.workspaceId, id)

async function press(name: keyof typeof CHATS, data: string) {
  const before = telegram.of('answerCallbackQuery').length
  telegram.press('', { data, from: CHATS[name] })
  await until(() => telegram.of('answerCallbackQuery').length > before)
  return String(telegram.of('answerCallbackQuery').at(-1)?.input.text)
}

test('two deciders vote in their chats, once each, and others are told that they are none', async () => {
  await approve({ need: 2 })
  const id = await ask()
  expect(labels('mara')[0]).toEqual(['Yes', 'No'])
  expect(await press('eve', `yes ${id}`)).toContain('Your own agent asks this')
  expect(await press('mara', `yes ${id}`)).toContain('1 of 2 approvals so far')
  expect(await press('mara', `yes ${id}`)).toContain('1 of 2 approvals so far')
  expect((await read(id))?.status).toBe('pending')
  for (const name of ['mara', 'bob'] as const) {
    await until(() => messageTo(name)?.text.includes('1 of 2 approvals so far.') === true)
    expect(labels(name)[0]).toEqual(['Yes', 'No'])
  }
  expect(await press('bob', `yes ${id}`)).toBe('Answered.')
  await until(() => labels('mara').length === 0 && labels('bob').length === 0)
  expect(await read(id)).toMatchObject({ status: 'answered', value: 'yes', answeredBy: bob })
  expect(await votes(id)).toEqual(['Mara Lindqvist yes telegram', 'bob yes telegram'])
})

test('where a yes is for the page alone, a chat has no yes, and takes none; a no counts', async () => {
  await approve({ where: ['page'] })
  const id = await ask()
  expect(labels('mara')).toEqual([['No'], ['No, with a note…']])
  for (const data of [`yes ${id}`, `yes+ ${id}`]) {
    expect(await press('mara', data)).toContain('on its page alone')
  }
  expect(await votes(id)).toEqual([])
  expect(await press('mara', `no ${id}`)).toBe('Answered.')
  expect((await read(id))?.value).toBe('no')
})

test('who was switched off, or is no member of the group any more, decides nothing', async () => {
  await approve()
  const id = await ask()
  const { db, workspaceId } = world
  await db.write((tx) => putOff(tx, { workspaceId, personId: bob }, 1))
  expect(await press('bob', `yes ${id}`)).toContain('not linked')
  await db.write((tx) => putOff(tx, { workspaceId, personId: bob }, null))
  await db.write((tx) => putGroupMembers(tx, { id: group, workspaceId }, 'hand', []))
  expect(await press('bob', `yes ${id}`)).toContain('not among those who may decide')
  expect([(await read(id))?.status, await votes(id)]).toEqual(['pending', []])
})
