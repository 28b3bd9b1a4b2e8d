import { type PageWorld, pageWorld } from './page-world.ts'

type Json = Record<string, unknown>

export const CALLBACK = 'http://127.0.0.1:19876/callback'
const VERIFIER = 'v'.repeat(64)
const S256 = new Bun.CryptoHasher('sha256').update(VERIFIER).digest('base64url')

/** A whole server where clients may sign in, and the steps of a client that is no library. */
export type OauthWorld = PageWorld & {
  /** The audience of every token. */
  resource: string
  issuer: string
  register(
    changes?: Json,
    from?: string,
  ): Promise<Json & { client_id: string; client_secret?: string }>
  /** The query of an authorization request; undefined takes a parameter out. */
  query(clientId: string, changes?: Record<string, string | undefined>): string
  /** Opens the authorization address as the person of `cookie`. */
  authorize(query: string, headers?: Record<string, string>): Promise<Response>
  /** Allows on the consent page; resolves to what the client is sent. */
  allow(query: string, changes?: Record<string, string>): Promise<URLSearchParams>
  token(fields: Record<string, string>, headers?: Record<string, string>): Promise<Reply>
  /** From nothing to tokens. */
  signIn(changes?: {
    register?: Json
    query?: Record<string, string | undefined>
  }): Promise<SignedIn>
  mcp(token: string | undefined, body: unknown, path?: string): Promise<Reply>
}

type Reply = { status: number; headers: Headers; json: Json; text: string }
type SignedIn = {
  clientId: string
  access: string
  refresh: string
  code: string
  json: Json
}

export async function oauthWorld(
  options: Parameters<typeof pageWorld>[0] = {},
): Promise<OauthWorld> {
  // So that each client registers from a network of its own, of which one may register only a few.
  const env = { BECKON_TRUST_PROXY: 'loopback', ...options.env }
  const world = await pageWorld({ ...options, env })
  const { baseUrl } = world.app
  const url = world.app.url
  const resource = `${baseUrl}/mcp`

  let networks = 0

  async function register(changes: Json = {}, from = `10.0.0.${networks++}`) {
    const metadata = {
      client_name: 'Test client',
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      ...changes,
    }
    const response = await fetch(`${url}/oauth2/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify(metadata),
    })
    return (await response.json()) as Json & { client_id: string }
  }

  function query(clientId: string, changes: Record<string, string | undefined> = {}) {
    const all: Record<string, string | undefined> = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: CALLBACK,
      state: 'its-state',
      code_challenge: S256,
      code_challenge_method: 'S256',
      scope: 'ask propose_scope',
      resource,
      ...changes,
    }
    const entries = Object.entries(all).filter(([, value]) => value !== undefined)
    return new URLSearchParams(entries as [string, string][]).toString()
  }

  const authorize = (of: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/oauth2/authorize?${of}`, {
      headers: { cookie: world.cookie, ...headers },
      redirect: 'manual',
    })

  async function allow(of: string, changes: Record<string, string> = {}) {
    const page = await (await authorize(of)).text()
    const as = /name="as" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const fields = [...page.matchAll(/name="may" value="(\w+)"/g)].map(([, may]) => [
      'may',
      `${may}`,
    ])
    const more = Object.entries({ request: of, as, decision: 'allow', ...changes })
    const response = await world.post('/oauth2/authorize', [...fields, ...more])
    const location = response.headers.get('location')
    if (!location) throw new Error(`${response.status}: ${await response.text()}`)
    return new URL(location).searchParams
  }

  async function token(fields: Record<string, string>, headers: Record<string, string> = {}) {
    const response = await fetch(`${url}/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    })
    return await replyOf(response)
  }

  return {
    ...world,
    resource,
    issuer: `${baseUrl}/oauth2`,
    register,
    query,
    authorize,
    allow,
    token,
    async signIn(changes = {}) {
      const { client_id: clientId } = await register(changes.register)
      const code = (await allow(query(clientId, changes.query))).get('code') ?? ''
      const { json } = await token(codeGrant(clientId, code, resource))
      const { access_token: access, refresh_token: refresh } = json
      return { clientId, code, access: String(access), refresh: String(refresh), json }
    },
    async mcp(bearer, body, path = '/mcp') {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        },
        body: JSON.stringify(body),
      })
      return await replyOf(response)
    },
  }
}

export function codeGrant(clientId: string, code: string, resource: string) {
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    resource,
  }
}

export function refreshGrant(clientId: string, refreshToken: string, resource: string) {
  return {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
    resource,
  }
}

async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text()
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text
  const json = data.startsWith('{') ? (JSON.parse(data) as Json) : {}
  return { status: response.status, headers: response.headers, text, json }
}
