import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { PersonId, WorkspaceId } from '../../../src/ask/accounts/model/ids.ts'
import { insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { workspaces } from '../../../src/ask/accounts/model/table.ts'
import { NO_FILTER } from '../../../src/ask/audit/model/audit-entry.ts'
import { whyNoGrant } from '../../../src/ask/grants/model/grant.ts'
import { reportHook } from '../../../src/ask/hooks/report-hook.ts'
import { addRule, setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { addProgram, removeProgram } from '../../../src/ask/policy/change-programs.ts'
import { messageParts, offersYes } from '../../../src/ask/questions/model/message-parts.ts'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import { openWords } from '../../../src/ask/questions/model/reading.ts'
import { findQuestionById } from '../../../src/ask/questions/model/store.ts'
import { readAudit } from '../../../src/ask/trail/read-audit.ts'
import type { HookReport } from '../../../src/ask/wire/hook-fields.ts'
import { readShellCommand } from '../../../src/ask/wire/reading/of-ask.ts'
import type { ReadingSummary } from '../../../src/ask/wire/reading/summary.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { readInbox } from '../../support/read-inbox.ts'

const ANN = 'ann' as PersonId
const LEX = { name: 'lex', kind: 'project' } as const

let world: FlowWorld
let workspaceId: WorkspaceId
let count = 0
beforeEach(async () => {
  world = await flowWorld()
  workspaceId = world.call().caller.workspaceId
  await world.device('phone')
  const ann = { id: ANN, name: 'Ann', email: 'ann@example.com', role: 'owner' } as const
  await world.db.write(async (tx) => {
    await tx.insert(workspaces).values({ id: workspaceId, name: 'home', createdAt: 0 })
    await insertPerson(tx, { ...ann, workspaceId }, 0)
  })
})
afterEach(() => world[Symbol.asyncDispose]())

/** A hook asks about a command, with its own reading of the whole call. */
function run(command: string, reading: ReadingSummary = readShellCommand(command)) {
  const report = {
    ...{ event: 'approval', client: 'claude', sessionId: 's1', machineId: 'm1' },
    cwd: '/home/u/shop',
    ask: {
      question: 'Run this command?',
      ...{ action: command, toolName: 'Bash', toolTarget: command, wait: false, reading },
      ...{ requestId: `call-${++count}`, actionHash: 'b'.repeat(64) },
      exact: { argumentsHash: 'a'.repeat(64), arguments: 'command' },
    },
  }
  return reportHook(world.deps, report as HookReport & { client: string }, world.call())
}

async function open(): Promise<Question> {
  const questions = await readInbox(world.deps, workspaceId)
  const [question] = questions
  if (!question) throw new Error('nothing is open')
  return question
}

const isKnown = (question: Question) => ({
  words: openWords(question) ?? '',
  yes: offersYes(question, messageParts(question)),
  grant: whyNoGrant(question) === undefined,
})
const KNOWN = { words: '', yes: true, grant: true }
const UNKNOWN = { yes: false, grant: false }

test('a program that is added makes an open question known at once, and removed open again', async () => {
  await run('lex build')
  expect(isKnown(await open())).toMatchObject(UNKNOWN)
  await addProgram(world.deps, workspaceId, LEX, ANN)
  expect(isKnown(await open())).toEqual(KNOWN)
  await removeProgram(world.deps, workspaceId, 'lex', ANN)
  expect(isKnown(await open())).toMatchObject(UNKNOWN)
})

test('the next call is known when it is asked, and a rule may allow it', async () => {
  await setPolicy(world.deps, workspaceId, { programs: [LEX] }, ANN)
  await run('lex build')
  expect(isKnown(await open())).toEqual(KNOWN)
  await addRule(world.deps, workspaceId, {
    match: { toolName: 'Bash', toolTarget: 'lex build*' },
    decision: 'allow',
  })
  // The hook reads the call with what it is told, too.
  expect(await run('lex build --watch')).toMatchObject({ decision: 'allow', programs: [LEX] })
  const other = await run('lex test')
  expect([other.decision, other.question?.status]).toEqual([undefined, 'pending'])
})

test('what an owner says of a program takes no call from those whom a rule names', async () => {
  const match = { toolName: 'Bash', toolTarget: 'terraform apply*' }
  await addRule(world.deps, workspaceId, { match, approve: { from: [ANN], asker: 'counts' } })
  await setPolicy(world.deps, workspaceId, { programs: [{ name: 'lex', kind: 'words' }] }, ANN)
  const { question } = await run('lex exec terraform apply')
  const id = question?.correlationId as Question['id']
  expect((await findQuestionById(world.db.read, id))?.requirement).toBeDefined()
})

test('whatever else is not known stays so', async () => {
  await setPolicy(world.deps, workspaceId, { programs: [LEX] }, ANN)
  for (const command of ['lex build && other x', 'lex "$x"', './x.sh; lex build > "$x"']) {
    const { question } = await run(command)
    const stored = await findQuestionById(world.db.read, question?.correlationId as Question['id'])
    expect({ command, ...(stored && isKnown(stored)) }).toMatchObject({ command, ...UNKNOWN })
  }
})

test.each([
  [
    'does not say which commands it read',
    { ...readShellCommand('lex build'), commands: [] as ReadingSummary['commands'] },
  ],
  [
    'may have left reasons out',
    {
      ...readShellCommand('lex build'),
      open: Array.from({ length: 20 }, () => ({ why: 'program' as const, name: 'lex' })),
    },
  ],
  ['read something else', readShellCommand('lex build; $x')],
])('a hook that %s makes nothing known', async (_, reading) => {
  await setPolicy(world.deps, workspaceId, { programs: [LEX] }, ANN)
  await run('lex build', reading)
  expect(isKnown(await open())).toMatchObject(UNKNOWN)
})

test('what cannot be added is refused with the reason', async () => {
  const bash = { name: 'bash', kind: 'words' } as const
  expect(addProgram(world.deps, workspaceId, bash, ANN)).rejects.toThrow(
    'starts other programs or runs code that it is given',
  )
  expect(setPolicy(world.deps, workspaceId, { programs: [LEX, bash] })).rejects.toThrow(
    'programs[1].name cannot be bash',
  )
  expect(setPolicy(world.deps, workspaceId, { programs: [LEX, LEX] })).rejects.toThrow('twice')
  expect(removeProgram(world.deps, workspaceId, 'lex', ANN)).rejects.toThrow('no such program')
})

test('who added and removed what is in the audit trail', async () => {
  await addProgram(world.deps, workspaceId, LEX, ANN)
  await removeProgram(world.deps, workspaceId, 'lex', ANN)
  const { entries } = await readAudit(world.deps, { workspaceId }, NO_FILTER)
  const changes = entries.filter(({ kind }) => kind === 'policy.changed')
  expect(changes.map(({ outcome, person }) => `${person}: ${outcome}`).sort()).toEqual([
    'Ann: program lex added: it is a tool of the project and runs its code',
    'Ann: program lex removed',
  ])
})
