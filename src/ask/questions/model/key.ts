import { contentDigest, digest } from './content.ts'
import type { Question } from './question.ts'

/**
 * How long an id is remembered after the life of its question, in milliseconds: as long as that, a
 * call under it is a retry; later it asks again.
 */
export const KEY_KEPT_MS = 60 * 60_000

/** What a call is named by, and who names it. */
export type CallName = {
  /** `toolUseId`, `requestId`, or the client's own name of a `propose_scope`. */
  kind: 'tool' | 'request' | 'scope'
  id: string
  /** A hook reports over its own route; whatever comes as a tool or a question is a model's. */
  by: 'model' | 'hook'
  /** From a hook: what tells the whole call from another, also where it is shown cut. */
  call?: string | undefined
}

type Keyed = Pick<
  Question,
  | 'tokenId'
  | 'machineId'
  | 'sessionId'
  | 'repoKey'
  | 'test'
  | 'type'
  | 'question'
  | 'choices'
  | 'detail'
>

/**
 * Under which a question is found again by a retry of its call, within its workspace. Clients repeat
 * their ids, so that a call is the same one only with the same grant, from the same session, machine
 * and repository, live or test, by a model or by a hook. A hook's also has the content: what it asks
 * anew under an id is another question.
 */
export function keyOfCall(of: Keyed, { kind, id, by, call }: CallName): string {
  const place = [of.machineId, of.sessionId, of.repoKey].map((name) => name ?? null)
  const base = `${kind}:${JSON.stringify([by, of.test ? 'test' : 'live', grantOf(of), ...place, id])}`
  if (by === 'model') return base
  return [base, call === undefined ? '-' : digest(call), contentDigest(of)].join('.')
}

/** What a caller was let in by: stays the same while a connection lasts, whatever is renewed in it. */
export function grantOf({ tokenId }: Pick<Question, 'tokenId'>): string {
  return tokenId
}

export function isHookKey(key: string | undefined): boolean {
  return key !== undefined && /^\w+:\["hook",/.test(key)
}

/** A hook's key without its content: all questions about one call have it in common. */
export function callInKey(key: string): string {
  return key.slice(0, key.lastIndexOf('.'))
}

/** The key as keys of hooks were rewritten that were made before they had a content. */
export function keyWithoutContent(key: string): string {
  return key.slice(0, key.lastIndexOf(']') + 1)
}
