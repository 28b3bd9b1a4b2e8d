import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readSessions } from '../../../../src/ask/presence/read-sessions.ts'
import { createToken } from '../../../../src/ask/tokens/agent-tokens.ts'
import { listInstructions } from '../../../../src/ask/turns/model/instruction-store.ts'
import { systemClock as clock } from '../../../../src/platform/clock.ts'
import { type SlackWorld, slackWorld } from '../../../support/slack-world.ts'
import { until } from '../../../support/until.ts'

let it: SlackWorld
beforeAll(async () => {
  it = await slackWorld()
  await it.connect()
  const { db, workspaceId, url } = it.world
  const { token } = await createToken({ db, clock }, { workspaceId, name: 'agent' })
  const turn = { event: 'ended', outcome: 'finished', sessionId: 's1', machineId: 'm1' }
  const facts = { durationMs: 900_000, idleMs: 900_000, lastWords: 'Tests are green.' }
  await fetch(`${url}/api/v1/turns/claude`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...turn, ...facts, agentName: 'Claude Code - shop' }),
  })
  await until(() => JSON.stringify([...it.slack.messages.values()]).includes('Tests are green.'))
})
afterAll(() => it[Symbol.asyncDispose]())

async function list() {
  const { db, workspaceId } = it.world
  const [seen] = await readSessions({ db, clock }, { workspaceId })
  return await listInstructions(db.read, { workspaceId }, seen?.session.id ?? 'ses_none', 9)
}

/** Types into the field; what Slack shows to that person alone. */
async function tell(text: string, user?: Record<string, unknown>): Promise<string> {
  const { slack, world } = it
  const before = slack.whispers.length
  expect((await slack.type(world.url, text, user)).status).toBe(200)
  await until(() => slack.whispers.length > before)
  return String(slack.whispers.at(-1)?.text)
}

test('an account that nobody linked is shown a link alone, and tells nothing', async () => {
  const words = await tell('now the docs')
  expect(words).toContain('not linked')
  expect(await list()).toEqual([])
  const link = /\/settings\/chat-accounts\/link\/\w{32}/.exec(words)?.[0] ?? ''
  expect((await it.world.post(link, {})).status).toBe(303)
  expect(await (await it.world.get('/settings/chat-accounts')).text()).toContain('ada (U0ADA)')
})

test('the field in the message tells the session, as the linked person', async () => {
  expect(await tell('/compact')).toContain('Nothing was sent')
  expect(await tell('x'.repeat(3_000))).toContain('It waits for the agent')
  expect(await tell('and then')).toContain('still waits')
  expect(await list()).toMatchObject([{ via: 'slack', state: 'waiting' }])
})

test('somebody else, and the same id in another workspace of Slack, tell nothing', async () => {
  const before = await list()
  expect(await tell('mine', { id: 'U0BEN', username: 'ben' })).toContain('not linked')
  const elsewhere = { id: 'U0ADA', username: 'ada', team_id: 'T9' }
  expect(await tell('mine', elsewhere)).toContain('of another workspace')
  expect(await list()).toEqual(before)
})

test('a button that the linked person presses answers as them', async () => {
  const id = await it.ask({ question: 'Deploy?' })
  await it.slack.press(it.world.url, 'Yes')
  const [of] = await list()
  expect(await it.question(id)).toMatchObject({
    ...{ value: 'yes', answerSource: 'slack', answeredAs: 'ada (U0ADA)' },
    answeredBy: of?.personId,
  })
})
