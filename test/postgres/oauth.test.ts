import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { TEST_POSTGRES, type TestDatabase, testDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { asOwner, type House, openHouse } from './house.ts'

setDefaultTimeout(60_000)

const CALLBACK = 'http://127.0.0.1:19876/callback'
const VERIFIER = 'v'.repeat(64)
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe.skipIf(!TEST_POSTGRES)(
  'a client signs in at three Beckon processes on one PostgreSQL',
  () => {
    let database: TestDatabase
    let house: House
    beforeAll(async () => {
      database = await testDatabase()
      house = await openHouse({ database: database.url, processes: 3 })
    })
    afterAll(async () => {
      await house?.[Symbol.asyncDispose]()
      await database?.[Symbol.asyncDispose]()
    })
    const at = (n: number) => house.beckons[n]?.url ?? ''

    async function register(): Promise<string> {
      const response = await fetch(`${at(0)}/oauth2/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          client_name: 'Everywhere',
          redirect_uris: [CALLBACK],
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token'],
        }),
      })
      return ((await response.json()) as { client_id: string }).client_id
    }

    async function codeFor(clientId: string): Promise<string> {
      const request = new URLSearchParams({
        ...{ response_type: 'code', client_id: clientId, redirect_uri: CALLBACK },
        code_challenge: new Bun.CryptoHasher('sha256').update(VERIFIER).digest('base64url'),
        ...{ code_challenge_method: 'S256', scope: 'ask', resource: `${house.url}/mcp` },
      }).toString()
      const response = await fetch(`${at(1)}/oauth2/authorize`, {
        method: 'POST',
        headers: { ...FORM, cookie: house.cookie, origin: house.url },
        body: new URLSearchParams({
          ...{ request, as: house.owner.id, may: 'ask', decision: 'allow' },
        }).toString(),
        redirect: 'manual',
      })
      return new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? ''
    }

    async function token(n: number, fields: Record<string, string>) {
      const response = await fetch(`${at(n)}/oauth2/token`, {
        method: 'POST',
        headers: FORM,
        body: new URLSearchParams(fields).toString(),
      })
      return { status: response.status, json: (await response.json()) as Record<string, string> }
    }

    const exchange = (n: number, clientId: string, code: string) =>
      token(n, {
        ...{ grant_type: 'authorization_code', client_id: clientId, code },
        ...{ redirect_uri: CALLBACK, code_verifier: VERIFIER, resource: `${house.url}/mcp` },
      })
    const refresh = (n: number, clientId: string, text: string) =>
      token(n, { grant_type: 'refresh_token', client_id: clientId, refresh_token: text })

    async function status(n: number, access: string | undefined): Promise<number> {
      const response = await fetch(`${at(n)}/mcp`, {
        method: 'POST',
        headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      })
      await response.body?.cancel()
      return response.status
    }

    test('each step at another, and revoked at one it is refused at all', async () => {
      const clientId = await register()
      const { json } = await exchange(2, clientId, await codeFor(clientId))
      for (const n of [0, 1, 2]) expect(await status(n, json.access_token)).toBe(200)
      const { body } = await asOwner(house, at(1), '/keys')
      const mine = (body.keys as { id: string; name: string }[]).find(
        ({ name }) => name === 'Everywhere',
      )
      await fetch(`${at(0)}/api/v1/keys/${mine?.id}`, {
        method: 'DELETE',
        headers: { cookie: house.cookie, origin: house.url },
      })
      for (const n of [0, 1, 2])
        await until(async () => (await status(n, json.access_token)) === 401)
      expect((await refresh(2, clientId, json.refresh_token ?? '')).json.error).toBe(
        'invalid_grant',
      )
    })

    test('a code at all of them at once is worth one set of tokens, which then end', async () => {
      const clientId = await register()
      for (let round = 0; round < 5; round++) {
        const code = await codeFor(clientId)
        const replies = await Promise.all(
          [0, 1, 2, 0, 1, 2].map((n) => exchange(n, clientId, code)),
        )
        const successes = replies.filter((one) => one.status === 200)
        expect(successes).toHaveLength(1)
        await until(async () => (await status(1, successes[0]?.json.access_token)) === 401)
      }
    })

    test('a refresh token used at all of them at once is worth one set, and none of its family outlives the race', async () => {
      const clientId = await register()
      for (let round = 0; round < 5; round++) {
        const { json } = await exchange(0, clientId, await codeFor(clientId))
        const text = json.refresh_token ?? ''
        const replies = await Promise.all([0, 1, 2, 0, 1, 2].map((n) => refresh(n, clientId, text)))
        const successes = replies.filter((one) => one.status === 200)
        expect(successes).toHaveLength(1)
        const [next] = successes
        await until(async () => (await status(2, next?.json.access_token)) === 401)
        const after = await refresh(1, clientId, next?.json.refresh_token ?? '')
        expect(after.json.error).toBe('invalid_grant')
      }
    })
  },
)
