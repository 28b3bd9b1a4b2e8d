import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { listPeople } from '../../../src/ask/accounts/model/person-store.ts'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { addPerson } from '../../../src/ask/people/people.ts'
import { addRule, setPolicy } from '../../../src/ask/policy/change-policy.ts'
import type { GrantLength, Question } from '../../../src/ask/questions/model/question.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import claudeBash from '../../fixtures/clients/claude/PermissionRequest.Bash.interactive.json'
import { noSender } from '../../support/no-sender.ts'
import { onEnded } from '../../support/on-ended.ts'
import { type RelayWorld, relayWorld } from '../../support/relay-world.ts'

setDefaultTimeout(60_000)

let world: RelayWorld
beforeAll(async () => {
  world = await relayWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const deps = () => ({ db: world.house.app.db, clock })

function run(command: string, session_id = world.session()) {
  const tool_input = { command, description: `it runs ${command}` }
  return { session_id, hook: world.start('claude', { ...claudeBash, session_id, tool_input }) }
}

/** The hook allows the call, and nobody is asked. */
async function isAllowed(command: string, session?: string): Promise<boolean> {
  const { session_id, hook } = run(command, session)
  const first = await Promise.race([
    hook.done.then(({ out }) => out.includes('"allow"')),
    world.asked(session_id).then(([question]) => question),
  ])
  if (typeof first === 'boolean') return first
  await world.answer(first, 'no')
  await hook.done
  return false
}

async function grant(question: Question | undefined, length: GrantLength) {
  const { workspaceId } = world.house
  const [owner] = await listPeople(deps().db.read, workspaceId)
  const who = { email: 'ann@example.com', name: 'Ann', role: 'owner' } as const
  const by = owner?.id ?? (await addPerson(deps(), who)).person.id
  if (!question) throw new Error('nothing was asked')
  const answer = { workspaceId, questionId: question.id, value: 'yes', grant: length, by } as const
  await answerQuestion({ ...deps(), onEnded: onEnded(noSender) }, answer)
}

test('a hook reads a call with the programs of the workspace before a rule allows it', async () => {
  const { workspaceId } = world.house
  await addRule(deps(), workspaceId, {
    match: { toolName: 'Bash', toolTarget: 'lex *' },
    decision: 'allow',
  })
  expect(await isAllowed('lex build')).toBe(false)
  await setPolicy(deps(), workspaceId, { programs: [{ name: 'lex', kind: 'project' }] })
  expect(await isAllowed('lex build --watch')).toBe(true)
  expect(await isAllowed('lex build --exec evil')).toBe(false)
  expect(await isAllowed('lex build; other')).toBe(false)
  await setPolicy(deps(), workspaceId, { programs: [] })
  expect(await isAllowed('lex build --watch')).toBe(false)
})

test('a yes for calls that begin so allows them in this session, whatever they are described as', async () => {
  const { session_id, hook } = run('go test ./...')
  const [question] = await world.asked(session_id)
  await grant(question, 'session_words')
  expect((await hook.done).out).toContain('"allow"')
  expect(await isAllowed('go test -run TestX ./pkg', session_id)).toBe(true)
  expect(await isAllowed('go test ./pkg > src/x.go', session_id)).toBe(false)
  expect(await isAllowed('go run ./pkg', session_id)).toBe(false)
  expect(await isAllowed('go test ./pkg')).toBe(false)
})
