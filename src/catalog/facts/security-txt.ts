import { instantOf } from './read-words.ts'

/** What a security.txt is worth. */
export type SecurityTxt = { status: 'valid' | 'none' | 'expired'; expires?: number }

const NONE: SecurityTxt = { status: 'none' }
const SIGNED = '-----BEGIN PGP SIGNED MESSAGE-----'
const SIGNATURE = '-----BEGIN PGP SIGNATURE-----'

/**
 * Reads a security.txt (RFC 9116). It needs at least one Contact that is a URI and exactly one
 * Expires; without them it is none. A cleartext signature around it is taken off, not verified.
 * `expires` in milliseconds since 1970.
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

/** A web address must be https (RFC 9116, 2.5.3); `mailto:` and `tel:` are what else there is. */
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
