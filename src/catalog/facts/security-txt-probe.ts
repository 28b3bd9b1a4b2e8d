import { isoTime } from '../../platform/clock.ts'
import type { Outside, Probe } from '../probing/probe.ts'
import { ask, isAbsent, mediaType, textOf } from './ask.ts'
import type { FactBases } from './bases.ts'
import { readSecurityTxt } from './security-txt.ts'
import { createShared } from './shared.ts'
import { domainOf } from './site-of.ts'

const DAY_MS = 24 * 3_600_000
const EVERY_MS = 7 * DAY_MS
// RFC 9116, 5.4: a parser may stop at 32 KB.
const BYTES_MAX = 32 * 1024

type Read = { url: string; status: string; expires?: string }

/** Whether the vendor says where holes are reported, every week (RFC 9116). */
export function securityTxtProbe({ site }: FactBases): Probe {
  const shared = createShared<Read | undefined>(EVERY_MS / 2)

  return {
    name: 'security-txt',
    everyMs: EVERY_MS,
    appliesTo: (subject) => domainOf(subject) !== undefined,
    async run(outside, subject, now) {
      const domain = domainOf(subject)
      if (domain === undefined) return { facts: [] }
      const url = `${site(domain)}/.well-known/security.txt`
      const { at, value } = await shared(url, now, () => read(outside, url, now))
      return { facts: value ? [{ subject: 'securityTxt', value, at }] : [] }
    },
  }
}

/** Undefined when it cannot be said. */
async function read(outside: Outside, url: string, now: number): Promise<Read | undefined> {
  const reply = await ask(outside, url, { headers: { accept: 'text/plain' }, maxBytes: BYTES_MAX })
  if (isAbsent(reply)) return { url, status: 'none' }
  if (reply.outcome !== 'answered' || reply.status !== 200) return undefined
  if (reply.cut === 'broken') return undefined
  // A page for people at every address is the most common of what is none.
  if (mediaType(reply.headers) !== 'text/plain' || reply.cut) return { url, status: 'none' }
  const { status, expires } = readSecurityTxt(textOf(reply), now)
  return { url: reply.url, status, ...(expires === undefined ? {} : { expires: isoTime(expires) }) }
}
