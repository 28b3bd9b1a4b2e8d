import { expect, test } from 'bun:test'
import { openSetUp } from '../../../src/ask/sign-in/set-up.ts'
import { authServer } from '../../support/auth-server.ts'
import { cookieOf } from '../../support/sign-in.ts'
import { softPasskey } from '../../support/soft-passkey.ts'

type Server = Awaited<ReturnType<typeof authServer>>

const AUTH = '/api/auth/passkey'

async function challengeOf(server: Server, path: string, cookie = '') {
  const response = await fetch(server.url + AUTH + path, { headers: { cookie } })
  const { challenge } = (await response.json()) as { challenge: string }
  return { challenge, cookie: [cookie, cookieOf(response.headers)].filter(Boolean).join('; ') }
}

/** An owner without a password, signed in by the set-up link. */
async function owner(server: Server): Promise<string> {
  const code = (await openSetUp(server)) ?? ''
  const form = { code, name: 'Ada', email: 'ada@example.com', password: undefined }
  const request = new Request(`${server.url}/setup`, { method: 'POST' })
  return cookieOf(await server.authentication.setUp(request, form))
}

async function register(server: Server, passkey: ReturnType<typeof softPasskey>, session: string) {
  const { challenge, cookie } = await challengeOf(server, '/generate-register-options', session)
  const body = { response: passkey.register(challenge), name: 'Phone' }
  return await server.post(`${AUTH}/verify-registration`, body, { cookie })
}

test('the owner registers a passkey after set-up, and signs in with it alone', async () => {
  await using server = await authServer()
  const passkey = softPasskey('localhost', server.url)
  const session = await owner(server)
  expect((await register(server, passkey, session)).status).toBe(200)

  for (const round of [1, 2]) {
    const { challenge, cookie } = await challengeOf(server, '/generate-authenticate-options')
    const body = { response: passkey.signIn(challenge) }
    const response = await server.post(`${AUTH}/verify-authentication`, body, { cookie })
    expect([round, response.status]).toEqual([round, 200])
    const person = await server.who(cookieOf(response.headers))
    expect(person).toMatchObject({ name: 'Ada', role: 'owner' })

    const replay = await server.post(`${AUTH}/verify-authentication`, body, { cookie })
    expect(replay.status).toBeGreaterThanOrEqual(400)
    expect(replay.headers.get('content-type')).toBe('application/problem+json')
  }
})

test('a passkey of another site, of nobody, or for another challenge does not sign in', async () => {
  await using server = await authServer()
  const passkey = softPasskey('localhost', server.url)
  const session = await owner(server)
  await register(server, passkey, session)
  const elsewhere = await register(server, softPasskey('evil.example', server.url), session)
  expect(elsewhere.status).toBe(400)

  const other = await challengeOf(server, '/generate-authenticate-options')
  const wrong = [
    passkey.signIn(other.challenge),
    softPasskey('localhost', server.url).signIn(other.challenge),
    { id: 'x' },
    { id: {} },
    { id: ['x'] },
    { id: 5 },
    { id: passkey.signIn('').id, response: { clientDataJSON: {} } },
    {},
    null,
  ]
  for (const response of wrong) {
    const { cookie } = await challengeOf(server, '/generate-authenticate-options')
    const refused = await server.post(`${AUTH}/verify-authentication`, { response }, { cookie })
    expect([400, 401, 422]).toContain(refused.status)
    expect(refused.headers.getSetCookie().join()).not.toContain('session_token=e')
  }
})
