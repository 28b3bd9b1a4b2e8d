import type { Config } from '../../../platform/config/config.ts'
import type { GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import { cleanLine, cutText } from '../../../platform/text.ts'
import type { Channel, DeliveryReceipt } from '../../delivery/model/channel.ts'
import type { Posted } from './post-mail.ts'

export type EmailOptions = {
  /** Undefined if the owner has not set a mail server, or has removed it. */
  smtp: Config['smtp']
  outside: Pick<GuardedFetch, 'addressesOf'>
  baseUrl: string
  quickAnswerSecret: string
  /** For looking up, connecting and sending together, in milliseconds. */
  timeoutMs?: number
}

// Mail servers may look at a sender for a while before they answer.
const TIMEOUT_MS = 20_000

/** Mail with a link to the answer page, through one mail server (RFC 5321). */
export function createEmail(options: EmailOptions): Channel {
  const { smtp, outside, baseUrl, quickAnswerSecret, timeoutMs = TIMEOUT_MS } = options
  return {
    transport: 'email',
    async send(delivery, device, signal) {
      if (!smtp) return { outcome: 'refused', status: 0, reason: NOT_SET_UP }
      const to = mailboxOf(device.endpoint)
      if (!to) return { outcome: 'refused', status: 0, reason: NO_MAILBOX }
      // Loaded with the first mail: most servers send none.
      const [{ writeMail }, { postMail }] = await Promise.all([
        import('./write-mail.tsx'),
        import('./post-mail.ts'),
      ])
      const about = { from: smtp.from, to, baseUrl, quickAnswerSecret, deviceId: device.id }
      const mail = { from: smtp.from, to, raw: await writeMail(delivery, about) }
      const limits = { signal, timeoutMs, name: new URL(baseUrl).hostname }
      return mailReceipt(await postMail(outside, smtp, mail, limits), smtp)
    },
  }
}

const NOT_SET_UP =
  'This server sends no e-mail any more: its owner has to set BECKON_SMTP_URL and BECKON_SMTP_FROM.'
const NO_MAILBOX = 'The address of the mailbox is not valid; add it again.'
const SAID_MAX = 200
// RFC 3463: the mailbox does not exist. Other refusals may be about this server, and may pass.
const NO_SUCH_MAILBOX = /^5\d\d[ -]5\.1\.1\b/

/** Interprets a mail server's answer, or the lack of one. */
export function mailReceipt(posted: Posted, smtp: { host: string; from: string }): DeliveryReceipt {
  const server = `The mail server at ${smtp.host}`
  if (posted.outcome === 'taken') return { outcome: 'accepted', status: posted.status }
  if (posted.outcome === 'blocked') {
    const reason = `${server} may not be reached. ${posted.reason}`
    return { outcome: 'refused', status: 0, reason, alarm: `${reason} ${ALLOW}` }
  }
  if (posted.outcome === 'unreached') {
    const reason = `${server} was not reached. ${posted.reason}`
    return { outcome: 'later', status: 0, reason }
  }
  const { at, status, reply } = posted
  if (status >= 400 && status < 500) {
    const reason = `${server} asks to be tried later (${status})${replyText(reply)}`
    return { outcome: 'later', status, reason }
  }
  if (at === 'tls' || at === 'login' || at === 'sender') {
    const reason = `${server} ${SET_UP_WRONG[at](smtp.from)}${status ? ` (${status})` : ''}.`
    return { outcome: 'refused', status, reason, alarm: reason }
  }
  if (at === 'recipient' && NO_SUCH_MAILBOX.test(reply)) {
    return { outcome: 'gone', status, reason: `The mailbox does not exist (${status}).` }
  }
  const what = at === 'recipient' ? 'the recipient' : 'the message'
  return {
    outcome: 'refused',
    status,
    reason: `${server} refused ${what} (${status})${replyText(reply)}`,
  }
}

const ALLOW = 'If it is yours, name it in BECKON_ALLOW_PRIVATE_HOSTS.'

const SET_UP_WRONG = {
  tls: () => 'does not offer encryption (STARTTLS), without which nothing is sent',
  login: () => 'did not accept the user name and password in BECKON_SMTP_URL',
  sender: (from: string) => `does not let this server send from ${from} (BECKON_SMTP_FROM)`,
}

function replyText(reply: string): string {
  const words = cutText(cleanLine(reply.replace(/^\d{3}[ -]/gm, '')), SAID_MAX)
  return words ? `: ${words}` : '.'
}

const SCHEME = 'mailto:'

/** A mailbox as the endpoint of a device. */
export function mailEndpoint(address: string): string {
  return `${SCHEME}${address.trim().toLowerCase()}`
}

// The characters of account addresses, without those that could add a recipient, a header or a
// command.
const ADDRESS = /^[^\s@<>(),:;"\\[\]\p{Cc}]{1,64}@[^\s@<>(),:;"\\[\]\p{Cc}]{1,250}$/u

/** The mailbox of an endpoint; undefined when it is not the address of one. */
export function mailboxOf(endpoint: string): string | undefined {
  const address = endpoint.startsWith(SCHEME) ? endpoint.slice(SCHEME.length) : ''
  return ADDRESS.test(address) ? address : undefined
}
