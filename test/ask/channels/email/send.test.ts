import { expect, test } from 'bun:test'
import { createEmail } from '../../../../src/ask/channels/email/channel.ts'
import type { Message } from '../../../../src/ask/delivery/model/channel.ts'
import {
  createGuardedFetch,
  type GuardOptions,
} from '../../../../src/platform/outgoing/guarded-fetch.ts'
import { aDevice } from '../../../support/devices.ts'
import { aMessage, baseUrl, questionId, quickAnswerSecret } from '../../../support/post-office.ts'
import { MAIL_CA, MAIL_HOST, type SmtpServer, smtpServer } from '../../../support/smtp-server.ts'

const account = { user: 'beckon', pass: 'a secret+%' }
const FROM = 'beckon@example.com'
const LOCAL = {
  allowPrivateHosts: ['127.0.0.1'],
  resolve: async () => ['127.0.0.1'],
  ca: MAIL_CA,
}

type How = {
  isSecure?: boolean
  host?: string
  auth?: typeof account | undefined
  guard?: GuardOptions
  timeoutMs?: number
  signal?: AbortSignal
  endpoint?: string
}

function send(server: Pick<SmtpServer, 'port'>, how: How = {}, more: Partial<Message> = {}) {
  const { isSecure = false, host = MAIL_HOST, auth, guard = LOCAL, timeoutMs } = how
  const channel = createEmail({
    smtp: { host, port: server.port, isSecure, auth, from: FROM },
    outside: createGuardedFetch(guard),
    baseUrl,
    quickAnswerSecret,
    ...(timeoutMs ? { timeoutMs } : {}),
  })
  const { endpoint = 'mailto:ada@example.com', signal = new AbortController().signal } = how
  const device = aDevice({ id: 'sub_mail', kind: 'chat', transport: 'email', endpoint })
  const delivery = { message: aMessage(more), subjectId: questionId, expiresAt: 10 ** 14 }
  return channel.send(delivery, device, signal)
}

test.each([
  ['TLS from the first byte', true, 'PLAIN LOGIN'],
  ['STARTTLS', false, 'PLAIN LOGIN'],
  ['STARTTLS and LOGIN', false, 'LOGIN'],
])('a mail goes out over %s, and the password only over TLS', async (_name, isSecure, methods) => {
  await using server = await smtpServer({ isSecure, account, methods })
  expect(await send(server, { isSecure, auth: account })).toEqual({
    outcome: 'accepted',
    status: 250,
  })
  expect(server.mails).toMatchObject([
    { from: FROM, to: 'ada@example.com', user: 'beckon', secure: true },
  ])
  expect(server.lines.filter((line) => /^plain (AUTH|MAIL|RCPT|DATA)/.test(line))).toEqual([])
})

test('a host without TLS gets nothing, unless its owner allowed it', async () => {
  await using server = await smtpServer({ starttls: false, account })
  // The name leads to this machine, which stands for a public server here.
  const guard = createGuardedFetch(LOCAL)
  const strict = {
    async addressesOf(host: string) {
      const addresses = await guard.addressesOf(host)
      return 'blocked' in addresses ? addresses : { ...addresses, isAllowed: false }
    },
  }
  const channel = createEmail({
    smtp: { host: MAIL_HOST, port: server.port, isSecure: false, auth: account, from: FROM },
    outside: strict,
    baseUrl,
    quickAnswerSecret,
  })
  const device = aDevice({ transport: 'email', endpoint: 'mailto:ada@example.com' })
  const delivery = { message: aMessage(), subjectId: questionId, expiresAt: 10 ** 14 }
  const refused = await channel.send(delivery, device, new AbortController().signal)
  expect(refused).toMatchObject({ outcome: 'refused', alarm: expect.stringContaining('STARTTLS') })
  expect(server.lines.filter((line) => /AUTH|MAIL/.test(line))).toEqual([])
  expect((await send(server, { auth: account })).outcome).toBe('accepted')
})

test('a private mail server is not reached, whatever its name or address', async () => {
  await using server = await smtpServer()
  const guard = { resolve: async () => ['127.0.0.1'], ca: MAIL_CA }
  for (const host of [MAIL_HOST, '127.0.0.1', 'localhost']) {
    const receipt = await send(server, { host, guard })
    expect(receipt).toMatchObject({ outcome: 'refused', alarm: expect.stringContaining('private') })
  }
  expect(server.connections()).toBe(0)
})

test('the address is looked up once, and the connection goes to what was checked', async () => {
  await using server = await smtpServer()
  let lookups = 0
  const resolve = async () => (lookups++ === 0 ? ['127.0.0.1'] : ['127.0.0.2'])
  expect((await send(server, { guard: { ...LOCAL, resolve } })).outcome).toBe('accepted')
  expect(lookups).toBe(1)
  // Nothing listens at the first of these.
  const two = async () => ['127.0.0.9', '127.0.0.1']
  const guard = { ...LOCAL, allowPrivateHosts: ['127.0.0.0/8'], resolve: two }
  expect((await send(server, { guard })).outcome).toBe('accepted')
})

test.each([true, false])(
  'no certificate but a good one for the name: TLS first %p',
  async (isSecure) => {
    await using good = await smtpServer({ isSecure, account })
    await using expired = await smtpServer({ isSecure, account, expired: true })
    const untrusting = { allowPrivateHosts: LOCAL.allowPrivateHosts, resolve: LOCAL.resolve }
    const receipts = [
      await send(good, { isSecure, auth: account, host: 'other.example.test' }),
      await send(good, { isSecure, auth: account, guard: untrusting }),
      await send(expired, { isSecure, auth: account }),
      await send(good, { isSecure, auth: account, host: '127.0.0.1' }),
    ]
    expect(receipts.map(({ outcome }) => outcome === 'accepted')).toEqual(receipts.map(() => false))
    for (const receipt of receipts) {
      const reason = 'reason' in receipt ? receipt.reason : ''
      expect(reason).toMatch(/The connection failed \([A-Z_]*CERT[A-Z_]*\)/)
    }
    for (const { lines } of [good, expired]) {
      expect(lines.filter((line) => /AUTH|MAIL/.test(line))).toEqual([])
    }
  },
)

type Row = [
  what: string,
  replies: Parameters<SmtpServer['behave']>[0],
  receipt: object,
  words: string,
]
const FAULTS: Row[] = [
  ['busy at the door', { greeting: '421 4.3.2 busy' }, { outcome: 'later', status: 421 }, 'later'],
  ['not for us', { greeting: '554 5.7.1 go away' }, { outcome: 'refused', status: 554 }, 'go away'],
  ['greylisted', { RCPT: '451 4.7.1 try again' }, { outcome: 'later', status: 451 }, 'try again'],
  ['a full mailbox', { RCPT: '452 4.2.2 full' }, { outcome: 'later', status: 452 }, 'full'],
  ['no such mailbox', { RCPT: '550 5.1.1 unknown' }, { outcome: 'gone', status: 550 }, 'not exist'],
  ['relaying denied', { RCPT: '550 5.7.1 relay' }, { outcome: 'refused', status: 550 }, 'relay'],
  ['a bare 550', { RCPT: '550 no' }, { outcome: 'refused', status: 550 }, 'no'],
  [
    'a foreign sender',
    { MAIL: '553 5.7.1 not yours' },
    { outcome: 'refused', alarm: expect.anything() },
    FROM,
  ],
  ['taken for spam', { end: '554 5.7.1 spam' }, { outcome: 'refused', status: 554 }, 'spam'],
  ['a full disk', { end: '452 4.3.1 full' }, { outcome: 'later', status: 452 }, 'full'],
  [
    'a wrong password',
    { AUTH: '535 5.7.8 no' },
    { outcome: 'refused', status: 535, alarm: expect.anything() },
    'BECKON_SMTP_URL',
  ],
  ['accounts that are away', { AUTH: '454 4.7.0 away' }, { outcome: 'later', status: 454 }, 'away'],
  ['a reset at the door', { greeting: 'reset' }, { outcome: 'later', status: 0 }, 'not reached'],
  ['a reset after the message', { end: 'reset' }, { outcome: 'later', status: 0 }, 'not reached'],
  [
    'words that are not SMTP',
    { greeting: 'HTTP/1.1 400 Bad' },
    { outcome: 'later', status: 0 },
    'does not speak SMTP',
  ],
  ['a reply without an end', { EHLO: 'endless' }, { outcome: 'later', status: 0 }, 'not reached'],
]

test.each(FAULTS)(
  'a mail server’s answer is a receipt that says so: %s',
  async (_what, replies, receipt, words) => {
    await using server = await smtpServer({ isSecure: true, account })
    server.behave(replies)
    const got = await send(server, { isSecure: true, auth: account })
    expect(got).toMatchObject(receipt)
    expect('reason' in got ? got.reason : '').toContain(words)
    expect(JSON.stringify(got)).not.toContain(account.pass)
    server.behave({})
    expect((await send(server, { isSecure: true, auth: account })).outcome).toBe('accepted')
  },
)

test('a server that falls silent at any step is given up, and so is one when the time is over', async () => {
  await using server = await smtpServer({ account })
  for (const step of ['greeting', 'EHLO', 'STARTTLS', 'AUTH', 'RCPT', 'DATA', 'end'] as const) {
    server.behave({ [step]: 'hang' })
    const receipt = await send(server, { auth: account, timeoutMs: 300 })
    expect([step, receipt]).toMatchObject([step, { outcome: 'later', status: 0 }])
    expect('reason' in receipt && receipt.reason).toContain('No answer came in time.')
  }
  const signal = AbortSignal.timeout(100)
  expect(await send(server, { auth: account, signal })).toMatchObject({ outcome: 'later' })
  const nobody = await send({ port: 9 }, {})
  expect(nobody).toMatchObject({
    outcome: 'later',
    reason: expect.stringContaining('ECONNREFUSED'),
  })
})

test('nothing is sent to an invalid address, or when no server is set', async () => {
  await using server = await smtpServer()
  for (const endpoint of [
    'mailto:a@b, c@d',
    'mailto:a@b>\r\nRCPT TO:<c@d',
    'https://x.example/',
    'mailto:',
  ]) {
    expect(await send(server, { endpoint })).toMatchObject({ outcome: 'refused', status: 0 })
  }
  expect(server.connections()).toBe(0)
  const outside = createGuardedFetch(LOCAL)
  const none = createEmail({ smtp: undefined, outside, baseUrl, quickAnswerSecret })
  const device = aDevice({ transport: 'email', endpoint: 'mailto:ada@example.com' })
  const delivery = { message: aMessage(), subjectId: questionId, expiresAt: 10 ** 14 }
  expect(await none.send(delivery, device, new AbortController().signal)).toMatchObject({
    outcome: 'refused',
    reason: expect.stringContaining('BECKON_SMTP_URL'),
  })
})
