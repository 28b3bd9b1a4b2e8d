import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { putClient } from '../../../src/ask/oauth/model/client-store.ts'
import { rpc, toolCall } from '../../support/mcp-world.ts'
import { type OauthWorld, oauthWorld } from '../../support/oauth-world.ts'

/** What their vendors document of hosted clients: who they are, and where they are sent back to. */
const CLAUDE = {
  id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
  name: 'Claude',
  redirectUris: [
    'https://claude.ai/api/mcp/auth_callback',
    'https://claude.com/api/mcp/auth_callback',
  ],
}
const CHATGPT = {
  id: 'https://chatgpt.com/oauth/client.json',
  name: 'ChatGPT',
  redirectUris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
}
const VERIFIER = 'w'.repeat(43)
const CHALLENGE = new Bun.CryptoHasher('sha256').update(VERIFIER).digest('base64url')
const DAY_MS = 24 * 3_600_000

let world: OauthWorld
beforeAll(async () => {
  world = await oauthWorld()
  const now = Date.now()
  // As their documents are kept once they were fetched, which client-document.test.ts tries.
  await world.db.write(async (tx) => {
    for (const client of [CLAUDE, CHATGPT]) {
      await putClient(tx, {
        ...{ ...client, kind: 'document', authMethod: 'none', refreshes: true, secretHash: null },
        ...{ workspaceId: null, createdBy: null, createdAt: now, usedAt: null },
        freshUntil: now + DAY_MS,
      })
    }
  })
})
afterAll(() => world[Symbol.asyncDispose]())

type Json = Record<string, unknown>
const INITIALIZE = rpc('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'hosted', version: '1' },
})

/** A document as a client fetches it: each address is the one that the step before named. */
async function read(address: string): Promise<Json> {
  const response = await fetch(address, { headers: { accept: 'application/json' } })
  expect([address, response.status]).toEqual([address, 200])
  expect(response.headers.get('content-type')).toStartWith('application/json')
  return (await response.json()) as Json
}

/** From the address that a person pasted to the metadata of the authorization server. */
async function discover(well: 'oauth-authorization-server' | 'openid-configuration') {
  const { status, headers } = await world.mcp(undefined, INITIALIZE)
  expect(status).toBe(401)
  const challenge = headers.get('www-authenticate') ?? ''
  const [, metadata = '', scope = ''] =
    /^Bearer resource_metadata="([^"]+)", scope="([^"]+)"$/.exec(challenge) ?? []
  const resource = await read(metadata)
  expect(resource.resource).toBe(world.resource)
  const [issuer = ''] = resource.authorization_servers as string[]
  const { origin, pathname } = new URL(issuer)
  const server = await read(`${origin}/.well-known/${well}${pathname}`)
  expect(server).toMatchObject({
    issuer,
    code_challenge_methods_supported: ['S256'],
    // Both are needed before either client uses its document.
    client_id_metadata_document_supported: true,
    token_endpoint_auth_methods_supported: expect.arrayContaining(['none']),
    authorization_response_iss_parameter_supported: true,
  })
  const offline = (server.scopes_supported as string[]).includes('offline_access')
  return { server, issuer, scope: offline ? `${scope} offline_access` : scope }
}

type Found = Awaited<ReturnType<typeof discover>>

function query({ scope }: Found, client_id: string, redirect_uri: string): string {
  return world.query(client_id, { redirect_uri, scope, code_challenge: CHALLENGE, state: 'opaque' })
}

/** The code for tokens, as the client asks once its callback was called. */
async function exchange(
  discovery: Found,
  client_id: string,
  redirect_uri: string,
  answer: URLSearchParams,
) {
  expect([answer.get('state'), answer.get('iss')]).toEqual(['opaque', discovery.issuer])
  const code = answer.get('code') ?? ''
  const fields = { grant_type: 'authorization_code', code, client_id, redirect_uri }
  const { status, json, headers } = await world.token({
    ...{ ...fields, code_verifier: VERIFIER, resource: world.resource },
  })
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 3_600 })
  return { access: String(json.access_token), refresh: String(json.refresh_token) }
}

/** What it does first with a token, up to a question that a person answers. */
async function converse(access: string, question: string): Promise<void> {
  const hello = await world.mcp(access, INITIALIZE)
  expect([hello.status, hello.json]).toEqual([
    200,
    expect.objectContaining({ result: expect.objectContaining({ protocolVersion: '2025-11-25' }) }),
  ])
  const ready = await world.mcp(access, { jsonrpc: '2.0', method: 'notifications/initialized' })
  expect(ready.status).toBe(202)
  const { tools } = (await world.mcp(access, rpc('tools/list'))).json.result as { tools: Json[] }
  expect(tools.map(({ name }) => name)).toContain('ask_user')
  // Nobody has a device here, so that the call does not wait.
  const result = await called(access, 'ask_user', { question })
  const headers = { cookie: world.cookie, origin: world.app.baseUrl, ...JSON_TYPE }
  const address = `${world.url}/api/v1/questions/${result.correlationId}/answer`
  const body = JSON.stringify({ value: 'yes' })
  const answered = await fetch(address, { method: 'POST', headers, body })
  expect(answered.status).toBe(200)
  const { correlationId } = result
  const heard = await called(access, 'wait_for_answer', { correlationId })
  expect(heard).toMatchObject({ answered: true, value: 'yes' })
}

const JSON_TYPE = { 'content-type': 'application/json' }

async function called(access: string, tool: string, args: Json): Promise<Json> {
  const { json } = await world.mcp(access, toolCall(tool, args))
  return (json.result as { structuredContent: Json }).structuredContent
}

async function refreshed(client_id: string, refresh: string): Promise<string> {
  const fields = { grant_type: 'refresh_token', client_id, refresh_token: refresh }
  const { status, json } = await world.token({ ...fields, resource: world.resource })
  expect(status).toBe(200)
  return String(json.access_token)
}

describe.each([
  ['claude.ai', CLAUDE, 'oauth-authorization-server'],
  ['ChatGPT', CHATGPT, 'openid-configuration'],
] as const)('%s, step by step as its vendor documents it', (name, client, well) => {
  const [callback = ''] = client.redirectUris

  test('known by its document: the page names its host, and it asks and refreshes', async () => {
    const discovery = await discover(well)
    const request = query(discovery, client.id, callback)
    const page = await (await world.authorize(request)).text()
    expect(page).toContain(`<b>${new URL(client.id).host}</b>`)
    const tokens = await exchange(discovery, client.id, callback, await world.allow(request))
    await converse(tokens.access, `${name}: deploy?`)
    const next = await refreshed(client.id, tokens.refresh)
    expect((await world.mcp(next, rpc('tools/list'))).status).toBe(200)
  })

  test('connected again: it goes back without the page, since only the owner of its site is there', async () => {
    const discovery = await discover(well)
    const response = await world.authorize(query(discovery, client.id, callback))
    const to = new URL(response.headers.get('location') ?? '')
    expect([response.status, to.origin + to.pathname]).toEqual([303, callback])
    const { access } = await exchange(discovery, client.id, callback, to.searchParams)
    expect((await world.mcp(access, rpc('tools/list'))).status).toBe(200)
  })

  test('registered anew with each connection: the page asks each time', async () => {
    for (const _connection of [1, 2]) {
      const discovery = await discover(well)
      const { client_id } = await world.register({
        client_name: client.name,
        redirect_uris: client.redirectUris,
      })
      const request = query(discovery, client_id, callback)
      expect((await world.authorize(request)).status).toBe(200)
      const { access } = await exchange(discovery, client_id, callback, await world.allow(request))
      expect((await world.mcp(access, rpc('tools/list'))).status).toBe(200)
    }
  })

  test('a token that is none any more is refused so that the client begins again', async () => {
    const { status, headers } = await world.mcp(`bkat_${'0'.repeat(40)}`, rpc('tools/list'))
    const challenge = headers.get('www-authenticate')
    expect([status, challenge]).toEqual([
      401,
      expect.stringMatching(/error="invalid_token", resource_metadata=/),
    ])
  })
})

test.each(['GET', 'HEAD', 'POST', 'DELETE'])(
  'a request with %s and no token is asked to sign in',
  async (method) => {
    const response = await fetch(`${world.url}/mcp`, { method })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('resource_metadata='),
    ])
  },
)
