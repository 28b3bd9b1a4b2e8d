import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Viewer } from '../accounts/model/person.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import type { Question } from '../questions/model/question.ts'
import { findQuestion, listSessionQuestions } from '../questions/model/store.ts'
import { whoEnded } from '../questions/who-ended.ts'
import type { Ratified, Widening } from '../scopes/model/contract.ts'
import { type Hook, isHere, silentHook } from '../scopes/model/hook.ts'
import { findHooks } from '../scopes/model/hook-store.ts'
import { listContracts, listWidenings } from '../scopes/model/store.ts'

export type ScopeState =
  | { is: 'in_force' }
  | { is: 'superseded' | 'over' | 'declined'; at: number }
  /** Not decided yet, or it can no longer be decided. */
  | { is: 'open' | 'undecided' }

/** A scope that was proposed, and its outcome. */
export type ProposedScope = {
  question: Question
  state: ScopeState
  ratified: Ratified | undefined
  who: string | undefined
  widened: { path: string; at: number; who: string | undefined }[]
}

export type ScopeHistory = {
  scopes: ProposedScope[]
  /** The hooks that are present, the latest first. */
  hooks: Hook[]
  /** Set if the session continues without its hook. */
  silent: Hook | undefined
  /** The hook that reported the end of the session last; undefined while one is present. */
  ended: Hook | undefined
}

// A session has a few; older ones are in the activity.
const SCOPES_MAX = 20

/** The scopes of a session, newest first, and the hooks that enforce them. */
export async function readScopeHistory(
  { db, clock }: { db: Db; clock: Clock },
  viewer: Viewer,
  sessionId: string,
): Promise<ScopeHistory> {
  const { workspaceId } = viewer
  const now = clock.now()
  const key = { workspaceId, sessionId, test: false }
  const [questions, contracts, hooks] = await Promise.all([
    listSessionQuestions(db.read, viewer, sessionId, { origin: 'scope', limit: SCOPES_MAX }),
    listContracts(db.read, key, SCOPES_MAX),
    findHooks(db.read, workspaceId, sessionId),
  ])
  const ids = contracts.map(({ questionId }) => questionId)
  const widenings = Map.groupBy(await listWidenings(db.read, ids), (one) => one.contractId)
  const scopes = questions.map(async (question): Promise<ProposedScope> => {
    const at = contracts.findIndex(({ questionId }) => questionId === question.id)
    const added = (widenings.get(question.id) ?? []).map((one) => withPerson({ db }, one))
    return {
      question,
      ratified: contracts[at],
      state: stateOf(question, contracts[at], contracts[at - 1], now),
      who: await whoEnded({ db }, question),
      widened: await Promise.all(added),
    }
  })
  const present = hooks.filter((hook) => isHere(hook, now))
  return {
    scopes: await Promise.all(scopes),
    hooks: present,
    silent: silentHook(hooks, now),
    ended: present.length > 0 ? undefined : hooks.find(({ endedAt }) => endedAt !== undefined),
  }
}

function stateOf(
  question: Question,
  ratified: Ratified | undefined,
  next: Ratified | undefined,
  now: number,
): ScopeState {
  if (!ratified) {
    const status = statusAt(question, now)
    if (status === 'pending') return { is: 'open' }
    const at = question.endedAt
    return status === 'answered' && at !== undefined ? { is: 'declined', at } : { is: 'undecided' }
  }
  if (next && next.ratifiedAt < ratified.expiresAt) return { is: 'superseded', at: next.ratifiedAt }
  return ratified.expiresAt > now ? { is: 'in_force' } : { is: 'over', at: ratified.expiresAt }
}

async function withPerson({ db }: { db: Db }, { workspaceId, questionId, path, at }: Widening) {
  const question = await findQuestion(db.read, workspaceId, questionId)
  return { path, at, who: question && (await whoEnded({ db }, question)) }
}
