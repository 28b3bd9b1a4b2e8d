import { isIP } from 'node:net'
import type { NodemailerError } from 'nodemailer'
import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import { unlessAborted } from '../../../platform/clock.ts'
import type { CheckedHost, GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import type { SmtpServer } from './settings.ts'

/** The result of posting one mail; `at` is the step that the server refused. */
export type Posted =
  | { outcome: 'taken'; status: number }
  | { outcome: 'blocked'; reason: string }
  | { outcome: 'unreached'; reason: string }
  | {
      outcome: 'refused'
      at: 'tls' | 'login' | 'sender' | 'recipient' | 'message'
      /** 0 if the server gave no status for this step. */
      status: number
      reply: string
    }

type Mail = { from: string; to: string; raw: Buffer }
type Limits = {
  signal: AbortSignal
  timeoutMs: number
  /** The host name of this server in SMTP. */
  name: string
}

const REPLY_MAX = 16 * 1024

/**
 * Hands one mail to a server, at an address that was checked before; with `none` it ends after
 * connecting, TLS and login. Without TLS nothing is sent, unless the owner allowed the host. Never
 * throws; gives up with the signal or after the time.
 */
export async function postMail(
  outside: Pick<GuardedFetch, 'addressesOf'>,
  server: SmtpServer,
  mail: Mail | 'none',
  { signal, timeoutMs, name }: Limits,
): Promise<Posted> {
  const late = AbortSignal.timeout(timeoutMs)
  const stop = AbortSignal.any([signal, late])
  try {
    const host = await unlessAborted(outside.addressesOf(server.host), stop)
    if ('blocked' in host) return { outcome: 'blocked', reason: host.blocked }
    return await toFirstReached(host, server, mail, { stop, timeoutMs, name })
  } catch (error) {
    // The library's own timers may end first.
    const isLate = late.aborted || (error as NodemailerError).code === 'ETIMEDOUT'
    if (isLate) return { outcome: 'unreached', reason: 'No answer came in time.' }
    if (signal.aborted) return { outcome: 'unreached', reason: 'It was given up.' }
    return meaningOf(error as NodemailerError)
  }
}

type Trying = { stop: AbortSignal; timeoutMs: number; name: string }

async function toFirstReached(
  host: CheckedHost,
  server: SmtpServer,
  mail: Mail | 'none',
  trying: Trying,
): Promise<Posted> {
  for (const [i, address] of host.addresses.entries()) {
    try {
      return await hand(address, host, server, mail, trying)
    } catch (error) {
      const isLast = i === host.addresses.length - 1
      if (trying.stop.aborted || isLast || !NOT_CONNECTED.test(causeOf(error))) throw error
    }
  }
  return { outcome: 'unreached', reason: 'The name has no address.' }
}

const NOT_CONNECTED = /^(ECONNREFUSED|ENETUNREACH|EHOSTUNREACH)$/

async function hand(
  address: string,
  host: CheckedHost,
  server: SmtpServer,
  mail: Mail | 'none',
  trying: Trying,
): Promise<Posted> {
  const { auth } = server
  const connection = new SMTPConnection(optionsFor(address, host, server, trying))
  const broke = Promise.withResolvers<never>()
  connection.on('error', broke.reject)
  connection.on('end', () => broke.reject(new Error('ended')))
  // If a step answers first, nothing else listens to this promise.
  broke.promise.catch(() => {})
  const step = <T>(work: (done: (error?: Error | null, value?: T) => void) => void) => {
    const answered = new Promise<T | undefined>((resolve, reject) => {
      work((error, value) => (error ? reject(error) : resolve(value)))
    })
    return unlessAborted(Promise.race([answered, broke.promise]), trying.stop)
  }
  try {
    await step((done) => connection.connect(done))
    if (auth) await step((done) => connection.login({ credentials: auth }, done))
    if (mail === 'none') {
      connection.quit()
      return { outcome: 'taken', status: TAKEN }
    }
    const { from, to, raw } = mail
    const reply = await step<{ response?: string }>((done) =>
      connection.send({ from, to: [to] }, raw, done),
    )
    connection.quit()
    return { outcome: 'taken', status: statusOf(reply?.response) || TAKEN }
  } catch (error) {
    connection.close()
    throw error
  }
}

const TAKEN = 250

function optionsFor(
  address: string,
  { isAllowed, ca }: CheckedHost,
  { host, port, isSecure }: SmtpServer,
  { timeoutMs, name }: Trying,
): SMTPConnectionOptions {
  return {
    host: address,
    port,
    name,
    secure: isSecure,
    requireTLS: !isSecure && !isAllowed,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    maxResponseSize: REPLY_MAX,
    tls: { minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) },
    // The certificate has to be for the name that the owner wrote.
    ...(isIP(host) ? {} : { servername: host }),
  }
}

const NOT_SMTP = 'What answers there does not speak SMTP. Check the port in BECKON_SMTP_URL.'

/** The step that failed, from the library's error code and the command that was answered. */
function meaningOf(error: NodemailerError): Posted {
  const { code, command = '', response = '' } = error
  const status = error.responseCode ?? 0
  const refused = { outcome: 'refused', status, reply: response } as const
  if (code === 'ETLS') return { ...refused, at: 'tls' }
  if (code === 'EAUTH') return { ...refused, at: 'login' }
  if (status >= 400 && command === 'MAIL FROM') return { ...refused, at: 'sender' }
  if (status >= 400 && command === 'RCPT TO') return { ...refused, at: 'recipient' }
  if (status >= 400) return { ...refused, at: 'message' }
  if (code === 'EPROTOCOL') return { outcome: 'unreached', reason: NOT_SMTP }
  const cause = causeOf(error)
  const reason = `The connection failed${cause ? ` (${cause})` : ''}.`
  return { outcome: 'unreached', reason }
}

/** The code of the system or of TLS, which the library keeps below its own. */
function causeOf(error: unknown): string {
  const { errno, code, cause, originalCode, message } = error as NodemailerError & Causes
  const errorCode = [cause?.code, originalCode, errno, code].find(
    (one) => typeof one === 'string' && !OWN_CODE.test(one),
  )
  return String(
    errorCode ?? /\b(ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH)\b/.exec(message)?.[0] ?? '',
  )
}

type Causes = { cause?: { code?: unknown }; originalCode?: unknown }

const OWN_CODE = /^(ESOCKET|ECONNECTION|ETIMEDOUT|EPROTOCOL|EDNS|ETLS|EAUTH)$/

function statusOf(response = ''): number {
  return Number(/^\d{3}/.exec(response)?.[0] ?? 0)
}
