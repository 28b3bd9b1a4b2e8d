import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { PersonId } from '../../../src/ask/accounts/model/ids.ts'
import { insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import type { Group } from '../../../src/ask/groups/model/group.ts'
import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { addRule, removeRule } from '../../../src/ask/policy/change-policy.ts'
import type { Rule } from '../../../src/ask/policy/model/rule.ts'
import type { RuleInput } from '../../../src/ask/policy/write-rule.ts'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import { findQuestion, listQuestions } from '../../../src/ask/questions/model/store.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { writeClientFile } from '../../../src/platform/config/client-file.ts'
import { newId } from '../../../src/platform/ids.ts'
import claudePermission from '../../fixtures/clients/claude/PermissionRequest.Bash.interactive.json'
import claudeBash from '../../fixtures/clients/claude/PreToolUse.Bash.json'
import codexBash from '../../fixtures/clients/codex/PreToolUse.Bash.json'
import { connect } from '../../support/devices.ts'
import { noSender } from '../../support/no-sender.ts'
import { onEnded } from '../../support/on-ended.ts'
import { type PushServer, pushServer } from '../../support/push-server.ts'
import { type RelayWorld, relayWorld } from '../../support/relay-world.ts'

setDefaultTimeout(120_000)

const NOTHING = { code: 0, out: '', err: '' }
const COMMAND = 'terraform apply -auto-approve'
const PEOPLE = ['ana', 'bob', 'cleo'] as const

let world: RelayWorld
let push: PushServer
let engineers: Group
let rules: Rule[] = []
const state = () => join(world.home, '.local/state/beckon')

beforeAll(async () => {
  world = await relayWorld({ waitSeconds: 6 })
  const { app, workspaceId } = world.house
  engineers = {
    ...{ id: newId('group', clock.now()), workspaceId, name: 'engineers', source: 'hand' },
    ...{ externalId: undefined, createdAt: 1 },
  }
  await app.db.write(async (tx) => {
    for (const name of PEOPLE) {
      const person = { id: name as PersonId, name, email: `${name}@example.org`, workspaceId }
      await insertPerson(tx, { ...person, role: 'member' }, clock.now())
    }
    await insertGroup(tx, engineers)
    await putGroupMembers(
      tx,
      engineers,
      'hand',
      PEOPLE.map((name) => name as PersonId),
    )
  })
  push = await pushServer()
  for (const name of PEOPLE) {
    const device = { workspaceId, personId: name as PersonId, ...push.subscribe('browser') }
    await connect(app.db, device)
  }
  // The agent is Ana's.
  const by = 'ana' as PersonId
  const { token } = await createToken({ db: app.db, clock }, { workspaceId, name: 'ana', by })
  const file = { url: world.house.url, token, machineId: 'm_test', hookWaitSeconds: 6 }
  writeClientFile(file, { HOME: world.home })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await push[Symbol.asyncDispose]()
})
beforeEach(async () => {
  for (const { id } of rules) await removeRule(deps(), world.house.workspaceId, id)
  rules = []
  rmSync(state(), { recursive: true, force: true })
})

const deps = () => ({ db: world.house.app.db, clock })
const MATCH = { toolName: 'Bash', toolTarget: 'terraform apply*' }

async function rule(input: RuleInput): Promise<Rule> {
  const one = await addRule(deps(), world.house.workspaceId, { match: MATCH, ...input })
  rules.push(one)
  return one
}
const twoOfEngineers = (more: RuleInput = {}) =>
  rule({ approve: { from: [engineers.id], need: 2, asker: 'counts' }, ...more })

const before = (session_id: string, more: object = {}) => ({
  ...claudeBash,
  ...{ session_id, tool_use_id: crypto.randomUUID(), tool_input: { command: COMMAND } },
  ...more,
})

async function vote({ id: questionId }: Question, ...names: Array<(typeof PEOPLE)[number]>) {
  const ending = { ...deps(), onEnded: onEnded(noSender) }
  const { workspaceId } = world.house
  for (const name of names) {
    const by = name as PersonId
    await answerQuestion(ending, { workspaceId, questionId, value: 'yes', by, source: 'dashboard' })
  }
}

async function stored(session: string): Promise<Question[]> {
  const { app, workspaceId } = world.house
  const all = await listQuestions(app.db.read, { workspaceId }, { before: undefined, limit: 50 })
  const whole = await Promise.all(all.map(({ id }) => findQuestion(app.db.read, workspaceId, id)))
  return whole.filter((one): one is Question => one?.sessionId === session)
}

const denial = (out: string) =>
  (JSON.parse(out).hookSpecificOutput as { permissionDecision: string }).permissionDecision

test('without a rule that decides, a call is asked of nobody and nothing is stored', async () => {
  await rule({ set: { waitMs: 40_000 } })
  await rule({ decision: 'allow' })
  const session = world.session()
  expect(await world.start('claude', before(session)).done).toEqual(NOTHING)
  expect(await stored(session)).toEqual([])
})

for (const permission_mode of ['default', 'bypassPermissions']) {
  test(`two of engineers agree before a call runs that its client would not ask about: ${permission_mode}`, async () => {
    await twoOfEngineers()
    const session = world.session()
    const hook = world.start('claude', before(session, { permission_mode }))
    const [question] = await world.asked(session)
    if (!question) throw new Error('nobody was asked')
    await vote(question, 'ana')
    await vote(question, 'bob')
    expect(await hook.done).toEqual(NOTHING)
    // The same call again needs them again.
    const again = world.start('claude', before(session, { permission_mode }))
    const [next] = await world.asked(session)
    expect(next?.id).not.toBe(question.id)
    const { out, code } = await again.done
    expect([denial(out), code]).toEqual(['deny', 2])
    expect(out).toContain('engineers')
  })
}

test('an approval that was given after the hook gave up counts for one retry', async () => {
  await twoOfEngineers()
  const session = world.session()
  const first = world.start('claude', before(session))
  const [question] = await world.asked(session)
  if (!question) throw new Error('nobody was asked')
  await vote(question, 'ana')
  expect(denial((await first.done).out)).toBe('deny')
  expect((await world.look(question)).status).toBe('pending')
  await vote(question, 'bob')
  expect(await world.start('claude', before(session)).done).toEqual(NOTHING)
  expect(denial((await world.start('claude', before(session)).done).out)).toBe('deny')
  expect(await stored(session)).toHaveLength(2)
})

test('the client’s own prompt after the yes is answered without asking again, once', async () => {
  await twoOfEngineers()
  const session = world.session()
  const call = before(session)
  const hook = world.start('claude', call)
  const [question] = await world.asked(session)
  if (!question) throw new Error('nobody was asked')
  await vote(question, 'ana', 'bob')
  expect(await hook.done).toEqual(NOTHING)
  const { cwd, tool_name, tool_input } = call
  const prompt = { ...claudePermission, session_id: session, cwd, tool_name, tool_input }
  const { out } = await world.start('claude', prompt).done
  expect(JSON.parse(out).hookSpecificOutput.decision).toEqual({ behavior: 'allow' })
  expect(await stored(session)).toHaveLength(1)
  expect((await world.start('claude', prompt).done).out).toContain('deny')
})

test('a yes that the client did not ask about allows no prompt of a later call', async () => {
  await twoOfEngineers()
  const session = world.session()
  const call = before(session)
  const hook = world.start('claude', call)
  const [question] = await world.asked(session)
  if (!question) throw new Error('nobody was asked')
  await vote(question, 'ana', 'bob')
  await hook.done
  const ran = { ...call, hook_event_name: 'PostToolUse', tool_response: { stdout: '' } }
  await world.start('claude', ran).done
  const { cwd, tool_name, tool_input } = call
  const prompt = { ...claudePermission, session_id: session, cwd, tool_name, tool_input }
  expect((await world.start('claude', prompt).done).out).toContain('deny')
})

test('a rule that declines holds where the client does not ask', async () => {
  await rule({ decision: 'deny' })
  const { out, code } = await world.start('claude', before(world.session())).done
  expect([denial(out), code]).toEqual(['deny', 2])
  expect(out).toContain('terraform apply*')
})

const OTHERS: Array<[client: string, input: (session: string) => Record<string, unknown>]> = [
  ['codex', (session_id) => ({ ...codexBash, session_id, tool_input: { command: COMMAND } })],
  [
    'qwen',
    (session_id) => ({
      ...{ session_id, hook_event_name: 'PreToolUse', cwd: '/tmp', tool_use_id: 'call_1' },
      ...{ tool_name: 'run_shell_command', tool_input: { command: COMMAND } },
    }),
  ],
  [
    'gemini',
    (session_id) => ({
      ...{ session_id, hook_event_name: 'BeforeTool', cwd: '/tmp' },
      ...{ tool_name: 'run_shell_command', tool_input: { command: COMMAND } },
    }),
  ],
]
for (const [client, input] of OTHERS) {
  test(`a rule that declines holds for ${client}, and two people agree there`, async () => {
    const declines = await rule({ match: { toolTarget: 'terraform apply*' }, decision: 'deny' })
    const session = world.session()
    const no = await world.start(client, input(session)).done
    expect(no.out + no.err).toContain('terraform apply*')
    await removeRule(deps(), world.house.workspaceId, declines.id)
    rules = []
    await twoOfEngineers({ match: { toolTarget: 'terraform apply*' } })
    const next = world.session()
    const hook = world.start(client, input(next))
    const [question] = await world.asked(next)
    if (!question) throw new Error('nobody was asked')
    await vote(question, 'ana', 'bob')
    const yes = await hook.done
    expect(yes.out + yes.err).not.toContain('den')
    expect(yes.code).toBe(0)
  })
}
