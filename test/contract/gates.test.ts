import { expect, test } from 'bun:test'
import type { Gate, GateTool } from '../../src/ask/gates/model/gate.ts'
import * as listings from '../../src/ask/gates/model/listing-store.ts'
import * as store from '../../src/ask/gates/model/store.ts'
import type { Upstream } from '../../src/ask/gates/model/upstream.ts'
import * as upstreams from '../../src/ask/gates/model/upstream-store.ts'
import * as versions from '../../src/ask/gates/model/version-store.ts'
import { aGate } from '../support/gate-world.ts'
import { onBothDatabases } from './both-databases.ts'

const GATE = aGate({ machineId: 'm1', instructions: 'Read first.', instructionsHash: 'i' })
const DEFINITION = { name: 'read', description: 'Reads.\u0000\u202e' }
const TOOL: Omit<GateTool, 'confirmed' | 'lastYes'> = {
  gateId: 'gate_1',
  name: 'read',
  fingerprint: 'f1',
  definition: DEFINITION,
  listed: true,
  changedAt: 1_000,
}
const SEEN = { fingerprint: 'f1', definition: DEFINITION, at: 2_000 }

onBothDatabases('gates', (db) => {
  const save = (gate: Partial<Gate> = {}) =>
    db().write((tx) => store.saveGate(tx, { ...GATE, ...gate }))
  const saveTool = (tool: Partial<GateTool> = {}) =>
    db().write((tx) => store.saveGateTool(tx, { ...TOOL, ...tool }))
  const tools = () => store.listGateTools(db().read, 'gate_1')

  test('one row for each server of a name; a later report of it is kept', async () => {
    await save()
    const later = await save({
      id: 'gate_2',
      seenAt: 2_000,
      machineId: 'm2',
      instructions: undefined,
    })
    expect(later).toEqual({
      ...GATE,
      seenAt: 2_000,
      machineId: 'm2',
      instructions: undefined,
    })
    await save({ id: 'gate_3', serverHash: 'b', seenAt: 3_000 })
    await save({ id: 'gate_4', workspaceId: 'ws_2' })
    const ids = async (ws: Gate['workspaceId']) =>
      (await store.listGates(db().read, ws)).map(({ id }) => id)
    expect(await ids('ws_1')).toEqual(['gate_3', 'gate_1'])
    expect(await store.countGates(db().read, 'ws_1')).toBe(2)
    expect((await store.findGate(db().read, GATE))?.id).toBe('gate_1')
    expect(await store.findGate(db().read, { ...GATE, name: 'other' })).toBeUndefined()
    expect((await store.readGate(db().read, 'ws_1', 'gate_3'))?.serverHash).toBe('b')
    expect(await store.readGate(db().read, 'ws_1', 'gate_4')).toBeUndefined()
  })

  test('what people saw of a tool stays while its list changes', async () => {
    await saveTool()
    const confirmed = { ...SEEN, by: 'ann', unasked: true }
    const confirm = (fingerprint: string) =>
      db().write((tx) => store.confirmGateTool(tx, 'gate_1', 'read', { ...confirmed, fingerprint }))
    expect(await confirm('f0')).toBe(false)
    expect(await confirm('f1')).toBe(true)
    await db().write((tx) => store.noteGateYes(tx, 'gate_1', 'read', SEEN))
    await saveTool({ fingerprint: 'f2', changedAt: 3_000 })
    const changed = { ...TOOL, fingerprint: 'f2', changedAt: 3_000, confirmed, lastYes: SEEN }
    expect(await store.findGateTool(db().read, 'gate_1', 'read')).toEqual(changed)
    await saveTool({ name: 'write' })
    await db().write((tx) => store.unlistGateTools(tx, 'gate_1', ['read']))
    await db().write((tx) => store.unlistGateTools(tx, 'gate_1', []))
    expect(await tools()).toEqual([
      { ...changed, listed: false },
      { ...TOOL, name: 'write', confirmed: undefined, lastYes: undefined },
    ])
  })

  test('which instructions were read, and when people were told, outlives a report', async () => {
    const { id } = await save()
    await db().write((tx) => store.confirmInstructions(tx, id, 'i'))
    await db().write((tx) => store.noteTold(tx, id, 5_000))
    expect(await save({ seenAt: 6_000 })).toMatchObject({
      confirmedInstructions: 'i',
      toldAt: 5_000,
    })
  })

  test('a gate is deleted with its tools, and no other', async () => {
    await save()
    await save({ id: 'gate_2', serverHash: 'b' })
    await saveTool()
    await saveTool({ gateId: 'gate_2' })
    await db().write((tx) => store.deleteGate(tx, 'gate_1'))
    expect(await tools()).toEqual([])
    expect(await store.listGateTools(db().read, 'gate_2')).toHaveLength(1)
    expect(await store.countGates(db().read, 'ws_1')).toBe(1)
  })

  test('versions of a tool are kept apart, with what people saw of each, and not too many', async () => {
    const confirmed = { ...SEEN, by: 'ann', unasked: true } as const
    const key = { gateId: 'gate_1', name: 'read', fingerprint: 'f1' } as const
    const find = () => versions.findGateVersion(db().read, key)
    const aside = (tool: Partial<GateTool>, at: number) =>
      db().write((tx) =>
        versions.setGateVersionAside(tx, { ...TOOL, confirmed, lastYes: SEEN, ...tool }, at),
      )
    await aside({}, 1_000)
    const version = { ...TOOL, confirmed, lastYes: SEEN }
    expect(await find()).toEqual(version)
    await db().write((tx) => versions.noteVersionYes(tx, key, 5_000))
    expect((await find())?.lastYes).toEqual({ ...SEEN, at: 5_000 })
    await db().write((tx) => versions.unconfirmVersions(tx, 'gate_1', 'read'))
    expect((await find())?.confirmed).toBeUndefined()
    // What people saw of another version is not of this one.
    await aside({ fingerprint: 'f0' }, 2_000)
    const other = await versions.findGateVersion(db().read, { ...key, fingerprint: 'f0' })
    expect([other?.confirmed, other?.lastYes]).toEqual([undefined, undefined])
    await saveTool({ fingerprint: 'f9' })
    await db().write((tx) => versions.replaceGateTool(tx, version))
    expect(await store.findGateTool(db().read, 'gate_1', 'read')).toEqual(version)
    for (let at = 0; at < 10; at++) await aside({ fingerprint: `n${at}` }, 3_000 + at)
    expect(await find()).toBeUndefined()
    await aside({}, 9_000)
    await db().write((tx) => versions.purgeGateVersions(tx, 9_000))
    expect(await find()).toBeDefined()
    await db().write((tx) => store.deleteGate(tx, 'gate_1'))
    expect(await find()).toBeUndefined()
  })

  test('what a client was listed last is stored in place of what it was listed before', async () => {
    const listing = { key: 'k', workspaceId: 'ws_1', tools: { read: 'f1' }, listedAt: 1 } as const
    const save = (more: object) =>
      db().write((tx) => listings.saveListing(tx, { ...listing, ...more }))
    const find = () => listings.findListing(db().read, 'k')
    await save({})
    await save({ tools: { write: 'f2' }, listedAt: 2 })
    expect(await find()).toEqual({ ...listing, tools: { write: 'f2' }, listedAt: 2 })
    await db().write((tx) => listings.purgeListings(tx, 2))
    expect(await find()).toBeDefined()
    await db().write((tx) => listings.purgeListings(tx, 3))
    expect(await find()).toBeUndefined()
    await save({})
    await db().write((tx) => listings.deleteListing(tx, 'k'))
    expect(await find()).toBeUndefined()
  })

  test('a server over HTTP is stored by its name, and its secret is only read for a request', async () => {
    const upstream: Upstream = {
      ...{ workspaceId: 'ws_1', name: 'crm', url: 'https://a.example/mcp', changedAt: 1 },
      ...{ headerName: 'Authorization', headerValue: 'Bearer secret', tokenId: 'key_1' },
    }
    const write = (one: Upstream) => db().write((tx) => upstreams.saveUpstream(tx, one))
    await write(upstream)
    await write({ ...upstream, workspaceId: 'ws_2' })
    expect(await upstreams.findUpstream(db().read, 'ws_1', 'crm')).toEqual(upstream)
    const [listed] = await upstreams.listUpstreams(db().read, 'ws_1')
    expect(JSON.stringify(listed)).not.toContain('secret')
    const nothing = { headerName: undefined, headerValue: undefined, tokenId: undefined }
    const open = { ...nothing, changedAt: 2 }
    await write({ ...upstream, ...open })
    expect(await upstreams.findUpstream(db().read, 'ws_1', 'crm')).toEqual({ ...upstream, ...open })
    const remove = () => db().write((tx) => upstreams.deleteUpstream(tx, 'ws_1', 'crm'))
    expect([await remove(), await remove()]).toEqual([true, false])
    expect(await upstreams.listUpstreams(db().read, 'ws_2')).toHaveLength(1)
  })
})
