import { expect, test } from 'bun:test'
import type { TokenId } from '../../../src/ask/accounts/model/ids.ts'
import { listAbout } from '../../../src/ask/audit/model/store.ts'
import { findUpstream } from '../../../src/ask/gates/model/upstream-store.ts'
import { registerUpstream } from '../../../src/ask/gates/register-upstream.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { httpMcpServer } from '../../support/http-mcp-server.ts'

const HEADER = { headerName: 'Authorization', secret: 'Bearer theirs' }

function registering({ deps, call, clock, db }: FlowWorld) {
  const outside = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  const all = { ...deps, db, clock, outside, baseUrl: 'https://beckon.example' }
  const { workspaceId } = call().caller
  return {
    find: () => findUpstream(db.read, workspaceId, 'crm'),
    trail: () => listAbout(db.read, { subjectId: 'crm', kind: 'gate.changed' }, 9),
    register: (input: Parameters<typeof registerUpstream>[2], tokenId?: TokenId) =>
      registerUpstream(all, 'crm', input, call(tokenId ? { tokenId } : {})),
  }
}

for (const era of ['old', 'modern'] as const) {
  test(`an agent's machine registers a server that answers with its secret (${era} era)`, async () => {
    await using world = await flowWorld()
    await using toy = await httpMcpServer(era)
    const { register, find, trail } = registering(world)
    const url = 'https://beckon.example/gate/crm'
    expect(await register({ url: toy.url, ...HEADER })).toEqual({ url, state: 'new' })
    expect(toy.headers[0]?.get('authorization')).toBe('Bearer theirs')
    expect(await find()).toMatchObject({ url: toy.url, headerValue: 'Bearer theirs' })
    expect(await register({ url: toy.url, ...HEADER })).toEqual({ url, state: 'same' })
    expect(await trail()).toMatchObject([{ tokenId: world.call().caller.tokenId }])
  })
}

test('only the token that registered a server gives it another secret, and none another address', async () => {
  await using world = await flowWorld()
  await using toy = await httpMcpServer('old')
  await using evil = await httpMcpServer('old')
  const { register, find } = registering(world)
  await register({ url: toy.url, ...HEADER })
  const { state } = await register({ url: toy.url, ...HEADER, secret: 'Bearer newer' })
  expect([state, (await find())?.headerValue]).toEqual(['changed', 'Bearer newer'])
  const other = await register({ url: toy.url, ...HEADER, secret: 'Bearer other' }, 'key_other')
  expect([other.state, (await find())?.headerValue]).toEqual(['same', 'Bearer newer'])
  const before = evil.headers.length
  await expect(register({ url: evil.url, ...HEADER })).rejects.toMatchObject({ code: 'conflict' })
  await expect(register({ url: toy.url }, 'key_other')).rejects.toMatchObject({ code: 'conflict' })
  expect(evil.headers).toHaveLength(before)
  expect((await find())?.url).toBe(toy.url)
})

test('what does not answer, or wants a sign-in, is not stored', async () => {
  await using world = await flowWorld()
  await using toy = await httpMcpServer('old')
  const { register, find } = registering(world)
  const refused = async (status: number, words: string) => {
    toy.answer(() => new Response('no', { status }))
    await expect(register({ url: toy.url })).rejects.toThrow(words)
  }
  await refused(401, 'sign-in')
  await refused(302, 'another address')
  await refused(405, 'Streamable HTTP')
  await toy.die()
  await expect(register({ url: toy.url })).rejects.toThrow('cannot be reached')
  await expect(register({ url: 'http://10.0.0.1/mcp' })).rejects.toMatchObject({
    code: 'invalid_input',
  })
  expect(await find()).toBeUndefined()
})
