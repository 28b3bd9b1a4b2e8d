import { findSecrets, redactSecrets } from '../../../platform/redact/redact.ts'
import { type WordLimits, wordLimitsOf } from './word-limits.ts'

/** Whether a text is known to be for a shell; otherwise that is judged by how it looks. */
export type ForShell = { isShell?: boolean | undefined }

/**
 * As `redactSecrets`, for text that may be shell commands: there a redaction ends with the word that
 * it begins in, so that what else the commands do stays to be read, and programs have options whose
 * values are secret.
 */
export function redactCommand(
  text: string,
  { isShell, most }: ForShell & { most?: number } = {},
): string {
  return redactSecrets(text, most, limitsOf(text, isShell))
}

/** Whether a redaction as text takes out more than a part of one word: what a shell may act on. */
export function hidesCommands(text: string): boolean {
  const limits = wordLimitsOf(text)
  if (!limits.within || limitsOf(text, undefined)) return false
  return findSecrets(text).some((found) => {
    const [own, ...others] = limits.within?.(found) ?? []
    return others.length > 0 || own?.to !== found.to
  })
}

// A header or a setting: whatever it is, its value is not divided into words.
const SETTING = /^[ \t+><-]*[\w-]+:[ \t]/m

function limitsOf(text: string, isShell = !SETTING.test(text)): WordLimits | undefined {
  return isShell ? wordLimitsOf(text) : undefined
}
