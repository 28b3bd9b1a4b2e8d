import { isBridgeId } from '../../wire/bridge-id.ts'
import { contentDigest, digest } from './content.ts'
import type { Question } from './question.ts'

/**
 * How long an id is remembered after the life of its question, in milliseconds. Until then a call
 * with it is a retry; later it asks again.
 */
export const KEY_KEPT_MS = 60 * 60_000

/** The id of a call, and who chose it. */
export type CallName = {
  /** `toolUseId`, `requestId`, or the client's own name of a `propose_scope`. */
  kind: 'tool' | 'request' | 'scope'
  id: string
  /** A hook reports over its own route; calls of tools are a model's. */
  by: 'model' | 'hook'
  /** From a hook: distinguishes the whole call from others, even if it is shown cut. */
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
 * The key under which a retry finds its question, within its workspace. Clients reuse ids, so a
 * call is the same only with the same grant, session, machine and repository, live or test, from a
 * model or from a hook. A hook's key also includes the content: other content under the same id is
 * another question.
 */
export function keyOfCall(of: Keyed, { kind, id, by, call }: CallName): string {
  const place = [of.machineId, of.sessionId, of.repoKey].map((name) => name ?? null)
  const base = `${kind}:${JSON.stringify([by, of.test ? 'test' : 'live', grantOf(of), ...place, id])}`
  if (by === 'model') return base
  return [base, call === undefined ? '-' : digest(call), contentDigest(of)].join('.')
}

/**
 * What authenticated the caller: it stays the same while a connection lasts, whatever is renewed in
 * it.
 */
export function grantOf({ tokenId }: Pick<Question, 'tokenId'>): string {
  return tokenId
}

export function isHookKey(key: string | undefined): boolean {
  return key !== undefined && /^\w+:\["hook",/.test(key)
}

/** A hook's key without its content: all questions about one call share it. */
export function callInKey(key: string): string {
  return key.slice(0, key.lastIndexOf('.'))
}

/** The rewritten form of keys of hooks that were made before keys included content. */
export function keyWithoutContent(key: string): string {
  return key.slice(0, key.lastIndexOf(']') + 1)
}

const ACTION = 'action:'

/** The digest of the action that a question is about: named in the `requestId`, or by a hook. */
export function actionOf({ key, detail }: Pick<Question, 'key' | 'detail'>): string | undefined {
  return actionInKey(key) ?? detail.actionHash
}

/**
 * The digest of the action that a question is about, from a `requestId` of the form `action:HASH` or
 * `action:HASH:ANYTHING`; undefined for every other.
 */
function actionInKey(key: string | undefined): string | undefined {
  const id = requestIdIn(key)
  if (!id?.startsWith(ACTION)) return undefined
  return id.slice(ACTION.length).split(':')[0] || undefined
}

/** Whether the agent itself gave the call no id. */
export function isUnnamed(key: string | undefined): boolean {
  return key === undefined || isBridgeId(requestIdIn(key) ?? '')
}

/** The `requestId` that a model gave; undefined for every other key. */
function requestIdIn(key: string | undefined): string | undefined {
  if (!key?.startsWith('request:["model"')) return undefined
  const id: unknown = (JSON.parse(key.slice('request:'.length)) as unknown[]).at(-1)
  return typeof id === 'string' ? id : undefined
}
