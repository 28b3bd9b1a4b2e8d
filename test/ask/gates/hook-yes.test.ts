import { expect, test } from 'bun:test'
import type { Caller } from '../../../src/ask/accounts/model/agent.ts'
import type { PersonId, TokenId } from '../../../src/ask/accounts/model/ids.ts'
import { insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { workspaces } from '../../../src/ask/accounts/model/table.ts'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import type { Group } from '../../../src/ask/groups/model/group.ts'
import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { reportHook } from '../../../src/ask/hooks/report-hook.ts'
import { consumePermit, issuePermit, recordOutcome } from '../../../src/ask/permits/permits.ts'
import type { GateCall } from '../../../src/ask/wire/gate-fields.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { toolCallHash } from '../../../src/ask/wire/tool-fingerprint.ts'
import { newId } from '../../../src/platform/ids.ts'
import { sha256 } from '../../../src/platform/signing/sha256.ts'
import { type GateWorld, gateWorld, READ, WRITE } from '../../support/gate-world.ts'

const ARGS = { path: 'a.md', content: 'Hello' }
const ADA = { id: 'ada' as PersonId, name: 'Ada', email: 'ada@example.com', role: 'owner' } as const
const CWD = '/home/ana/shop'

type Hooked = {
  args?: object
  toolUseId?: string | undefined
  caller?: Partial<Caller>
  machineId?: string
  sessionId?: string
  cwd?: string
  value?: 'yes' | 'no'
  /** The hook lets the call go. */
  uses?: boolean
}

function hashOf(args: object): string {
  return toolCallHash({ tool: 'mcp__fs__write_file', arguments: args })
}

/** A hook asks about a call, is answered, and lets it go; resolves to its question and permit. */
async function throughHook(world: GateWorld, how: Hooked = {}) {
  const { args = ARGS, caller: more = {}, value = 'yes', uses = true } = how
  const { machineId = 'm1', sessionId = 's1', cwd = CWD } = how
  const toolUseId = 'toolUseId' in how ? how.toolUseId : 't1'
  const actionHash = hashOf(args)
  const { question } = await reportHook(
    world.deps,
    {
      ...{ event: 'approval', client: 'claude', machineId, sessionId, cwd },
      ask: {
        ...{ question: 'Use mcp__fs__write_file?', toolName: 'mcp__fs__write_file', actionHash },
        ...{ action: `mcp__fs__write_file ${JSON.stringify(args)}`, wait: false },
        ...{ localSurfaceAvailable: false, requestId: crypto.randomUUID() },
        ...(toolUseId === undefined ? {} : { toolUseId, requestId: sha256(JSON.stringify(args)) }),
        exact: { argumentsHash: sha256(JSON.stringify(args)), arguments: 'other' },
      },
    },
    world.call(more),
  )
  const questionId = question?.correlationId as QuestionId
  const { caller } = world.call(more)
  const { workspaceId } = caller
  await answerQuestion(world.deps, { workspaceId, questionId, value, by: ADA.id })
  if (!uses || value === 'no') return { questionId, permitId: '' }
  const { id } = await issuePermit(world.deps, caller, questionId, actionHash)
  await consumePermit(world.deps, caller, id, actionHash)
  return { questionId, permitId: id }
}

/** The same call at the gate. */
function atGate(
  world: GateWorld,
  args: object = ARGS,
  more: { [K in keyof GateCall]?: GateCall[K] | undefined } = {},
) {
  const atHook = { actionHash: hashOf(args), toolUseId: 't1' }
  return world.held('write_file', args, { atHook, ...more })
}

async function hookedWorld(): Promise<GateWorld> {
  const world = await gateWorld()
  const { workspaceId } = world.call().caller
  await world.db.write((tx) => insertPerson(tx, { ...ADA, workspaceId }, world.clock.now()))
  await world.list(READ, WRITE)
  return world
}

test('a yes at the hook is the permit for exactly that call at the gate, once', async () => {
  await using world = await hookedWorld()
  const { questionId } = await throughHook(world)
  const reply = await atGate(world)
  expect(reply.question).toMatchObject({ status: 'answered', value: 'yes' })
  expect(await world.question(reply)).toMatchObject({
    answeredBy: 'ada',
    detail: { byYes: { id: questionId, words: 'Ada’s yes to this call at its client' } },
  })
  expect(world.deliveries.filter(({ message }) => message.kind !== 'outcome')).toHaveLength(1)
  // The gate that did not get the reply asks again.
  expect((await atGate(world)).question?.correlationId).toBe(
    reply.question?.correlationId as string,
  )
  await world.use(reply)
  expect((await atGate(world)).question?.status).toBe('pending')
})

test('the words of a tool that only the hook asked about are not looked at by it', async () => {
  await using world = await hookedWorld()
  await throughHook(world)
  await world.use(await atGate(world))
  const later = await atGate(world, { path: 'b' }, { atHook: undefined })
  expect((await world.question(later)).detail.gate?.state).toBe('new')
})

const OTHERS: Record<
  string,
  { hook?: Hooked; gate?: Parameters<typeof atGate>[2]; args?: object }
> = {
  'another argument': { args: { ...ARGS, content: 'Hello.' } },
  'another id of the call': { gate: { atHook: { actionHash: hashOf(ARGS), toolUseId: 't2' } } },
  'no word of the client': { gate: { atHook: undefined } },
  'another machine': { hook: { machineId: 'm2' } },
  'another token': { hook: { caller: { tokenId: 'key_other' as TokenId } } },
  'a no': { hook: { value: 'no' } },
  'a hook that did not use the yes': { hook: { uses: false } },
  'a call that is not shown whole': { gate: { cut: true } },
  'a tool that is not as the client was listed it': { gate: { fingerprint: 'a'.repeat(64) } },
  'another session, of a client that names no calls': {
    hook: { toolUseId: undefined, sessionId: 's2' },
    gate: { atHook: { actionHash: hashOf(ARGS) } },
  },
  'another folder, of a client that names neither calls nor sessions': {
    hook: { toolUseId: undefined, cwd: '/tmp' },
    gate: { atHook: { actionHash: hashOf(ARGS) }, sessionId: undefined },
  },
  'a call without a machine and without an id': {
    gate: { atHook: { actionHash: hashOf(ARGS) }, machineId: undefined },
  },
}

for (const [name, { hook, gate, args }] of Object.entries(OTHERS)) {
  test(`a yes at the hook asks again at the gate: ${name}`, async () => {
    await using world = await hookedWorld()
    await throughHook(world, hook)
    expect((await atGate(world, args, gate)).question?.status).toBe('pending')
  })
}

test('a client that names no calls is told by session, or by folder', async () => {
  await using world = await hookedWorld()
  const atHook = { actionHash: hashOf(ARGS) }
  await throughHook(world, { toolUseId: undefined })
  const one = await atGate(world, ARGS, { atHook })
  expect(one.question?.status).toBe('answered')
  await world.use(one)
  await throughHook(world, { toolUseId: undefined })
  const other = await atGate(world, ARGS, { atHook, sessionId: undefined })
  expect(other.question?.status).toBe('answered')
})

test('a yes at the hook holds for a minute, and not after the call has ended', async () => {
  await using world = await hookedWorld()
  await throughHook(world)
  await world.clock.advance(60_001)
  expect((await atGate(world)).question?.status).toBe('pending')
  const { permitId } = await throughHook(world, { toolUseId: 't2' })
  const { caller } = world.call()
  await recordOutcome(world.deps, caller, permitId, { outcome: 'succeeded', detail: undefined })
  const atHook = { actionHash: hashOf(ARGS), toolUseId: 't2' }
  expect((await atGate(world, ARGS, { atHook })).question?.status).toBe('pending')
})

test('a tool that has changed since the last yes is shown, whatever was said at the hook', async () => {
  await using world = await hookedWorld()
  const first = await atGate(world, { path: 'z' }, { atHook: undefined })
  await world.answer(first, 'yes')
  await world.list(READ, { ...WRITE, description: 'Writes a file, and sends it on.' })
  await throughHook(world)
  const reply = await atGate(world)
  expect(reply.question?.status).toBe('pending')
  expect((await world.question(reply)).detail.gate?.state).toBe('changed')
})

test('a rule that declines comes before a yes at the hook', async () => {
  await using world = await hookedWorld()
  await throughHook(world)
  await world.rule({ match: { toolName: 'mcp__fs__write_file' }, decision: 'deny' })
  expect((await atGate(world)).decision).toBe('deny')
})

test('a yes at the hook is no yes of the people whom a rule names', async () => {
  await using world = await hookedWorld()
  await throughHook(world)
  const { workspaceId } = world.call().caller
  const group: Group = {
    ...{ id: newId('group', world.clock.now()), workspaceId, name: 'engineers', source: 'hand' },
    ...{ externalId: undefined, createdAt: 1 },
  }
  await world.db.write((tx) => insertGroup(tx, group))
  await world.rule({ match: { toolName: 'mcp__fs__write_file' }, approve: { from: [group.id] } })
  expect((await atGate(world)).question?.value).toBeUndefined()
})

test('a yes of the people whom a rule names, at the hook, is theirs at the gate, once, while it counts', async () => {
  await using world = await hookedWorld()
  const { workspaceId } = world.call().caller
  const bob = {
    id: 'bob' as PersonId,
    name: 'Bob',
    email: 'bob@example.com',
    role: 'member',
  } as const
  const group: Group = {
    ...{ id: newId('group', world.clock.now()), workspaceId, name: 'engineers', source: 'hand' },
    ...{ externalId: undefined, createdAt: 1 },
  }
  await world.db.write(async (tx) => {
    await tx.insert(workspaces).values({ id: workspaceId, name: 'home', createdAt: 1 })
    await insertPerson(tx, { ...bob, workspaceId }, world.clock.now())
    await insertGroup(tx, group)
    await putGroupMembers(tx, group, 'hand', [ADA.id, bob.id])
  })
  const approve = { from: [group.id], asker: 'counts' as const }
  await world.rule({ match: { toolName: 'mcp__fs__write_file' }, approve })
  const { questionId } = await throughHook(world)
  const reply = await atGate(world)
  expect(reply.question?.value).toBe('yes')
  expect((await world.question(reply)).detail.byYes?.id).toBe(questionId)
  await world.use(reply)
  expect((await atGate(world)).question?.value).toBeUndefined()
  // Who agreed has left the group before the gate saw the call.
  await throughHook(world, { toolUseId: 't2' })
  const second = await atGate(world, ARGS, {
    atHook: { actionHash: hashOf(ARGS), toolUseId: 't2' },
  })
  expect(second.question?.value).toBe('yes')
  await world.db.write((tx) => putGroupMembers(tx, group, 'hand', [bob.id]))
  await expect(world.use(second)).rejects.toThrow('Ada')
  // Another rule at the gate asks for more than was asked for at the hook.
  await world.db.write((tx) => putGroupMembers(tx, group, 'hand', [ADA.id, bob.id]))
  await throughHook(world, { toolUseId: 't3' })
  await world.rule({ match: {}, approve: { ...approve, need: 2 } })
  const third = await atGate(world, ARGS, { atHook: { actionHash: hashOf(ARGS), toolUseId: 't3' } })
  expect(third.question?.value).toBeUndefined()
})
