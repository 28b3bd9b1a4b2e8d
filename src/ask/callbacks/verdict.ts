import type { Fetched } from '../../platform/outgoing/guarded-fetch.ts'
import { readRetryAfter } from '../../platform/outgoing/retry-after.ts'

/** What an attempt came to: over, or to be tried again. */
export type Verdict =
  | { state: 'delivered' | 'gone'; status: number; error: string | undefined }
  | { state: 'waiting'; status: number; error: string; retryAfterMs: number | undefined }

/** What a receiver's answer means: 2xx and 410 end it, anything else does not. */
export function verdictOf(fetched: Fetched, now: number): Verdict {
  if (fetched.outcome !== 'answered') {
    return { state: 'waiting', status: 0, error: fetched.reason, retryAfterMs: undefined }
  }
  const { status, headers } = fetched
  if (status >= 200 && status < 300) return { state: 'delivered', status, error: undefined }
  if (status === 410) return { state: 'gone', status, error: 'The receiver wants no more of it.' }
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), now)
  return { state: 'waiting', status, error: reasonOf(status), retryAfterMs }
}

function reasonOf(status: number): string {
  if (status >= 300 && status < 400) return 'The receiver redirects, which is not followed.'
  if (status === 429) return 'The receiver asks for fewer requests.'
  return status >= 500 ? 'The receiver has trouble of its own.' : 'The receiver refused it.'
}
