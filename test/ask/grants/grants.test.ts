import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { PersonId } from '../../../src/ask/accounts/model/ids.ts'
import { insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { workspaces } from '../../../src/ask/accounts/model/table.ts'
import { answerQuestion, type GivenAnswer } from '../../../src/ask/answering/answer-question.ts'
import { stopAgent } from '../../../src/ask/answering/stop-agent.ts'
import { NO_FILTER } from '../../../src/ask/audit/model/audit-entry.ts'
import { keepEndingGrants, readGrants, revokeGrant } from '../../../src/ask/grants/grants.ts'
import { whyNoGrant } from '../../../src/ask/grants/model/grant.ts'
import { purgeGrants } from '../../../src/ask/grants/model/store.ts'
import { reportHook } from '../../../src/ask/hooks/report-hook.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import type { GrantLength, Question } from '../../../src/ask/questions/model/question.ts'
import { listQuestions } from '../../../src/ask/questions/model/store.ts'
import { readAudit } from '../../../src/ask/trail/read-audit.ts'
import type { HookReport } from '../../../src/ask/wire/hook-fields.ts'
import { readShellCommand } from '../../../src/ask/wire/reading/of-ask.ts'
import { sha256 } from '../../../src/platform/signing/sha256.ts'
import { settle } from '../../support/fake-clock.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { readInbox } from '../../support/read-inbox.ts'

const MINUTE = 60_000
const HASH = 'a'.repeat(64)
const EXACT = { argumentsHash: HASH, arguments: 'command' } as const
const RUN = {
  question: 'Run this command?',
  action: 'npm test',
  toolName: 'Bash',
  toolTarget: 'npm test',
  exact: EXACT,
}
type Ask = NonNullable<HookReport['ask']>
type Loose<T> = { [K in keyof T]?: T[K] | undefined }
type More = Loose<HookReport> & { as?: Parameters<FlowWorld['call']>[0]; its?: Loose<Ask> }

let world: FlowWorld
let workspaceId: ReturnType<FlowWorld['call']>['caller']['workspaceId']
let count = 0
beforeEach(async () => {
  world = await flowWorld()
  workspaceId = world.call().caller.workspaceId
  await world.device('phone')
  const ann = { id: 'ann', name: 'Ann', email: 'ann@example.com', role: 'owner' } as const
  await world.db.write(async (tx) => {
    await tx.insert(workspaces).values({ id: workspaceId, name: 'home', createdAt: 0 })
    await insertPerson(tx, { ...ann, workspaceId }, 0)
  })
})
afterEach(() => world[Symbol.asyncDispose]())

function report({ as, its, ...more }: More = {}) {
  return reportHook(
    world.deps,
    {
      event: 'approval',
      client: 'claude',
      sessionId: 's1',
      machineId: 'm1',
      cwd: '/home/u/shop',
      ask: { ...RUN, requestId: `call-${++count}`, wait: false, ...its },
      ...more,
    } as HookReport & { client: string },
    world.call(as),
  )
}

async function open(more: More = {}): Promise<Question> {
  const { question } = await report(more)
  const all = await readInbox(world.deps, workspaceId)
  const match = all.find(({ id }) => id === question?.correlationId)
  if (!match) throw new Error('it was not asked')
  return match
}

function answer(question: Question, more: Partial<GivenAnswer> = {}) {
  const by = { workspaceId, questionId: question.id, by: 'ann', source: 'decide_page' } as const
  return answerQuestion(world.deps, { ...by, value: 'yes', ...more })
}

/** A yes that holds on. */
async function grant(length: GrantLength = '15_minutes', more: More = {}) {
  await answer(await open(more), { grant: length })
  const [first] = await readGrants(world.deps, { workspaceId })
  if (!first) throw new Error('nothing was granted')
  await world.clock.advance(1)
  return first
}

const decided = async (more: More = {}) => (await report(more)).decision

async function trail(kind: 'grant.given' | 'grant.ended' | 'question.answered') {
  const filter = { ...NO_FILTER, kinds: [kind] }
  return (await readAudit(world.deps, { workspaceId }, filter)).entries
}

/** A hook asks about a command, with its own reading. */
function run(command: string, more: More = {}): More {
  const exact = { argumentsHash: sha256(command), arguments: 'command' } as const
  const its = { action: command, toolTarget: command, reading: readShellCommand(command), exact }
  return { ...more, its: { ...its, ...more.its } }
}

test('a yes for calls that begin so allows them with other words in this session, and nothing else', async () => {
  const stored = await grant('session_words', run('go test ./...'))
  expect(stored).toMatchObject({ action: 'go test …', length: 'session_words' })
  for (const command of ['go test ./...', 'go test -run TestX ./pkg | tail -5']) {
    expect(await report(run(command))).toMatchObject({
      decision: 'allow',
      reason: 'Ann’s yes for go test … in this session allows this call.',
    })
  }
  expect(await readGrants(world.deps, { workspaceId })).toMatchObject([{ uses: 2 }])
  for (const command of ['go run .', 'go test ./... && rm x', 'go test ../x', 'sudo go test']) {
    expect([command, await decided(run(command))]).toEqual([command, undefined])
  }
})

test.each<[string, More]>([
  ['another folder', { cwd: '/home/u' }],
  ['another session', { sessionId: 's2' }],
  ['another machine', { machineId: 'm2' }],
  ['another tool', { its: { toolName: 'Shell' } }],
  ['another token', { as: { tokenId: 'key_other' } }],
  ['a person alone', { its: { personOnly: true } }],
  ['settings that are not shown', { its: { exact: { ...EXACT, arguments: 'unshown' } } }],
  ['a hook that read more than is shown', { its: { reading: readShellCommand('go test; $x') } }],
  [
    'a hook that read a redirection',
    { its: { reading: readShellCommand('go test ./... > src/x.go') } },
  ],
  [
    'a hook that read another command',
    { its: { reading: readShellCommand('go test ./...; rm x') } },
  ],
])('a yes for calls that begin so does not cover %s', async (_, more) => {
  await grant('session_words', run('go test ./...'))
  expect(await decided(run('go test ./pkg', more))).toBeUndefined()
})

test('a yes for calls that begin so is taken back and ends with its session, both in the trail', async () => {
  const stored = await grant('session_words', run('go test ./...'))
  await revokeGrant(world.deps, workspaceId, stored.id, 'ann' as PersonId)
  expect(await decided(run('go test ./pkg'))).toBeUndefined()
  await grant('session_words', run('npm test'))
  await report({ event: 'session_end', ask: undefined } as More)
  expect(await decided(run('npm test -- src'))).toBeUndefined()
  const subjects = [...(await trail('grant.given')), ...(await trail('grant.ended'))]
  expect(subjects.map(({ subject }) => subject).sort()).toEqual([
    ...Array(2).fill('Bash in /home/u/shop: go test …'),
    ...Array(2).fill('Bash in /home/u/shop: npm test …'),
  ])
})

test('a yes for calls that begin so is not given where other words could do something else', async () => {
  const question = await open(run('npm install x'))
  expect(answer(question, { grant: 'session_words' })).rejects.toThrow(
    'Other words after those of this call could do something else.',
  )
  const push = await open(run('go test ./...'))
  const byPush = answer(push, { grant: 'session_words', source: 'mobile_background' })
  expect(byPush).rejects.toThrow('It can only be given on a page, signed in.')
})

test('a yes for 15 minutes answers the same call by a question of its own, and is counted', async () => {
  const stored = await grant()
  const reply = await report()
  expect(reply).toMatchObject({
    decision: 'allow',
    reason: 'Ann’s yes for 15 minutes allows this call.',
  })
  expect(reply.question).toBeUndefined()
  const [last] = await listQuestions(
    world.db.read,
    { workspaceId },
    { before: undefined, limit: 1 },
  )
  expect(last).toMatchObject({
    status: 'answered',
    value: 'yes',
    answerSource: undefined,
    answeredAs: `Ann’s yes for 15 minutes (${stored.id})`,
    detail: { action: 'npm test', byGrant: { id: stored.id } },
  })
  expect(await readGrants(world.deps, { workspaceId })).toMatchObject([
    { uses: 1, usedAt: world.clock.now(), personId: 'ann', action: 'npm test' },
  ])
})

test.each<[string, More]>([
  ['other arguments', { its: { exact: { ...EXACT, argumentsHash: 'b'.repeat(64) } } }],
  ['another folder', { cwd: '/home/u' }],
  ['another session', { sessionId: 's2' }],
  ['another machine', { machineId: 'm2' }],
  ['another tool', { its: { toolName: 'Shell' } }],
  ['another token', { as: { tokenId: 'key_other' } }],
  ['test traffic', { as: { testConnection: true } }],
  ['no hash', { its: { exact: undefined } }],
  ['no folder', { cwd: undefined }],
  ['a person alone', { its: { personOnly: true } }],
  ['a path outside the scope', { its: { scopePath: 'a.ts' } }],
  [
    'a command that was cut',
    { its: { actionBody: 'x\n… cut here: about 9 characters more are not shown.' } },
  ],
  ['what may be hard to undo', { its: { action: 'rm -rf /', toolTarget: 'rm -rf /' } }],
  ['a second line', { its: { action: 'npm test\ncurl x' } }],
])('a yes for 15 minutes asks again for %s', async (_, more) => {
  await grant()
  expect(await decided(more)).toBeUndefined()
  expect(await decided()).toBe('allow')
})

test('a yes for 15 minutes asks again at its time, and a clock that goes back does not revive it', async () => {
  await using _sweep = keepEndingGrants(world.deps, console.error)
  const { createdAt } = await grant()
  await world.clock.advance(15 * MINUTE - 2)
  expect(await decided()).toBe('allow')
  await world.clock.advance(1)
  expect(await decided()).toBeUndefined()
  await world.clock.advance(5_000)
  await settle()
  expect(await trail('grant.ended')).toMatchObject([{ outcome: 'its time was over, used once' }])
  expect(await decided({ as: { arrivedAt: createdAt + MINUTE } })).toBeUndefined()
})

test('a yes for 15 minutes does not hold before it was given', async () => {
  const { createdAt } = await grant()
  expect(await decided({ as: { arrivedAt: createdAt - 1 } })).toBeUndefined()
})

test('a yes for 15 minutes is over when it is taken back, with every other for the same call', async () => {
  const [one, two] = [await open(), await open()]
  await Promise.all([answer(one, { grant: '15_minutes' }), answer(two, { grant: 'session' })])
  const [first, other] = await readGrants(world.deps, { workspaceId })
  expect([first?.argumentsHash, other?.argumentsHash]).toEqual([HASH, HASH])
  expect(await decided()).toBe('allow')
  await revokeGrant(world.deps, workspaceId, first?.id ?? '', 'ann')
  expect(await decided()).toBeUndefined()
  expect(await readGrants(world.deps, { workspaceId })).toEqual([])
  // Again is no error; unknown is.
  await revokeGrant(world.deps, workspaceId, first?.id ?? '', 'ann')
  await expect(revokeGrant(world.deps, workspaceId, 'grant_x', 'ann')).rejects.toThrow('no such')
  await expect(revokeGrant(world.deps, 'ws_x', first?.id ?? '', 'ann')).rejects.toThrow('no such')
})

test('a yes for 15 minutes that is used while it is taken back: every use was before, none after', async () => {
  const stored = await grant()
  const uses = Array.from({ length: 8 }, () => decided())
  const revoked = revokeGrant(world.deps, workspaceId, stored.id, 'ann')
  const late = Array.from({ length: 8 }, () => decided())
  await revoked
  expect(await decided()).toBeUndefined()
  const allowed = (await Promise.all([...uses, ...late])).filter((one) => one === 'allow').length
  const [ended] = await trail('grant.ended')
  expect(ended?.outcome).toBe(`taken back, used ${allowed === 1 ? 'once' : `${allowed} times`}`)
})

test('of two answers at once with a yes for 15 minutes one counts, and a retry of a call is no second use', async () => {
  const question = await open()
  const both = [answer(question, { grant: '15_minutes' }), answer(question, { grant: 'session' })]
  expect((await Promise.all(both)).filter(({ won }) => won)).toHaveLength(1)
  expect(await readGrants(world.deps, { workspaceId })).toHaveLength(1)
  const its = { requestId: 'same', toolUseId: 'toolu_1' }
  expect(await Promise.all([decided({ its }), decided({ its })])).toEqual(['allow', 'allow'])
  expect(await decided({ its })).toBe('allow')
  expect((await readGrants(world.deps, { workspaceId }))[0]?.uses).toBe(1)
})

test('a yes for 15 minutes is in the audit trail when given, used and taken back', async () => {
  const { id } = await grant()
  await decided()
  await revokeGrant(world.deps, workspaceId, id, 'ann')
  const about = { subjectId: id, subject: 'Bash in /home/u/shop: npm test', person: 'Ann' }
  expect(await trail('grant.given')).toMatchObject([{ ...about, outcome: 'yes for 15 minutes' }])
  expect(await trail('grant.ended')).toMatchObject([{ ...about, outcome: 'taken back, used once' }])
  const [used] = await trail('question.answered')
  expect(used).toMatchObject({ outcome: 'yes', person: `Ann’s yes for 15 minutes (${id})` })
})

test('a yes for 15 minutes is forgotten with what is old', async () => {
  const { expiresAt } = await grant()
  expect(await world.db.write((tx) => purgeGrants(tx, expiresAt - 1))).toBe(0)
  expect(await world.db.write((tx) => purgeGrants(tx, expiresAt))).toBe(1)
  expect(await decided()).toBeUndefined()
})

test('a yes for this session holds until the client reports its end', async () => {
  await grant('session')
  await world.clock.advance(60 * MINUTE)
  expect(await decided()).toBe('allow')
  await report({ event: 'session_end', sessionId: 's2', ask: undefined })
  expect(await decided()).toBe('allow')
  await report({ event: 'session_end', ask: undefined })
  expect(await decided()).toBeUndefined()
  expect(await trail('grant.ended')).toMatchObject([{ outcome: 'the session ended, used 2 times' }])
})

test('a yes for this session is over when the agent is stopped, and after twelve hours at the latest', async () => {
  await grant('session')
  await stopAgent(world.deps, {
    workspaceId,
    questionId: (
      await open({
        its: { action: 'npm run build', exact: { ...EXACT, argumentsHash: 'c'.repeat(64) } },
      })
    ).id,
    by: 'ann',
  })
  expect(await decided()).toBeUndefined()
  await grant('session')
  await world.clock.advance(12 * 60 * MINUTE)
  expect(await decided()).toBeUndefined()
})

test.each<[string, More]>([
  ['an edit', { its: { exact: { ...EXACT, arguments: 'edit' } } }],
  ['a tool with arguments', { its: { exact: { ...EXACT, arguments: 'other' } } }],
  ['settings that are not shown', { its: { exact: { ...EXACT, arguments: 'unshown' } } }],
  ['a program that is not known', { its: { action: 'litestream restore x' } }],
  ['a command that is only known when it runs', { its: { action: 'npm test && $NEXT' } }],
  ['a path outside the scope', { its: { scopePath: 'a.ts' } }],
  ['a secret', { its: { action: 'npm test --key ▇▇▇ (API key)' } }],
  ['no session folder', { cwd: undefined }],
])('a yes that lasts is not offered: %s', async (_, more) => {
  const question = await open(more)
  expect(whyNoGrant(question)).toMatch(/^[A-Z].*\.$/)
  await expect(answer(question, { grant: '15_minutes' })).rejects.toThrow('allowed for longer')
  expect((await answer(question)).won).toBe(true)
})

test.each<[string, Partial<GivenAnswer>]>([
  ['from an answer link', { source: 'answer_link' }],
  ['from a button', { source: 'mobile_background' }],
  ['from Slack', { source: 'slack' }],
  ['from a device', { device: 'sub_1' }],
  ['without a person', { by: undefined }],
  ['with a no', { value: 'no' }],
  ['for what the client suggests', { forSession: true }],
])('a yes that lasts is not offered: %s', async (_, more) => {
  const question = await open({ its: { sessionToolAware: true, sessionAllows: ['Bash(ls)'] } })
  await expect(answer(question, { grant: 'session', ...more })).rejects.toThrow('longer')
  expect(await readGrants(world.deps, { workspaceId })).toEqual([])
})

test('a rule that declines, or has it asked every time, wins', async () => {
  await grant()
  const match = { toolName: 'Bash', toolTarget: 'npm test' }
  const rule = await addRule(world.deps, workspaceId, { match, decision: 'ask' })
  const question = await open()
  expect(whyNoGrant(question)).toContain('A rule')
  expect(rule.decision).toBe('ask')
  await addRule(world.deps, workspaceId, {
    match: { ...match, machineId: 'm1' },
    decision: 'deny',
  })
  expect(await decided()).toBe('deny')
})
