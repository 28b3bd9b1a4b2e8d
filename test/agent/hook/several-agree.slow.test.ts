import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { consumePermit, issuePermit } from '../../../src/ask/permits/permits.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import claudeBash from '../../fixtures/clients/claude/PermissionRequest.Bash.interactive.json'
import { connect } from '../../support/devices.ts'
import { type PushServer, pushServer } from '../../support/push-server.ts'
import { type RelayWorld, relayWorld } from '../../support/relay-world.ts'
import { repository } from '../../support/repository.ts'
import { addPersonWithPassword } from '../../support/sign-in.ts'

setDefaultTimeout(60_000)

let world: RelayWorld
let push: PushServer
let deciders: string[]
beforeAll(async () => {
  world = await relayWorld({ waitSeconds: 6 })
  const { app, workspaceId } = world.house
  const deps = { db: app.db, clock }
  const add = async (name: string) =>
    (await addPersonWithPassword(deps, { email: `${name}@example.org`, name, role: 'member' })).id
  deciders = [await add('bob'), await add('fay')]
  // Where nobody can be told, a hook does not wait.
  push = await pushServer()
  for (const personId of deciders)
    await connect(app.db, { workspaceId, personId, ...push.subscribe('browser') })
  const approve = { from: deciders, need: 2, asker: 'counts' } as const
  await addRule(deps, workspaceId, { match: { toolName: 'Bash' }, approve })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await push[Symbol.asyncDispose]()
})

function run(command: string) {
  const session_id = world.session()
  const input = { ...claudeBash, session_id, tool_input: { command } }
  return { session_id, hook: world.start('claude', input) }
}

async function agree(question: Question | undefined, ...people: string[]) {
  const { app, workspaceId } = world.house
  const deps = { db: app.db, clock, onEnded: [] }
  const questionId = question?.id ?? 'q_none'
  for (const by of people) await answerQuestion(deps, { workspaceId, questionId, value: 'yes', by })
}

const reasonOf = (out: string) => {
  const { decision, permissionDecisionReason } = JSON.parse(out).hookSpecificOutput
  return String(decision?.message ?? permissionDecisionReason)
}
const WAITS = /^It waits for approval by 2 of bob or fay(\. | \().*Run the same command again later/
const NOT_AGAIN = 'Do not retry'

test('a prompt that too few have agreed to is denied, and the model is told to come back', async () => {
  const { session_id, hook } = run('make prod')
  const [question] = await world.asked(session_id)
  await agree(question, ...deciders.slice(1))
  const reason = reasonOf((await hook.done).out)
  expect(reason).toMatch(WAITS)
  expect(reason).not.toContain(NOT_AGAIN)
  expect(question && (await world.look(question)).status).toBe('pending')
})

test('so is a command that would destroy work, in the same words', async () => {
  const project = join(realpathSync(world.home), 'shop')
  mkdirSync(project)
  repository(project, { 'a.txt': '1' })
  writeFileSync(join(project, 'a.txt'), '2')
  const call = {
    ...{ session_id: world.session(), cwd: project, permission_mode: 'default' },
    ...{ tool_name: 'Bash', tool_input: { command: 'git checkout -- .' }, tool_use_id: 'toolu_9' },
  }
  const { out } = await world.start('claude', { ...call, hook_event_name: 'PreToolUse' }).done
  expect(reasonOf(out)).toMatch(WAITS)
  expect(reasonOf(out)).not.toContain(NOT_AGAIN)
})

test('a question that was withdrawn meanwhile is not said to wait', async () => {
  const { session_id, hook } = run('make withdrawn')
  const [question] = await world.asked(session_id)
  const token = await world.house.token({ by: 'owner' })
  await fetch(`${world.house.url}/api/v1/questions/${question?.id}/cancel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  const reason = reasonOf((await hook.done).out)
  expect(reason).toContain('It was withdrawn')
  expect(reason).not.toMatch(WAITS)
})

test('a yes that another call has used lets nothing run, and is not said to wait', async () => {
  const { app, workspaceId } = world.house
  const { session_id, hook } = run('make once')
  const [question] = await world.asked(session_id)
  if (!question?.detail.actionHash) throw new Error('its call is not known')
  const { id, tokenId, detail } = question
  const [first = '', second = ''] = deciders
  await agree(question, first)
  const deps = { db: app.db, clock }
  // The hook looks once more before it uses the yes; whoever is faster has it.
  await agree(question, second)
  const asker = { workspaceId, tokenId }
  const permit = await issuePermit(deps, asker, id, detail.actionHash ?? '').catch(() => undefined)
  const used =
    permit &&
    (await consumePermit(deps, asker, permit.id, permit.actionHash).catch(() => undefined))
  const { out } = await hook.done
  if (!used) return expect(out).toContain('"allow"')
  expect(reasonOf(out)).toContain('another call has used it')
})
