import { expect, test } from 'bun:test'
import { NO_FILTER } from '../../../src/ask/audit/model/audit-entry.ts'
import { readAudit } from '../../../src/ask/trail/read-audit.ts'
import { RATES } from '../../../src/platform/http/limits.ts'
import { authServer, PASSWORD } from '../../support/auth-server.ts'
import { cookieOf } from '../../support/sign-in.ts'
import { softPasskey } from '../../support/soft-passkey.ts'

const AUTH = '/api/auth'
const EMAIL = 'ada@example.com'

/** A server with Ada, and what its trail has gained since it was last asked. */
async function trailed() {
  const server = await authServer()
  const { person } = await server.addOwner()
  let count = 1
  return {
    server,
    async gained() {
      const { entries } = await readAudit(server, { workspaceId: person.workspaceId }, NO_FILTER)
      const fresh = entries.slice(0, entries.length - count).reverse()
      count = entries.length
      return fresh.map(({ kind, person: who, subject, outcome }) => [kind, who, subject, outcome])
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

test('each way in and out writes one entry, with who, how and from where', async () => {
  await using world = await trailed()
  const { server, gained } = world
  const from = '10.0.0.1'
  const refused = ['sign_in.failed', undefined, 'Ada', `password, from ${from}`]
  const entry = (kind: string, how: string) => [kind, 'Ada', 'Ada', `${how}, from ${from}`]

  await server.post(`${AUTH}/sign-in/email`, { email: EMAIL, password: 'wrong horse' })
  expect(await gained()).toEqual([refused])
  const signIn = await server.post(`${AUTH}/sign-in/email`, { email: EMAIL, password: PASSWORD })
  const cookie = cookieOf(signIn.headers)
  expect(await gained()).toEqual([entry('sign_in.succeeded', 'password')])
  await server.post(`${AUTH}/sign-in/email`, { email: 'eve@example.com', password: PASSWORD })
  expect(await gained()).toEqual([])

  const request = new Request(server.url)
  await server.authentication
    .signIn(request, { email: ` ${EMAIL}`, password: 'no' })
    .catch(() => {})
  expect(await gained()).toEqual([refused])
  await server.authentication.signIn(request, { email: EMAIL, password: PASSWORD })
  expect(await gained()).toEqual([entry('sign_in.succeeded', 'password')])

  const passkey = softPasskey('localhost', server.url)
  const challenge = async (path: string, held: string) => {
    const response = await fetch(`${server.url}${AUTH}${path}`, { headers: { cookie: held } })
    const body = (await response.json()) as { challenge: string }
    return { said: body.challenge, cookie: `${held}; ${cookieOf(response.headers)}` }
  }
  const add = await challenge('/passkey/generate-register-options', cookie)
  const added = await server.post(
    `${AUTH}/passkey/verify-registration`,
    { response: passkey.register(add.said), name: 'Phone' },
    { cookie: add.cookie },
  )
  expect(await gained()).toEqual([entry('passkey.added', 'passkey')])
  const ask = await challenge('/passkey/generate-authenticate-options', '')
  const body = { response: passkey.signIn(ask.said) }
  await server.post(`${AUTH}/passkey/verify-authentication`, body, { cookie: ask.cookie })
  expect(await gained()).toEqual([entry('sign_in.succeeded', 'passkey')])
  const { id } = (await added.json()) as { id: string }
  await server.post(`${AUTH}/passkey/delete-passkey`, { id }, { cookie })
  expect(await gained()).toEqual([entry('passkey.removed', 'passkey')])

  const change = { currentPassword: PASSWORD, newPassword: 'another horse battery' }
  const changed = await server.post(`${AUTH}/change-password`, change, { cookie })
  expect(await gained()).toEqual([entry('password.changed', 'password')])
  await server.post(`${AUTH}/sign-out`, {}, { cookie: cookieOf(changed.headers) })
  expect(await gained()).toEqual([entry('sign_in.ended', 'signed out')])
})

test('attempts on one account are limited wherever they come from, however it is spelled', async () => {
  await using world = await trailed()
  const { server } = world
  let address = 0
  server.limits.signIn.take = async () => void address++
  for (let i = 0; i < RATES.account.burst; i++) {
    const email = i % 2 === 0 ? EMAIL : ` ${EMAIL.toUpperCase()} `
    await server.post(`${AUTH}/sign-in/email`, { email, password: 'wrong horse' })
  }
  const refused = await server.post(`${AUTH}/sign-in/email`, { email: EMAIL, password: PASSWORD })
  expect([address > 0, refused.status]).toEqual([true, 429])
  const form = { email: EMAIL, password: PASSWORD }
  const byForm = server.authentication.signIn(new Request(server.url), form)
  await expect(byForm).rejects.toMatchObject({ code: 'rate_limited' })
  const other = { email: 'eve@example.com', password: 'wrong horse' }
  expect((await server.post(`${AUTH}/sign-in/email`, other)).status).toBe(401)
})
