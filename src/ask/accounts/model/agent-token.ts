import type { WrongField } from '../../../platform/failure.ts'
import { type PersonId, randomText, type TokenId, type WorkspaceId } from '../../../platform/ids.ts'
import { codePoints } from '../../../platform/text.ts'

/** What a person agreed to when they allowed a client. */
export type Connection = {
  /** The host that the client is known by; null for one that only says a name. */
  host: string | null
  /** Where sign-ins lead back to: a host, or the scheme of an app. */
  returnsTo: string
  /** What it may do. */
  scopes: string[]
  /** The client as it was then: after a change people are asked again. */
  agreedTo: string
}

/** An agent token as it may be shown: everything but the token itself. */
export type AgentToken = {
  id: TokenId
  workspaceId: WorkspaceId
  name: string
  /** The last four characters, to tell tokens apart. */
  tail: string
  test: boolean
  createdAt: number
  createdBy: PersonId | null
  revokedAt: number | null
  lastUsedAt: number | null
  lastUsedFrom: string | null
  lastUsedClient: string | null
  /** Set for a client that a person allowed by signing in. */
  clientId: string | null
  connection: Connection | null
}

// 200 random bits cannot be guessed, so a plain hash is enough.
const RANDOM_CHARS = 40
const TAIL_CHARS = 4
const NAME_MAX = 100
const TOKEN = /^bk_[0-9A-Za-z]{32,128}$/

/** A new token; it is shown once and only its hash is kept. */
export function makeToken(): { token: string; hash: string; tail: string } {
  const token = `bk_${randomText(RANDOM_CHARS)}`
  return { token, hash: hashToken(token), tail: token.slice(-TAIL_CHARS) }
}

/** SHA-256, hex: how a token or a one-time key is stored. */
export function hashToken(token: string): string {
  return Bun.CryptoHasher.hash('sha256', token, 'hex')
}

export function looksLikeToken(text: string): boolean {
  return TOKEN.test(text)
}

/** Whether a text, such as an address, contains a token or a secret of a sign-in anywhere. */
export function holdsToken(text: string): boolean {
  return /bk(at|rt|ac|cs)?_[0-9A-Za-z]{32}/.test(text)
}

export function wrongTokenName(name: string): WrongField[] {
  if (name === '') return [{ field: 'name', must: 'must not be empty' }]
  if (codePoints(name) <= NAME_MAX) return []
  return [{ field: 'name', must: `must have at most ${NAME_MAX} characters` }]
}
