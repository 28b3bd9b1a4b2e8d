import type { WrongField } from '../../../platform/failure.ts'
import { cleanLine, codePoints } from '../../../platform/text.ts'
import { type Named, whyGuessed } from './weak-password.ts'

const NAME_MAX = 100
const EMAIL_MAX = 254
/**
 * Long enough against guessing, together with the limit on attempts (NIST SP 800-63B, 8 at least).
 */
export const PASSWORD_MIN = 8
/** Limits the cost of hashing. */
export const PASSWORD_MAX = 128
// What better-auth accepts at sign-in: anything looser would lock people out.
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

export function wrongName(name: string): WrongField[] {
  if (name === '') return [{ field: 'name', must: 'must not be empty' }]
  if (codePoints(name) <= NAME_MAX) return []
  return [{ field: 'name', must: `must have at most ${NAME_MAX} characters` }]
}

/** What is wrong with the new password of `who`. */
export function wrongPassword(password: string, who: Named): WrongField[] {
  if (password.length < PASSWORD_MIN || password.length > PASSWORD_MAX) {
    return [{ field: 'password', must: `must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters` }]
  }
  const must = whyGuessed(password, who)
  return must === undefined ? [] : [{ field: 'password', must }]
}
