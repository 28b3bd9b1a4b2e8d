import type { Fetched } from '../../../../platform/outgoing/guarded-fetch.ts'
import { readRetryAfter } from '../../../../platform/outgoing/retry-after.ts'
import { cleanLine, cutText } from '../../../../platform/text.ts'
import type { Receipt } from '../../receipts.ts'

/** What a push service's answer means (RFC 8030). */
export function readReceipt(
  fetched: Fetched,
  from: { origin: string; subject: string; now: number },
): Receipt {
  if (fetched.outcome === 'blocked') {
    return { outcome: 'refused', status: 0, reason: fetched.reason }
  }
  if (fetched.outcome !== 'answered') {
    return {
      outcome: 'later',
      status: 0,
      reason: `The push service was not reached. ${fetched.reason}`,
    }
  }
  const { status, headers } = fetched
  if (status >= 200 && status < 300) return { outcome: 'accepted', status }
  if (status === 404 || status === 410) {
    return { outcome: 'gone', status, reason: `The subscription no longer exists (${status}).` }
  }
  if (status === 429 || status >= 500) {
    const retryAfterMs = readRetryAfter(headers.get('retry-after'), from.now)
    const reason =
      status === 429
        ? 'The push service asks for fewer messages (429).'
        : `The push service has trouble of its own (${status}).`
    return {
      outcome: 'later',
      status,
      reason,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    }
  }
  if (status === 401 || status === 403) return notOurs(status, from)
  return { outcome: 'refused', status, reason: REASONS[status] ?? said(fetched) }
}

function notOurs(
  status: number,
  { origin, subject }: { origin: string; subject: string },
): Receipt {
  return {
    outcome: 'refused',
    status,
    reason: `The push service did not accept this server's signature (${status}).`,
    alarm: `${origin} answers ${status} to this server's signature. The VAPID subject it was given is ${subject}: set BECKON_VAPID_SUBJECT to a mailto: or https: address that the outside can reach. If the server's keys were replaced, its devices have to be connected again. A clock that is hours off has the same effect.`,
  }
}

const REASONS: Record<number, string> = {
  413: 'The push service found even the shortened message too large (413).',
}

const SAID_MAX = 200

function said({ status, body }: Extract<Fetched, { outcome: 'answered' }>): string {
  if (status >= 300 && status < 400) {
    return `The push service answered with a redirect (${status}), which is not followed.`
  }
  const words = cutText(cleanLine(new TextDecoder().decode(body)), SAID_MAX)
  return `The push service refused the message (${status})${words ? `: ${words}` : '.'}`
}
