import { expect, test } from 'bun:test'
import { session } from '../../../src/ask/accounts/model/auth-tables.ts'
import { putRole } from '../../../src/ask/accounts/model/person-store.ts'
import {
  isFresh,
  RENEWED_AFTER_SECONDS,
  SIGN_IN_SECONDS,
  signedToken,
} from '../../../src/ask/accounts/model/sign-in.ts'
import { endSignIns } from '../../../src/ask/accounts/model/sign-in-store.ts'
import { createAuthentication } from '../../../src/ask/sign-in/authentication.ts'
import { loadSecrets } from '../../../src/platform/db/settings-store.ts'
import { silentLog } from '../../../src/platform/log.ts'
import { authServer, PASSWORD } from '../../support/auth-server.ts'
import { cookieOf } from '../../support/sign-in.ts'

const ADA = { email: 'ada@example.com', password: PASSWORD }

test('a cookie of better-auth holds its token; a changed, foreign or second one holds none', async () => {
  await using server = await authServer()
  await server.addOwner()
  const cookie = cookieOf((await server.post('/api/auth/sign-in/email', ADA)).headers)
  const { authSecret: secret } = await loadSecrets(server.db, server.clock)
  const [row] = await server.db.read.select().from(session)
  const read = (cookies: string | null, prefix = 'beckon', key = secret) =>
    signedToken(cookies, { prefix, secret: key })

  expect(read(cookie)).toBe(row?.token as string)
  expect(read(`theme=dark; ${cookie}; x=1`)).toBe(row?.token as string)
  const value = decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1))
  const [token = '', signature = ''] = value.split('.')
  const tokenCookie = (text: string) => `beckon.session_token=${encodeURIComponent(text)}`
  const wrong = [
    tokenCookie(`${token}x.${signature}`),
    tokenCookie(`${token}.${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`),
    tokenCookie(`${token}.`),
    tokenCookie(token),
    'beckon.session_token=%',
    'beckon.session_token=',
    `${cookie}; ${cookie}`,
    `x${cookie}`,
    '',
  ]
  expect(wrong.map((one) => read(one))).toEqual(wrong.map(() => undefined))
  expect(read(null)).toBeUndefined()
  expect(read(cookie, '__Host-beckon')).toBeUndefined()
  expect(read(cookie, 'beckon', `${secret}x`)).toBeUndefined()
})

test('a sign-in is fresh until it is to be renewed, a day after it was last', () => {
  const madeAt = 1_800_000_000_000
  const expiresAt = new Date(madeAt + SIGN_IN_SECONDS * 1_000)
  const renewAt = madeAt + RENEWED_AFTER_SECONDS * 1_000
  expect(isFresh(expiresAt, madeAt)).toBe(true)
  expect(isFresh(expiresAt, renewAt - 1)).toBe(true)
  expect(isFresh(expiresAt, renewAt)).toBe(false)
  expect(isFresh(expiresAt, expiresAt.getTime())).toBe(false)
})

test('another process knows the person, and what becomes of them, with the next request', async () => {
  await using server = await authServer()
  const { person } = await server.addOwner()
  const cookie = cookieOf((await server.post('/api/auth/sign-in/email', ADA)).headers)
  const { authSecret } = await loadSecrets(server.db, server.clock)
  const { db, clock, limits } = server
  const other = createAuthentication({
    db,
    clock,
    limits,
    agents: undefined as never,
    log: silentLog,
    baseUrl: 'http://localhost:8484',
    authSecret,
    addressOf: () => '10.0.0.2',
  })
  const request = new Request(server.url, { headers: { cookie } })
  const who = () => other.personFrom(request)
  expect(await who()).toMatchObject({ name: 'Ada', role: 'owner' })
  const { workspaceId, id: personId } = person
  await db.write((tx) => putRole(tx, { workspaceId, personId, role: 'member' }))
  expect(await who()).toMatchObject({ name: 'Ada', role: 'member' })
  const [row] = await db.read.select().from(session)
  await db.write((tx) => endSignIns(tx, [row?.id ?? '']))
  expect(await who()).toBeUndefined()
})
