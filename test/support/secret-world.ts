import { Database } from 'bun:sqlite'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { linkToken } from '../../src/ask/delivery/model/links.ts'
import type { SubscriberId } from '../../src/ask/subscribers/model/subscriber.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { PASSWORD } from './auth-server.ts'
import { type ServerProcess, serverProcess } from './server-process.ts'
import { cookieOf } from './sign-in.ts'
import { tempFolder } from './temp-folder.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }

// What only this test has, in the shape that each has in life.
const GIVEN = {
  slackToken: `xoxb-${randomBytes(24).toString('hex')}`,
  telegramToken: `123456789:AA${randomBytes(16).toString('hex')}`,
  smtpPassword: randomBytes(18).toString('hex'),
  slackSecret: randomBytes(16).toString('hex'),
  ntfyToken: `tk_${randomBytes(20).toString('hex').slice(0, 29)}`,
  pushAddress: randomBytes(30).toString('base64url'),
  pushAuth: randomBytes(16).toString('base64url'),
  callbackPath: randomBytes(18).toString('base64url'),
}
const P256DH =
  'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM'

export type SecretWorld = Awaited<ReturnType<typeof secretWorld>>

/**
 * A server as a process of its own that has one secret of every kind and says all it can in its
 * log, and around it a world that refuses everything and repeats what it was sent.
 */
export async function secretWorld() {
  const folder = tempFolder()
  // Push service, ntfy, Slack and receiver of callbacks at once.
  const outside = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const received = {
        url: request.url,
        headers: [...request.headers],
        body: await request.text(),
      }
      return Response.json({ ok: false, error: JSON.stringify(received) }, { status: 403 })
    },
  })
  const far = outside.url.origin
  const server = await serverProcess(folder.path, 0, {
    env: {
      ...{ BECKON_LOG: 'json', BECKON_LOG_LEVEL: 'debug', BECKON_TRUST_PROXY: 'loopback' },
      ...{ BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1', BECKON_SLACK_API_URL: `${far}/slack/` },
      BECKON_SLACK_BOT_TOKEN: GIVEN.slackToken,
      BECKON_TELEGRAM_BOT_TOKEN: GIVEN.telegramToken,
      BECKON_TELEGRAM_API_URL: far,
      BECKON_SMTP_URL: `smtp://beckon:${GIVEN.smtpPassword}@127.0.0.1:${outside.port}`,
      BECKON_SMTP_FROM: 'beckon@example.com',
      BECKON_SLACK_SIGNING_SECRET: GIVEN.slackSecret,
    },
  })
  // People open it under the name that it was given.
  const origin = `http://localhost:${server.port}`
  let callers = 0

  function send(path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
    // Each from elsewhere, so that what is counted by address does not end the test.
    const from = `10.0.${++callers >> 8}.${callers & 255}`
    return fetch(server.url + path, {
      ...{ method, redirect: 'manual' },
      headers: { 'x-forwarded-for': from, host: new URL(origin).host, origin, ...headers },
      ...(body === undefined ? {} : { body }),
    })
  }
  const form = (fields: object) => ({
    ...{ method: 'POST', body: new URLSearchParams({ ...fields }).toString() },
  })

  const setUpKey = /\/setup\?key=(\w+)/.exec(server.out())?.[1] ?? ''
  const ada = { code: setUpKey, name: 'Ada', email: 'ada@example.org', password: PASSWORD }
  const entered = await send('/setup', { ...form(ada), headers: FORM })
  const cookie = cookieOf(entered.headers)
  const own = { cookie, ...JSON_TYPE }
  const asOwner = { cookie, ...FORM }
  const post = async (path: string, body: object, headers = own) =>
    (await send(path, { method: 'POST', headers, body: JSON.stringify(body) })).json()

  const { token } = await post('/api/v1/keys', { name: 'laptop' })
  const { id: subscriberId } = await post('/api/v1/subscribers', {
    ...{ kind: 'browser', transport: 'webpush', endpoint: `${far}/push/${GIVEN.pushAddress}` },
    keys: { p256dh: P256DH, auth: GIVEN.pushAuth },
  })
  await post('/api/v1/subscribers', {
    ...{ kind: 'phone', transport: 'ntfy', endpoint: `${far}/topic` },
    accessToken: GIVEN.ntfyToken,
  })
  await post('/api/v1/subscribers', {
    ...{ kind: 'chat', transport: 'email', endpoint: 'mailto:ada@example.org' },
  })
  const { secret } = await (await send('/api/v1/callback-secret', { headers: own })).json()
  const response = await send('/settings/pair', { ...form({}), headers: asOwner })
  const pairing = /\/pair\/([0-9a-z]{26})/.exec(await response.text())?.[1] ?? ''
  const offered = await send('/api/auth/passkey/generate-authenticate-options')
  const { challenge } = (await offered.json()) as { challenge: string }
  const asAgent = { authorization: `Bearer ${token}`, ...JSON_TYPE }
  const callbackUrl = `${far}/hook/${GIVEN.callbackPath}`
  const question = { question: 'Deploy?', wait: false, callbackUrl }
  const { correlationId } = await post('/api/v1/questions', question, asAgent as never)

  // Its key is made when somebody first asks.
  await (await send('/api/v1/manifest.jws.json')).body?.cancel()
  using file = new Database(join(folder.path, 'beckon.db'), { readonly: true })
  const settings = new Map(
    file.query<[string, string], []>('select name, value from settings').values() as never,
  ) as Map<string, string>
  const catalogKeys = settings.get('catalog_manifest_keys') ?? ''
  const quick = settings.get('quick_answer_secret') ?? ''
  const link = (purpose: 'page' | 'yes') =>
    linkToken(quick, {
      ...{ questionId: correlationId as QuestionId, subscriberId: subscriberId as SubscriberId },
      purpose,
    })
  const [, session = ''] = cookie.split('=')

  const secrets: Record<string, string> = {
    'the agent token': token,
    'the cookie': session,
    'what the cookie signs': session.split('.')[0] ?? '',
    'the set-up code': setUpKey,
    'the pairing code': pairing,
    'the token of an answer link': link('page'),
    'the token of an answer button': link('yes'),
    'the secret of callbacks': secret,
    'what signs cookies': settings.get('auth_secret') ?? '',
    'what signs links': quick,
    'the private key of Web Push': JSON.parse(settings.get('vapid_keys') ?? '{}').privateKey,
    'the private key of the catalog': /"d":"([\w-]{40,})"/.exec(catalogKeys)?.[1] ?? '',
    'the bot token of Slack': GIVEN.slackToken,
    'the signing secret of Slack': GIVEN.slackSecret,
    'the token of the Telegram bot': GIVEN.telegramToken.split(':')[1] ?? '',
    'the password of the mail server': GIVEN.smtpPassword,
    'the token of ntfy': GIVEN.ntfyToken,
    'the address of a browser': GIVEN.pushAddress,
    'the auth key of a browser': GIVEN.pushAuth,
    'the challenge of a passkey': challenge,
    'the password': PASSWORD,
  }

  return {
    secrets,
    /** A capability in an address that an agent gave. */
    callbackPath: GIVEN.callbackPath,
    server: server as ServerProcess,
    dataFolder: folder.path,
    correlationId: correlationId as string,
    send,
    asOwner: { cookie },
    asAgent,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await outside.stop(true)
      folder[Symbol.dispose]()
    },
  }
}

export type Sent = { method?: string; headers?: Record<string, string>; body?: string }
