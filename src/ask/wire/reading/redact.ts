import { findSecrets, redactSecrets } from '../../../platform/redact/redact.ts'
import { type WordLimits, wordLimitsOf } from './word-limits.ts'

/** True if a text is known to be for a shell; undefined if its form decides. */
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

/**
 * Reports the secrets of a text that may be shell commands. `hidesCommands` is true if redacting it
 * as plain text would hide more than a part of one word: something that a shell may act on.
 */
export function secretsIn(
  text: string,
  { isShell = looksForShell(text) }: ForShell,
): { hasSecret: boolean; hidesCommands: boolean } {
  const limits = wordLimitsOf(text)
  const inWords = findSecrets(text, limits)
  if (isShell) return { hasSecret: inWords.length > 0, hidesCommands: false }
  const asText = findSecrets(text)
  const { within } = limits
  const hidesCommands = asText.some((secret) => {
    const [own, ...others] = within?.(secret) ?? [secret]
    return others.length > 0 || own?.to !== secret.to
  })
  return { hasSecret: inWords.length > 0 || asText.length > 0, hidesCommands }
}

// A header or a setting: whatever it is, its value is not divided into words.
const SETTING = /^[ \t+><-]{0,8}[\w-]{1,60}:[ \t]/m

function looksForShell(text: string): boolean {
  return !SETTING.test(text)
}

function limitsOf(text: string, isShell = looksForShell(text)): WordLimits | undefined {
  return isShell ? wordLimitsOf(text) : undefined
}
