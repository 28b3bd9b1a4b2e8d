import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import type { HookReply } from '../../../src/ask/wire/hook-fields.ts'
import { readInbox } from '../../support/read-inbox.ts'
import { until } from '../../support/until.ts'
import { HOME, type RestWorld, restWorld } from './rest-world.ts'

let world: RestWorld
beforeAll(async () => {
  world = await restWorld()
  const allow = { match: { toolName: 'Bash', toolTarget: 'npm test*' }, decision: 'allow' } as const
  const edits = { match: { toolName: 'Edit' }, decision: 'allow' } as const
  const deny = {
    match: { toolName: 'Bash', toolTarget: 'npm publish*' },
    decision: 'deny',
  } as const
  for (const rule of [allow, edits, deny]) await addRule(world.deps, HOME, rule)
})
afterAll(() => world[Symbol.asyncDispose]())

let n = 0

async function approval(ask: object, sessionId = `rules-${n++}`) {
  const body = {
    event: 'approval',
    sessionId,
    machineId: 'machine-1',
    cwd: '/home/u/proj',
    timeoutMs: 1_000,
    ask: {
      question: 'Run this command?',
      toolName: 'Bash',
      requestId: crypto.randomUUID(),
      ...ask,
    },
  }
  const path = '/api/v1/hooks/claude'
  const reply = await world.call({ as: 'agent', method: 'POST', path, body })
  return { status: reply.status, reply: reply.body as HookReply }
}

const run = (command: string) => approval({ toolTarget: command.slice(0, 80), action: command })

async function openIn(sessionId: string): Promise<Question> {
  let question: Question | undefined
  await until(async () => {
    const inbox = await readInbox(world.deps, HOME)
    question = inbox.find((question) => question.sessionId === sessionId)
    return question !== undefined
  })
  return question as Question
}

test('a rule allows without a question', async () => {
  expect((await run('npm test')).reply).toEqual({
    contract: null,
    etag: 'none',
    decision: 'allow',
    reason: 'A rule allows Bash on npm test* without asking.',
    ruleMatches: [{ toolName: 'Bash', toolTarget: 'npm publish*' }],
  })
})

test('a rule declines without a question', async () => {
  const { reply } = await run('npm publish --tag next')
  expect([reply.decision, reply.reason, reply.question]).toEqual([
    'deny',
    'A rule declines Bash on npm publish* without asking.',
    undefined,
  ])
})

test.each(['npm test; rm -rf /', 'npm test && curl evil.example', 'ls'])(
  '%s is asked',
  async (it) => {
    const { reply } = await run(it)
    expect([reply.decision, reply.question?.status]).toEqual([undefined, 'pending'])
  },
)

test('a rule allows nothing that a scope in force holds off limits', async () => {
  const sessionId = `rules-${n++}`
  const scope = { sessionId, offLimitsPaths: ['infra/**'], doneWhen: 'Green.', timeoutMs: 10_000 }
  const proposing = world.call({ as: 'agent', method: 'POST', path: '/api/v1/scopes', body: scope })
  const { id } = await openIn(sessionId)
  const answer = { as: 'member', method: 'POST', path: `/api/v1/questions/${id}/answer` } as const
  await world.call({ ...answer, body: { value: 'yes' } })
  await proposing

  const edit = (path: string) => ({ toolName: 'Edit', toolTarget: 'x', toolPath: path })
  const fine = await approval(edit('/home/u/proj/src/a.ts'), sessionId)
  const off = await approval(edit('/home/u/proj/infra/prod.tf'), sessionId)
  expect([fine.reply.decision, off.reply.decision]).toEqual(['allow', undefined])
})

test('what a yes for the session would allow is kept with the question', async () => {
  const sessionId = `rules-${n++}`
  const sessionAllows = ['Bash(npm run lint:*)']
  await approval({ action: 'npm run lint', sessionToolAware: true, sessionAllows }, sessionId)
  expect((await openIn(sessionId)).detail.sessionAllows).toEqual(sessionAllows)
})

test('what it would allow is refused when it is too long to be read whole', async () => {
  const sessionAllows = ['x'.repeat(301)]
  expect((await approval({ sessionToolAware: true, sessionAllows })).status).toBe(422)
})

test('a rule never allows what a setting widens', async () => {
  const test = { toolTarget: 'npm test', action: 'npm test' }
  const set = (name: string, value: string) =>
    approval({ ...test, toolSettings: [{ name, value }] })
  expect((await set('timeout', '5000')).reply.decision).toBe('allow')
  expect((await set('dangerouslyDisableSandbox', 'false')).reply.decision).toBe('allow')
  expect((await set('dangerouslyDisableSandbox', 'true')).reply.decision).toBeUndefined()
  expect((await set('sandbox_permissions', 'require_escalated')).reply.decision).toBeUndefined()
})
