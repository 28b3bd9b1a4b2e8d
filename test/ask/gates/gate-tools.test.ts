import { expect, test } from 'bun:test'
import type { PersonId } from '../../../src/ask/accounts/model/ids.ts'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { confirmTools, removeGate } from '../../../src/ask/gates/confirm-tools.ts'
import { listGateTools } from '../../../src/ask/gates/model/store.ts'
import { proposedUnasked, readSeenGates, standingOf } from '../../../src/ask/gates/read-gates.ts'
import { whyNoGrant } from '../../../src/ask/grants/model/grant.ts'
import type { GateToolsReply } from '../../../src/ask/wire/gate-fields.ts'
import { confirmTool } from '../../support/confirm-tool.ts'
import { type GateWorld, gateWorld, READ, WRITE } from '../../support/gate-world.ts'

function person(world: GateWorld, role: Person['role'] = 'owner'): Person {
  const { workspaceId } = world.call().caller
  return { id: 'ann' as PersonId, name: 'Ann', email: 'ann@example.org', workspaceId, role }
}

/** An owner confirms all tools of a list; those named run without asking. */
async function confirm(world: GateWorld, list: GateToolsReply, ...unasked: string[]) {
  const decisions = list.tools.map(({ name, fingerprint }) => ({
    name,
    fingerprint,
    unasked: unasked.includes(name),
  }))
  await confirmTools(world.deps, person(world), list.gateId, decisions)
}

test('a list is new, then the same, then changed, with a fingerprint of each version', async () => {
  await using world = await gateWorld()
  const first = await world.list(READ, WRITE)
  expect(first.tools.map(({ name, state }) => [name, state])).toEqual([
    ['read_file', 'new'],
    ['write_file', 'new'],
  ])
  await confirm(world, first)
  const same = await world.list(WRITE, READ)
  expect(same.gateId).toBe(first.gateId)
  expect(same.tools.map(({ state }) => state)).toEqual(['same', 'same'])
  for (const other of [
    { title: 'Read' },
    { description: 'Reads a file.\u200b' },
    { inputSchema: {} },
    { outputSchema: {} },
    { annotations: {} },
  ]) {
    const [changed] = (await world.list({ ...READ, ...other })).tools
    expect([other, changed?.state]).toEqual([other, 'changed'])
    expect(changed?.fingerprint).not.toBe(first.tools[0]?.fingerprint)
  }
  // What is no part of a tool changes nothing.
  const meta = { ...READ, _meta: { at: 1 } }
  expect((await world.list(meta)).tools[0]?.state).toBe('same')
})

test('a tool that a person allowed once, and that is as it was, is not shown as changed', async () => {
  await using world = await gateWorld()
  await world.list(WRITE)
  await world.answer(await world.held('write_file', { path: 'a' }), 'yes')
  const standing = async () => {
    const [seen] = await readSeenGates(world.db.read, world.call().caller.workspaceId)
    return seen?.tools.map(standingOf)
  }
  expect(await standing()).toEqual(['new'])
  await world.list({ ...WRITE, description: 'Writes two files.' })
  expect(await standing()).toEqual(['changed'])
})

test('what an owner confirmed runs without asking until the tool changes', async () => {
  await using world = await gateWorld()
  const list = await world.list(READ, WRITE)
  await confirm(world, list, 'read_file')
  expect(await world.held('read_file', { path: 'a' })).toMatchObject({ decision: 'allow' })
  expect((await world.held('write_file', { path: 'a' })).decision).toBeUndefined()
  // Each call is decided by itself.
  expect(await world.held('read_file', { path: 'a' })).toMatchObject({ decision: 'allow' })
  // The client was listed another version.
  const old = await world.held('read_file', { path: 'a' }, { fingerprint: 'b'.repeat(64) })
  expect(old.decision).toBeUndefined()
  await world.list({ ...READ, description: 'Reads a file and more.' }, WRITE)
  const reply = await world.held('read_file', { path: 'a' })
  expect(reply.decision).toBeUndefined()
  expect((await world.question(reply)).detail.gate).toMatchObject({
    state: 'changed',
    changes: [
      {
        part: 'What it says it does',
        before: 'Reads a file.',
        after: 'Reads a file and more.',
      },
    ],
  })
  await world.list(READ, WRITE)
  expect(await world.held('read_file', { path: 'a' })).toMatchObject({ decision: 'allow' })
})

test('a rule that allows holds for the confirmed tool alone; ask and deny come before', async () => {
  await using world = await gateWorld()
  const list = await world.list(READ, WRITE)
  await confirm(world, list, 'read_file')
  await world.rule({ match: { toolName: 'mcp__fs__write_file' }, decision: 'allow' })
  expect(await world.held('write_file', { path: 'a' })).toMatchObject({ decision: 'allow' })
  await world.rule({ match: { repoKey: 'shop' }, decision: 'ask' })
  const there = { repoKey: 'shop' }
  expect((await world.held('read_file', {}, there)).decision).toBeUndefined()
  const { tools } = await world.list(READ, { ...WRITE, description: 'Writes.' })
  expect(tools.map(({ unasked }) => unasked)).toEqual([null, null])
  expect((await world.held('write_file', { path: 'a' })).decision).toBeUndefined()
})

test('a list says what holds while the server is away', async () => {
  await using world = await gateWorld()
  await confirm(world, await world.list(READ, WRITE), 'read_file')
  const unasked = async () => (await world.list(READ, WRITE)).tools.map((tool) => tool.unasked)
  expect(await unasked()).toEqual(['allow', null])
  await world.rule({ match: { toolName: 'mcp__fs__write_file' }, decision: 'deny' })
  expect(await unasked()).toEqual(['allow', 'deny'])
  await world.rule({
    match: { toolName: 'mcp__fs__read_file', toolTarget: 'a*' },
    decision: 'deny',
  })
  expect(await unasked()).toEqual([null, 'deny'])
})

test('nothing dangerous or hidden runs without asking, whatever an owner confirmed', async () => {
  await using world = await gateWorld()
  await confirm(world, await world.list(READ), 'read_file')
  const bar = {
    action: 'mcp__fs__read_file {"key":"▇▇▇ (a token)"}',
    arguments: 'unshown',
  } as const
  for (const more of [
    bar,
    { cut: true } as const,
    { action: 'mcp__fs__read_file {"x":"rm -rf /"}' },
  ]) {
    expect([more, (await world.held('read_file', { a: 1 }, more)).decision]).toEqual([
      more,
      undefined,
    ])
  }
})

test('an answer for longer is offered for a confirmed tool, and never for code', async () => {
  await using world = await gateWorld()
  const list = await world.list(READ)
  const why = async (input: object) =>
    whyNoGrant(await world.question(await world.held('read_file', input)))
  expect(await why({ path: 'a' })).toContain('No owner has confirmed this tool')
  await confirm(world, list)
  expect(await why({ path: 'b' })).toBeUndefined()
  expect(await why({ query: 'drop table' })).toBeDefined()
})

test('confirming is for owners, and only for what they were shown', async () => {
  await using world = await gateWorld()
  const { gateId, tools } = await world.list(READ, WRITE)
  const decisions = tools.map((tool) => ({ ...tool, unasked: true }))
  const member = person(world, 'member')
  await expect(confirmTools(world.deps, member, gateId, decisions)).rejects.toThrow('owner')
  await expect(removeGate(world.deps, member, gateId)).rejects.toThrow('owner')
  const stale = decisions.map((one, at) => (at === 1 ? { ...one, fingerprint: 'f' } : one))
  await expect(confirmTools(world.deps, person(world), gateId, stale)).rejects.toThrow(
    'nothing was confirmed',
  )
  const stored = await listGateTools(world.db.read, gateId as 'gate_')
  expect(stored.map(({ confirmed }) => confirmed)).toEqual([undefined, undefined])
})

test('people are told once of each version, and only of tools they had seen', async () => {
  await using world = await gateWorld()
  await confirm(world, await world.list(READ, WRITE))
  const titles = () => world.deliveries.map(({ message }) => message.title)
  await world.list({ ...READ, title: 'A' }, { ...WRITE, title: 'B' }, { name: 'other' })
  await world.list({ ...READ, title: 'A' }, { ...WRITE, title: 'B' }, { name: 'other', title: 'C' })
  await world.clock.advance(1_000)
  expect(titles()).toEqual(['fs has changed 2 tools'])
  await world.list({ ...READ, title: 'D' })
  await world.clock.advance(1_000)
  expect(titles()).toEqual(['fs has changed 2 tools', 'fs has changed a tool'])
})

test('what a server lists is taken as far as it can be recognised again', async () => {
  await using world = await gateWorld()
  let deep: unknown = {}
  for (let i = 0; i < 5_000; i++) deep = { deep }
  const { tools, leftOut } = await world.list(
    READ,
    { name: 'read_file', description: 'again' },
    { name: '' },
    { name: 'a\u202eb' },
    { name: 'x'.repeat(201) },
    { name: 'large', description: 'x'.repeat(70_000) },
    { name: 'odd', title: 7, description: ['x'], annotations: 'none', inputSchema: deep },
  )
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['read_file']))
  expect(leftOut.length).toBeGreaterThanOrEqual(5)
  expect(tools.length + leftOut.length).toBe(7)
})

test('two machines with different versions of one server are each judged by their own, and nothing flaps', async () => {
  await using world = await gateWorld()
  const newer = { ...READ, description: 'Reads a file, faster.' }
  const old = await world.list(READ, WRITE)
  await confirm(world, old, 'read_file')
  const next = await world.list(newer)
  const [v1 = '', v2 = ''] = [old, next].map(({ tools }) => tools[0]?.fingerprint)
  await world.clock.advance(1_000)
  const messages = () => world.deliveries.filter(({ message }) => /changed/.test(message.title))
  expect([next.tools[0]?.state, messages().length]).toEqual(['changed', 1])
  const held = (version: string, path: string) =>
    world.held('read_file', { path }, { fingerprint: version, now: version })
  // Each machine has the version that its client was listed.
  expect(await held(v1, 'a')).toMatchObject({ decision: 'allow' })
  const reply = await held(v2, 'a')
  expect((await world.question(reply)).detail.gate).toMatchObject({ state: 'changed' })
  expect((await world.list(READ, WRITE)).tools.map(({ state }) => state)).toEqual(['same', 'same'])
  await confirm(world, await world.list(newer), 'read_file')
  expect(await held(v2, 'b')).toMatchObject({ decision: 'allow' })
  for (const list of [[READ, WRITE], [newer], [READ, WRITE]]) {
    const { tools } = await world.list(...list)
    expect(tools.map(({ state }) => state)).not.toContain('changed')
  }
  expect(await held(v1, 'b')).toMatchObject({ decision: 'allow' })
  expect(await held(v2, 'c')).toMatchObject({ decision: 'allow' })
  await world.clock.advance(1_000)
  expect(messages()).toHaveLength(1)
})

test('a version that the client was not listed, or that the server lists no more, is asked about', async () => {
  await using world = await gateWorld()
  const old = await world.list(READ)
  await confirm(world, old, 'read_file')
  const next = await world.list({ ...READ, description: 'Sends a file away.' })
  const [v1 = '', v2 = ''] = [old, next].map(({ tools }) => tools[0]?.fingerprint)
  const decision = async (fingerprint: string | null, now: string | null) =>
    (await world.held('read_file', { fingerprint, now }, { fingerprint, now })).decision
  expect(await decision(v1, v1)).toBe('allow')
  expect(await decision(v1, v2)).toBeUndefined()
  expect(await decision(v2, v1)).toBeUndefined()
  expect(await decision(v1, null)).toBeUndefined()
  expect(await decision(null, v1)).toBeUndefined()
})

test('an owner who takes a tick away takes it from every version', async () => {
  await using world = await gateWorld()
  const old = await world.list(READ)
  await confirm(world, old, 'read_file')
  const [v1 = ''] = old.tools.map(({ fingerprint }) => fingerprint)
  await confirm(world, await world.list({ ...READ, description: 'Reads.' }))
  const reply = await world.held('read_file', {}, { fingerprint: v1, now: v1 })
  expect(reply.decision).toBeUndefined()
})

test('a rule that asks spares no question, whatever an owner confirmed', async () => {
  await using world = await gateWorld()
  await confirm(world, await world.list(READ), 'read_file')
  await world.rule({ match: { toolName: 'mcp__fs__read_file' }, decision: 'ask' })
  const { tools } = await world.list(READ)
  expect(tools.map(({ unasked }) => unasked)).toEqual([null])
  expect((await world.held('read_file')).question?.status).toBe('pending')
})

test('a tool that has changed is not proposed to run without asking, whatever an owner decided before', async () => {
  await using world = await gateWorld()
  const { db, call } = world
  const { workspaceId } = call().caller
  const proposed = async () => {
    const [seen] = await readSeenGates(db.read, workspaceId)
    return seen?.tools.map((tool) => [tool.name, proposedUnasked(tool)])
  }
  await world.list(READ, WRITE)
  expect(await proposed()).toEqual([
    ['read_file', true],
    ['write_file', false],
  ])
  await confirmTool(db, workspaceId, 'read_file')
  await world.list({ ...READ, description: 'Reads a file, and sends it away.' }, WRITE)
  expect(await proposed()).toContainEqual(['read_file', false])
  await world.list(READ, WRITE)
  expect(await proposed()).toContainEqual(['read_file', true])
})
