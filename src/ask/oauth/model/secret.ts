import { randomText } from '../../../platform/ids.ts'
import { hashToken } from '../../accounts/model/agent.ts'

// 200 random bits cannot be guessed, so a plain hash is enough.
const RANDOM_CHARS = 40

/** The prefix of each kind, so that a leaked one is recognised (and blanked in logs). */
const PREFIX = { access: 'bkat_', refresh: 'bkrt_', code: 'bkac_', client: 'bkcs_' } as const
export type SecretKind = keyof typeof PREFIX

/** A new secret, and the hash that is stored in its place. */
export function makeSecret(kind: SecretKind): { text: string; hash: string } {
  const text = PREFIX[kind] + randomText(RANDOM_CHARS)
  return { text, hash: hashToken(text) }
}

/** The hash of a secret of this kind; undefined for text that cannot be one. */
export function hashOf(kind: SecretKind, text: string): string | undefined {
  const isOne = text.length === PREFIX[kind].length + RANDOM_CHARS && text.startsWith(PREFIX[kind])
  return isOne ? hashToken(text) : undefined
}
