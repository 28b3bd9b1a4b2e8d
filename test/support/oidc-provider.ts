import { exportJWK, generateKeyPair, SignJWT } from 'jose'

type Json = Record<string, unknown>

/** What goes wrong in the next sign-ins; empty: nothing. */
export type Knobs = {
  /** Changes of the id token’s claims; undefined leaves one out. */
  idToken?: Json
  /** Changes of userinfo; `null`: there is no userinfo. */
  userInfo?: Json | null
  /** Changes of the query that the browser comes back with. */
  answer?: Record<string, string | undefined>
  noIdToken?: true
  /** `none`: not signed. `foreign`: by another key under the same id. */
  signed?: 'none' | 'foreign'
  /** Changes of the metadata. */
  metadata?: Json
  /** Every request is answered with it; `down`: not at all. */
  status?: number
  auth?: 'basic' | 'post'
  /** Where a path leads instead of being answered. */
  redirects?: Record<string, string>
  /** The path whose answer has no end. */
  endless?: string
}

type Grant = {
  nonce: string
  challenge: string
  redirect: string
  /** The client wants to know when they signed in here. */
  isTimed: boolean
  knobs: Knobs
}

export type KnobProvider = AsyncDisposable & {
  issuer: string
  clientId: string
  secret: string
  knobs: Knobs
  /** The requests, as `METHOD path`. */
  requests: string[]
  /** The old key is gone at once. */
  rotate(): Promise<void>
  logoutToken(claims: Json, header?: Json): Promise<string>
  /** It cannot be reached until `up`. */
  down(): Promise<void>
  up(): void
}

const CLIENT_ID = 'beckon'
const SECRET = 'a-secret:of+the%client'

/** A provider on loopback that follows OpenID Connect, except where a knob says otherwise. */
export async function knobProvider(): Promise<KnobProvider> {
  let kid = 0
  let keys = await generateKeyPair('RS256', { extractable: true })
  const foreign = await generateKeyPair('RS256', { extractable: true })
  const grants = new Map<string, Grant>()
  const requests: string[] = []
  let server: ReturnType<typeof Bun.serve> | undefined
  const self: KnobProvider = {
    issuer: '',
    clientId: CLIENT_ID,
    secret: SECRET,
    knobs: {},
    requests,
    async rotate() {
      keys = await generateKeyPair('RS256', { extractable: true })
      kid++
    },
    logoutToken: (claims, header = {}) =>
      sign({ iss: self.issuer, aud: CLIENT_ID, ...claims }, header),
    async down() {
      await server?.stop(true)
      server = undefined
    },
    up() {
      const port = server?.port ?? Number(new URL(self.issuer).port)
      server ??= Bun.serve({ hostname: '127.0.0.1', port, fetch: answer })
    },
    async [Symbol.asyncDispose]() {
      await server?.stop(true)
    },
  }

  function sign(claims: Json, header: Json = {}): Promise<string> {
    const key = self.knobs.signed === 'foreign' ? foreign.privateKey : keys.privateKey
    return new SignJWT(cleaned(claims))
      .setProtectedHeader({ alg: 'RS256', kid: `k${kid}`, ...header })
      .sign(key)
  }

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    requests.push(`${request.method} ${url.pathname}`)
    if (self.knobs.status) return new Response('no', { status: self.knobs.status })
    const to = self.knobs.redirects?.[url.pathname]
    if (to) return new Response(null, { status: 307, headers: { location: to } })
    if (self.knobs.endless === url.pathname) return new Response(endless())
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return Response.json(cleaned({ ...metadata(), ...self.knobs.metadata }))
      case '/keys':
        return Response.json({ keys: [{ ...(await publicKey()), kid: `k${kid}` }] })
      case '/authorize':
        return authorize(url)
      case '/token':
        return await token(request)
      case '/userinfo':
        return Response.json(cleaned({ ...person(), ...self.knobs.userInfo }))
    }
    return new Response('nothing', { status: 404 })
  }

  const publicKey = async () => ({ ...(await exportJWK(keys.publicKey)), alg: 'RS256', use: 'sig' })

  function metadata(): Json {
    const { issuer, knobs } = self
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: knobs.userInfo === null ? undefined : `${issuer}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    }
  }

  const person = (): Json => ({
    sub: 'sub-1',
    email: 'ana@example.com',
    email_verified: true,
    name: 'Ana',
    ...Object.fromEntries(
      Object.entries(self.knobs.idToken ?? {}).filter(([name]) => PERSON.has(name)),
    ),
  })

  /** As if somebody had signed in there. */
  function authorize({ searchParams }: URL): Response {
    const code = crypto.randomUUID()
    const redirect = searchParams.get('redirect_uri') ?? ''
    grants.set(code, {
      nonce: searchParams.get('nonce') ?? '',
      challenge: searchParams.get('code_challenge') ?? '',
      redirect,
      isTimed: searchParams.has('max_age'),
      knobs: { ...self.knobs },
    })
    const back = new URL(redirect)
    const query = { code, state: searchParams.get('state') ?? '', iss: self.issuer }
    for (const [name, value] of Object.entries({ ...query, ...self.knobs.answer })) {
      if (value !== undefined) back.searchParams.set(name, value)
    }
    return new Response(null, { status: 302, headers: { location: back.href } })
  }

  async function token(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text())
    const basic = `Basic ${btoa(`${CLIENT_ID}:${encodeURIComponent(SECRET)}`)}`
    const isBasic = request.headers.get('authorization') === basic
    const isPost = form.get('client_id') === CLIENT_ID && form.get('client_secret') === SECRET
    const isFit = self.knobs.auth === 'basic' ? isBasic : isPost
    if (!isFit) return Response.json({ error: 'unauthorized_client' }, { status: 403 })
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const challenge = new Bun.CryptoHasher('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!grant || challenge !== grant.challenge || form.get('redirect_uri') !== grant.redirect) {
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    }
    const now = Math.floor(Date.now() / 1_000)
    const claims = {
      ...{ iss: self.issuer, aud: CLIENT_ID, sub: 'sub-1', nonce: grant.nonce },
      ...{ iat: now, exp: now + 300, sid: 'session-1' },
      ...{ email: 'ana@example.com', email_verified: true, name: 'Ana' },
      ...(grant.isTimed && { auth_time: now }),
      ...grant.knobs.idToken,
    }
    const idToken = grant.knobs.signed === 'none' ? unsigned(claims) : await sign(claims)
    return Response.json({
      access_token: 'access',
      token_type: 'Bearer',
      expires_in: 300,
      ...(grant.knobs.noIdToken ? {} : { id_token: idToken }),
    })
  }

  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer })
  self.issuer = `http://127.0.0.1:${server.port}`
  return self
}

function endless() {
  const piece = new TextEncoder().encode(' '.repeat(65_536))
  return new ReadableStream({ pull: (controller) => controller.enqueue(piece) })
}

const PERSON = new Set(['sub', 'email', 'email_verified', 'name', 'preferred_username'])

function cleaned(claims: Json): Json {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
}

function unsigned(claims: Json): string {
  const part = (value: Json) => Buffer.from(JSON.stringify(cleaned(value))).toString('base64url')
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`
}
