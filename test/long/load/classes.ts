import { jsonOf, type Reply } from './wire.ts'

/**
 * What may go wrong under load, and where it is written down. Everything that is none of these ends
 * the run.
 */
export const DOCUMENTED = {
  rate_limited: 'more calls than a token may make: 429 with Retry-After',
  too_late: 'somebody else ended the question first: 409 with what won',
  let_go: 'a page that is too far behind is let go, and comes back',
} as const
export type Documented = keyof typeof DOCUMENTED

/** Counts what went as it should, what met a limit, and keeps what nobody has foreseen. */
export type Classes = {
  counts: Map<string, number>
  unknown: string[]
  /** So many more of `name`. */
  count(name: string, more?: number): void
  /** Something that no document speaks of. */
  unforeseen(what: string): void
  /** Whether the reply is a success; everything else is counted as what it is. */
  good(what: string, reply: Reply): boolean
}

const UNKNOWN_KEPT = 20

export function createClasses(): Classes {
  const counts = new Map<string, number>()
  const unknown: string[] = []
  const count = (name: string, more = 1) => void counts.set(name, (counts.get(name) ?? 0) + more)

  function unforeseen(what: string) {
    count('unknown')
    if (unknown.length < UNKNOWN_KEPT) unknown.push(what)
  }

  return {
    counts,
    unknown,
    count,
    unforeseen,
    good(what, reply) {
      const limit = limitOf(reply)
      if (limit) count(limit)
      else if (reply.status >= 300 || isRefused(reply)) {
        unforeseen(`${what}: ${reply.status} ${reply.body.slice(0, 300)}`)
      } else return true
      return false
    },
  }
}

/** A call of a tool fails inside a 200. */
function isRefused(reply: Reply): boolean {
  if (!reply.body.includes('"jsonrpc"')) return false
  const { error, result } = jsonOf(reply) as { error?: object; result?: { isError?: boolean } }
  return error !== undefined || result?.isError === true
}

function limitOf({ status, head, body }: Reply): Documented | undefined {
  // Over MCP the limit is a result, with the header of the HTTP one.
  if (/\r\nretry-after: \d/i.test(head) && (status === 429 || body.includes('(rate_limited)'))) {
    return 'rate_limited'
  }
  return status === 409 && body.includes('"too_late"') ? 'too_late' : undefined
}
