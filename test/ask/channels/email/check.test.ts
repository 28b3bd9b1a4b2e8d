import { expect, test } from 'bun:test'
import { email } from '../../../../src/ask/channels/email/email.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import type { Config } from '../../../../src/platform/config/config.ts'
import { createGuardedFetch } from '../../../../src/platform/outgoing/guarded-fetch.ts'
import { aDevice } from '../../../support/devices.ts'
import { MAIL_CA, MAIL_HOST, type SmtpServer, smtpServer } from '../../../support/smtp-server.ts'

const account = { user: 'beckon', pass: 'a secret+%' }
const resolve = async () => ['127.0.0.1']
const LOCAL = { allowPrivateHosts: ['127.0.0.1'], resolve, ca: MAIL_CA }

type How = { auth?: typeof account; isSecure?: boolean; baseUrl?: string; isOff?: true }

async function check(server: Pick<SmtpServer, 'port'>, how: How = {}, guard: object = LOCAL) {
  const { auth = account, isSecure = false, baseUrl = 'https://beckon.example.com' } = how
  const smtp = { host: MAIL_HOST, port: server.port, isSecure, auth, from: 'b@example.com' }
  const { fetch, addressesOf } = createGuardedFetch(guard)
  const device = aDevice({ transport: 'email', endpoint: 'mailto:ada@example.com' })
  const context = {
    config: { smtp: how.isOff ? undefined : smtp, baseUrl } as Config,
    clock: systemClock,
    ...{ fetch, addressesOf, devices: how.isOff ? [device] : [] },
    read: undefined as never,
  }
  return (await email.check?.(context)) ?? []
}

test.each([true, false])(
  'the account is tried over TLS, without a mail: TLS first %p',
  async (isSecure) => {
    await using server = await smtpServer({ isSecure, account })
    expect(await check(server, { isSecure })).toMatchObject([{ state: 'ok', link: 'push' }])
    expect(server.mails).toEqual([])
    const commands = server.lines.map((line) => line.split(' ').slice(0, 2).join(' '))
    expect(commands).toContain('secure AUTH')
    expect(commands.filter((line) => /MAIL|RCPT|DATA|plain AUTH/.test(line))).toEqual([])
  },
)

test('a wrong password, a certificate nobody trusts and a private host fail, each by its name', async () => {
  await using server = await smtpServer({ account })
  const wrong = await check(server, { auth: { user: 'beckon', pass: 'other' } })
  expect(wrong).toMatchObject([
    { state: 'fail', said: expect.stringContaining('user name and password') },
  ])
  expect(JSON.stringify(wrong)).not.toContain('other')
  const untrusting = { allowPrivateHosts: LOCAL.allowPrivateHosts, resolve }
  expect(await check(server, {}, untrusting)).toMatchObject([{ state: 'fail' }])
  const shut = await check(server, {}, { resolve, ca: MAIL_CA })
  expect(shut).toMatchObject([{ state: 'fail', said: expect.stringContaining('private') }])
  expect(server.mails).toEqual([])
})

test('a server that is not there fails; links to localhost are a warning', async () => {
  await using server = await smtpServer({ account })
  const { port } = server
  const near = await check(server, { baseUrl: 'http://localhost:8484' })
  expect(near).toMatchObject([{ state: 'warn', cure: expect.stringContaining('BECKON_BASE_URL') }])
  await server[Symbol.asyncDispose]()
  const gone = await check({ port })
  expect(gone).toMatchObject([{ state: 'fail', said: expect.stringContaining('not reached') }])
})

test('a mailbox without a mail server fails', async () => {
  expect(await check({ port: 1 }, { isOff: true })).toMatchObject([
    { state: 'fail', cure: expect.stringContaining('BECKON_SMTP_URL') },
  ])
})
