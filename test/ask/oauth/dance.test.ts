import { expect, test } from 'bun:test'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
  UnauthorizedError as ModernUnauthorized,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CALLBACK, type OauthWorld, oauthWorld } from '../../support/oauth-world.ts'

/** What a client keeps: the library does everything else. */
function keeper() {
  const stored = new Map<string, unknown>()
  const keep = (name: string) => (value: unknown) => void stored.set(name, value)
  const provider = {
    redirectUrl: CALLBACK,
    clientMetadata: {
      client_name: 'The library',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'a-state',
    clientInformation: () => stored.get('client'),
    saveClientInformation: keep('client'),
    tokens: () => stored.get('tokens'),
    saveTokens: keep('tokens'),
    redirectToAuthorization: keep('to'),
    saveCodeVerifier: keep('verifier'),
    codeVerifier: () => stored.get('verifier'),
    saveDiscoveryState: keep('discovery'),
    discoveryState: () => stored.get('discovery'),
  }
  const query = () => (stored.get('to') as URL).search.slice(1)
  return { query, provider: provider as unknown as OAuthClientProvider }
}

type Keeper = ReturnType<typeof keeper>
type Speaker = {
  callTool(params: object): Promise<{ structuredContent: Record<string, unknown> }>
  close(): Promise<void>
}
type Connected = { client: Speaker }

async function modern(world: OauthWorld, { provider, query }: Keeper): Promise<Connected> {
  const address = new URL(world.resource)
  const options = { versionNegotiation: { mode: 'auto' as const } }
  const connect = async () => {
    const client = new ModernClient({ name: 'modern', version: '1' }, options)
    const transport = new ModernTransport(address, { authProvider: provider })
    return { transport, client, done: client.connect(transport) }
  }
  const first = await connect()
  expect(first.done).rejects.toBeInstanceOf(ModernUnauthorized)
  await first.done.catch(() => {})
  const answer = await world.allow(query())
  await first.transport.finishAuth(answer)
  const second = await connect()
  await second.done
  return { client: second.client as unknown as Speaker }
}

async function old(world: OauthWorld, { provider, query }: Keeper): Promise<Connected> {
  const address = new URL(world.resource)
  const connect = async () => {
    const client = new Client({ name: 'old', version: '1' })
    const authProvider = provider as never
    const transport = new StreamableHTTPClientTransport(address, { authProvider })
    const done = client.connect(transport as Parameters<typeof client.connect>[0])
    return { transport, client, done }
  }
  const first = await connect()
  await expect(first.done).rejects.toBeInstanceOf(UnauthorizedError)
  const answer = await world.allow(query())
  await first.transport.finishAuth(answer.get('code') ?? '')
  const second = await connect()
  await second.done
  return { client: second.client as unknown as Speaker }
}

test.each([
  ['the 2.x client', modern],
  ['the 1.x client', old],
] as const)('%s signs in with its own code, asks, and is answered', async (_, connect) => {
  await using world = await oauthWorld()
  const keeping = keeper()
  const { client } = await connect(world, keeping)
  // Nobody has a device here, so the call comes back at once and the answer is fetched.
  const { correlationId } = (
    await client.callTool({
      name: 'ask_user',
      arguments: { question: 'Deploy?' },
    })
  ).structuredContent
  expect((await world.post(`/d/${correlationId}/answer`, { value: 'yes' })).status).toBe(303)
  const waited = await client.callTool({ name: 'wait_for_answer', arguments: { correlationId } })
  expect(waited.structuredContent).toMatchObject({ answered: true, value: 'yes' })
  const { keys } = (await (await world.get('/api/v1/keys')).json()) as { keys: object[] }
  expect(keys).toMatchObject([{ name: 'The library', lastUsedAt: expect.any(String) }])
  await client.close()
})
