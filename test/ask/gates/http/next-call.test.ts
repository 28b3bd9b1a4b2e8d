import { expect, test } from 'bun:test'
import type { Person } from '../../../../src/ask/accounts/model/person.ts'
import { changeUpstream, removeUpstream } from '../../../../src/ask/gates/change-upstreams.ts'
import { confirmTools, removeGate } from '../../../../src/ask/gates/confirm-tools.ts'
import { listGates, listGateTools } from '../../../../src/ask/gates/model/store.ts'
import { systemClock as clock } from '../../../../src/platform/clock.ts'
import { createGuardedFetch } from '../../../../src/platform/outgoing/guarded-fetch.ts'
import { type HttpGateWorld, httpGateWorld } from '../../../support/http-gate-world.ts'

/** A client whose calls of `echo` run unasked, and have just done so. */
async function running(world: HttpGateWorld) {
  const client = await world.client()
  await world.confirm('echo')
  let count = 0
  const echo = () => client.callTool({ name: 'echo', arguments: { message: `${++count}` } })
  for (let at = 0; at < 3; at++) await echo()
  const { db } = world.house.app
  const { workspaceId } = world.house
  const owner = { id: 'owner', role: 'owner', workspaceId } as unknown as Person
  const [gate] = await listGates(db.read, workspaceId)
  return { echo, owner, deps: { db, clock }, gateId: gate?.id ?? 'gate_none' }
}

/** The next call is asked about, and does not run. */
async function mustAsk(world: HttpGateWorld, echo: () => Promise<unknown>): Promise<void> {
  const ran = world.toy.ran.length
  const call = echo()
  const [question] = await world.asked()
  await world.answer(question, 'no')
  expect(await call).toMatchObject({ isError: true })
  expect(world.toy.ran).toHaveLength(ran)
}

test('a rule that asks counts from the next call on', async () => {
  await using world = await httpGateWorld()
  const { echo } = await running(world)
  await world.rule({ match: { toolName: 'mcp__toy__echo' }, decision: 'ask', set: {} })
  await mustAsk(world, echo)
})

test('a rule that declines counts from the next call on', async () => {
  await using world = await httpGateWorld()
  const { echo } = await running(world)
  await world.rule({ match: { toolName: 'mcp__toy__echo' }, decision: 'deny', set: {} })
  expect(await echo()).toMatchObject({ isError: true })
  expect(await world.asked(0)).toEqual([])
})

test('a tool that an owner lets ask again asks from the next call on', async () => {
  await using world = await httpGateWorld()
  const { echo, owner, deps, gateId } = await running(world)
  const tools = await listGateTools(deps.db.read, gateId)
  const { fingerprint = '' } = tools.find(({ name }) => name === 'echo') ?? {}
  await confirmTools(deps, owner, gateId, [{ name: 'echo', fingerprint, unasked: false }])
  await mustAsk(world, echo)
})

test('a gate that an owner removes asks from the next call on', async () => {
  await using world = await httpGateWorld()
  const { echo, owner, deps, gateId } = await running(world)
  await removeGate(deps, owner, gateId)
  await mustAsk(world, echo)
})

test('a tool that its server changes asks from the next call on', async () => {
  await using world = await httpGateWorld()
  const { echo } = await running(world)
  const other = await world.client()
  world.toy.change('Sends its message away.')
  await other.listTools()
  await mustAsk(world, echo)
})

test('an address, a secret or a gate that an owner changes counts from the next request on', async () => {
  await using world = await httpGateWorld()
  const { echo, owner, deps } = await running(world)
  const outside = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  const upstream = { name: 'toy', url: world.toy.url, headerName: 'X-Toy-Key', secret: 'other' }
  await changeUpstream({ ...deps, outside }, owner, upstream)
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const post = () =>
    fetch(world.url, {
      method: 'POST',
      headers: world.headers({ 'content-type': 'application/json' }),
      body: JSON.stringify(list),
    })
  await (await post()).text()
  expect(world.toy.headers.at(-1)?.get('x-toy-key')).toBe('other')
  await removeUpstream(deps, owner, 'toy')
  expect((await post()).status).toBe(404)
  await expect(echo()).rejects.toThrow()
})
