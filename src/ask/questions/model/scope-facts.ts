import type { Read } from '../../../platform/db/database.ts'
import { findToken } from '../../accounts/model/token-store.ts'
import type { Ratified, Widening } from '../../scopes/model/contract.ts'
import { type Hook, isHere, silentHook } from '../../scopes/model/hook.ts'
import { findHooks } from '../../scopes/model/hook-store.ts'
import { findContract, findInForce, findWidening } from '../../scopes/model/store.ts'
import { exactPath, isOffLimits } from '../../scopes/model/widen.ts'
import type { Question } from './question.ts'

/** The facts that results about a scope question need besides the question. */
export type ScopeFacts = {
  /** The agreed contract; undefined without one. */
  ratified: Ratified | undefined
  /** The contract of its session that holds now: this one, a later one, or none. */
  inForce: Ratified | undefined
  /** The hooks of the session that count as present, the latest first. */
  hooks: Hook[]
  /** Set if the session continued without its hook. */
  silent: Hook | undefined
}

/** Only for a scope question; undefined for any other. */
export async function readScopeFacts(
  read: Read,
  question: Question,
  now: number,
): Promise<ScopeFacts | undefined> {
  const { id, workspaceId, sessionId, origin, test } = question
  if (origin !== 'scope') return undefined
  const key = sessionId === undefined ? undefined : { workspaceId, sessionId, test }
  const hooks = key ? await findHooks(read, workspaceId, key.sessionId) : []
  const here = hooks.filter((hook) => isHere(hook, now))
  return {
    ratified: await findContract(read, workspaceId, id),
    inForce: key && (await findInForce(read, key, now)),
    hooks: test ? here : await ofRealTokens(read, here),
    silent: silentHook(hooks, now),
  }
}

/** A hook with a test token does not enforce what a person agreed to. */
async function ofRealTokens(read: Read, hooks: Hook[]): Promise<Hook[]> {
  const tests = await Promise.all(
    hooks.map(async ({ tokenId }) => tokenId && (await findToken(read, tokenId))?.test),
  )
  return hooks.filter((_, at) => !tests[at])
}

/** Why a yes added nothing; `stays`: the path stays closed, whatever the person answered. */
type Refused = { why: string; stays: boolean }

/** The result of a yes to a path; undefined if there was no such yes. */
export async function readWidening(
  read: Read,
  question: Question,
): Promise<{ added: Widening } | { refused: Refused } | undefined> {
  const { id, workspaceId, sessionId, test, status, value, detail, endedAt } = question
  if (detail.scopePath === undefined || status !== 'answered' || value !== 'yes') return undefined
  const added = await findWidening(read, id)
  if (added) return { added }
  if (sessionId === undefined || endedAt === undefined)
    return { refused: { why: NO_SESSION, stays: false } }
  const contract = await findInForce(read, { workspaceId, sessionId, test }, endedAt)
  if (!contract) return { refused: { why: NOTHING_HELD, stays: false } }
  const path = exactPath(detail.scopePath)
  const why = path !== undefined && isOffLimits(contract, path) ? OFF_LIMITS : NOT_A_PATH
  return { refused: { why, stays: true } }
}

const NO_SESSION =
  'The person said yes, but the question named no session, so no scope was widened.'
const NOTHING_HELD =
  'The person said yes; no scope held for this session, so there was nothing to widen.'
const OFF_LIMITS =
  'The person said yes, but this path is off limits in the agreed scope, and off limits wins: it stays closed. Do not write there; propose a new scope with propose_scope if it is needed.'
const NOT_A_PATH =
  'The person said yes, but scopePath is not one path inside or outside the project, so no scope was widened.'

/** Explains to the agent a yes that added nothing. */
export async function whyNotWidened(read: Read, question: Question): Promise<string | undefined> {
  const widening = await readWidening(read, question)
  return widening && 'refused' in widening ? widening.refused.why : undefined
}
