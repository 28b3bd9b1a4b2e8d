import type { WrongField } from '../../../platform/failure.ts'
import { cleanLine } from '../../../platform/text.ts'
import { wrongName } from '../../../platform/wrong-name.ts'

const NAME_MAX = 100
const EMAIL_MAX = 254
/**
 * Long enough against guessing, together with the limit on attempts (NIST SP 800-63B, 8 at least).
 */
export const PASSWORD_MIN = 8
/** Limits the cost of hashing. */
export const PASSWORD_MAX = 128
// The addresses that better-auth accepts at sign-in: a looser rule would lock people out.
const EMAIL =
  /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/

/** An address as it is stored and compared. */
export function cleanEmail(email: string): string {
  return cleanLine(email).toLowerCase()
}

export function wrongEmail(email: string): WrongField[] {
  if (email.length <= EMAIL_MAX && EMAIL.test(email)) return []
  return [{ field: 'email', must: 'must be an e-mail address like ada@example.com' }]
}

export function wrongPersonName(name: string): WrongField[] {
  return wrongName(name, NAME_MAX)
}

/** Checks the new password of `who`. */
export function wrongPassword(password: string, who: PersonNames): WrongField[] {
  if (password.length < PASSWORD_MIN || password.length > PASSWORD_MAX) {
    return [{ field: 'password', must: `must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters` }]
  }
  const must = whyGuessed(password, who)
  return must === undefined ? [] : [{ field: 'password', must }]
}

/** Names of the owner of a password: what others know of them. */
type PersonNames = { name: string; email: string }

// The commonest words of published lists of leaked passwords. Digits and signs around them, and
// letters written as digits, are what guessing programs try first, so the words stand alone.
const COMMON = new Set(
  `password passwort motdepasse contrasena qwerty qwertyuiop qwertz qwertzuiop azerty asdfghjkl zxcvbnm
  qazwsx qazwsxedc abc abcd abcdef abcdefg abcdefgh letmein welcome willkommen bonjour admin administrator
  root user login guest test testing changeme default secret iloveyou loveyou sunshine princess dragon
  monkey football baseball basketball superman batman master shadow michael jennifer jordan hunter
  killer trustno freedom whatever computer internet pokemon starwars charlie mustang access flower
  samsung google apple linux server system beckon summer winter spring autumn january february march
  april june july august september october november december`.split(/\s+/),
)
const ROWS = ['0123456789012', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const LETTERS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}
// A shorter part of a name is in too many words.
const PART_MIN = 4

/** Explains why a password is easy to guess, as the end of "it must …"; undefined if it is not. */
function whyGuessed(password: string, { name, email }: PersonNames): string | undefined {
  const plain = password.normalize('NFKC').toLowerCase()
  if (isCommon(plain)) {
    return 'must not be one of the commonest passwords; four unrelated words are a good one'
  }
  const parts = [...name.split(/\s+/), ...email.split('@').slice(0, 1)]
  const lowerParts = parts.map((part) => part.normalize('NFKC').toLowerCase())
  const holds = lowerParts.some((part) => part.length >= PART_MIN && plain.includes(part))
  return holds ? 'must not contain your name or e-mail address' : undefined
}

function isCommon(plain: string): boolean {
  const bare = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const readings = [plain, bare, respelled(plain), respelled(plain.replace(/[\d\W_]{1,4}$/, ''))]
  return isRow(plain) || readings.some((one) => COMMON.has(one) || COMMON.has(unit(one)))
}

const respelled = (text: string) => [...text].map((letter) => LETTERS[letter] ?? letter).join('')

/** The shortest text that `text` repeats: `abab` is `ab` twice. */
function unit(text: string): string {
  const at = (text + text).indexOf(text, 1)
  return at > 0 ? text.slice(0, at) : text
}

/** Few characters again and again, or neighbours on a keyboard or in the alphabet. */
function isRow(plain: string): boolean {
  const one = unit(plain)
  if (new Set(plain).size < 4) return true
  const backwards = [...one].reverse().join('')
  return ROWS.some((row) => row.includes(one) || row.includes(backwards))
}

/** Hashes the password with better-auth's scrypt, so that it can be checked at sign-in. */
export async function hashPassword(password: string): Promise<string> {
  // Loaded when somebody chooses a password, not when the server starts.
  const crypto = await import('better-auth/crypto')
  return await crypto.hashPassword(password)
}
