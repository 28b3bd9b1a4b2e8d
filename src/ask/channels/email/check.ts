import { type Check, failedCheck, passedCheck, warnedCheck } from '../../check.ts'
import type { CheckContext } from '../../delivery/channel-module.ts'
import { mailReceipt } from './channel.ts'

const NAME = 'E-mail'
const TIMEOUT_MS = 8_000

/**
 * Checks that the mail server accepts a connection, TLS and the account of BECKON_SMTP_URL; no mail
 * is sent. Reports nothing if no server is set and no mailbox is connected.
 */
export async function emailChecks(context: CheckContext): Promise<Check[]> {
  const { config, addressesOf, devices } = context
  const { smtp, baseUrl } = config
  if (!smtp) {
    if (devices.every(({ transport }) => transport !== 'email')) return []
    const message = 'A mailbox is connected, but no mail server is set: nothing is sent to it.'
    const cure = 'Set BECKON_SMTP_URL and BECKON_SMTP_FROM and restart, or remove the mailbox.'
    return [failedCheck('push', NAME, message, cure)]
  }
  const { postMail } = await import('./post-mail.ts')
  const limits = {
    signal: new AbortController().signal,
    timeoutMs: TIMEOUT_MS,
    name: new URL(baseUrl).hostname,
  }
  const receipt = mailReceipt(await postMail({ addressesOf }, smtp, 'none', limits), smtp)
  if (receipt.outcome !== 'accepted') {
    const cure = 'Correct BECKON_SMTP_URL; beckon docs email says what each refusal means.'
    return [failedCheck('push', NAME, receipt.reason, cure)]
  }
  const account = smtp.auth ? 'accepts the account of BECKON_SMTP_URL' : 'accepts a connection'
  const takes = `The mail server at ${smtp.host} ${account}.`
  if (limits.name !== 'localhost') return [passedCheck('push', NAME, takes)]
  const cure = 'Set BECKON_BASE_URL to the address under which your phone reaches this server.'
  return [warnedCheck('push', NAME, `${takes} Its links lead to localhost.`, cure)]
}
