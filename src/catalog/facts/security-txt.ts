import { Type } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import { closed, instantField, link, openWord } from '../records/words.ts'
import type { FactBases } from './bases.ts'
import { domainOf } from './bases.ts'
import { defineFact, type Probe, type ProbeNetwork, withTime } from './fact.ts'
import { instantOf, isAbsent, mediaTypeOf, readAddress, textOf } from './read-address.ts'
import { createShared } from './shared.ts'

/** The content of a security.txt. */
export type SecurityTxt = { status: 'valid' | 'none' | 'expired'; expires?: number }

const NONE: SecurityTxt = { status: 'none' }
const SIGNED = '-----BEGIN PGP SIGNED MESSAGE-----'
const SIGNATURE = '-----BEGIN PGP SIGNATURE-----'

/**
 * Reads a security.txt (RFC 9116). It needs at least one Contact that is a URI and exactly one
 * Expires. A cleartext signature around it is removed, not verified. `expires` in milliseconds
 * since 1970.
 */
export function readSecurityTxt(text: string, now: number): SecurityTxt {
  const lines = unsigned(text.replace(/^\ufeff/, '').split(/\r?\n/))
  if (!lines) return NONE
  const fields = lines.flatMap(fieldOf)
  const [expires, second] = fields.filter(({ name }) => name === 'expires')
  const hasContact = fields.some(({ name, value }) => name === 'contact' && isContact(value))
  const ends = expires && instantOf(expires.value)
  if (!hasContact || ends === undefined || second) return NONE
  return { status: ends > now ? 'valid' : 'expired', expires: ends }
}

function fieldOf(line: string): Array<{ name: string; value: string }> {
  if (line.startsWith('#')) return []
  const colon = line.indexOf(':')
  if (colon < 1) return []
  return [{ name: line.slice(0, colon).toLowerCase(), value: line.slice(colon + 1).trim() }]
}

/** Web addresses must be https (RFC 9116, 2.5.3); `mailto:` and `tel:` are allowed too. */
function isContact(value: string): boolean {
  return /^(https:\/\/|mailto:|tel:)\S+$/i.test(value) && URL.canParse(value)
}

/** The lines inside a cleartext signature (RFC 9580, 7); all of them without one. */
function unsigned(lines: string[]): string[] | undefined {
  const start = lines.findIndex((line) => line.trim() !== '')
  if (lines[start]?.trimEnd() !== SIGNED) return lines
  const blank = lines.findIndex((line, i) => i > start && line.trim() === '')
  const end = lines.findIndex((line, i) => i > blank && line.trimEnd() === SIGNATURE)
  if (blank < 0 || end < 0) return undefined
  return lines.slice(blank + 1, end).map((line) => line.replace(/^- /, ''))
}

const DAY_MS = 24 * 3_600_000
const EVERY_MS = 7 * DAY_MS
// RFC 9116, 5.4: a parser may stop at 32 KB.
const BYTES_MAX = 32 * 1024

type Read = { url: string; status: string; expires?: string }

const SecurityTxtRecord = closed({
  url: link('Address that was read.'),
  status: openWord('State.', ['valid', 'none', 'expired']),
  expires: Type.Optional(instantField('Its Expires field.')),
  checkedAt: instantField('When it was read.'),
})

/** The security.txt of the vendor, which says where to report vulnerabilities. */
export const SECURITY_TXT = defineFact({
  name: 'securityTxt',
  value: Type.Omit(SecurityTxtRecord, ['checkedAt'], { additionalProperties: false }),
  live: { securityTxt: Type.Optional(SecurityTxtRecord) },
  probes: (bases) => [securityTxtProbe(bases)],
  read: ([stored]) => (stored ? { securityTxt: withTime(stored) } : {}),
})

/** Checks every week whether the vendor says where to report vulnerabilities (RFC 9116). */
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
      const { at, value } = await shared(url, now, () => readAt(outside, url, now))
      return { facts: value ? [{ subject: 'securityTxt', value, at }] : [] }
    },
  }
}

/** Undefined if nothing is known. */
async function readAt(outside: ProbeNetwork, url: string, now: number): Promise<Read | undefined> {
  const reply = await readAddress(outside, url, {
    headers: { accept: 'text/plain' },
    maxBytes: BYTES_MAX,
  })
  if (isAbsent(reply)) return { url, status: 'none' }
  if (reply.outcome !== 'answered' || reply.status !== 200) return undefined
  if (reply.cut === 'broken') return undefined
  // Many sites answer every address with a page.
  if (mediaTypeOf(reply.headers) !== 'text/plain' || reply.cut) return { url, status: 'none' }
  const { status, expires } = readSecurityTxt(textOf(reply), now)
  return { url: reply.url, status, ...(expires === undefined ? {} : { expires: isoTime(expires) }) }
}
