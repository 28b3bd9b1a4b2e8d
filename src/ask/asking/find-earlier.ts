import type { Db } from '../../platform/db/database.ts'
import { whyDeciderGone } from '../permits/decider-gone.ts'
import { findPermitFor } from '../permits/model/store.ts'
import {
  callInKey,
  isSameCall,
  KEY_KEPT_MS,
  keyWithoutContent,
  sameContent,
} from '../questions/model/key.ts'
import { findQuestionByKey, listChecks, listDecidable } from '../questions/model/key-store.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import type { AskDraft, Question } from '../questions/model/question.ts'
import { isSameDemand, type Requirement } from '../votes/model/requirement.ts'
import { WINDOW_MS } from '../wire/limits.ts'

// Few calls of one session run at the same time.
const CHECKS_MAX = 50

/**
 * The question that a hook's request repeats: one with the same key, or about the same call. A path
 * outside the scope (`check`) and the client's own prompt for the same call are one tap: the
 * question about the path shows the whole call, so its answer also answers the prompt. Never the
 * other way round, as a prompt does not say that a path is outside.
 */
export async function findEarlier(
  { db }: { db: Db },
  draft: AskDraft,
  hasScope: boolean,
): Promise<Question | undefined> {
  const { workspaceId, key, createdAt: now } = draft
  if (key === undefined) return undefined
  const repeated = await findQuestionByKey(db.read, workspaceId, key, now)
  if (repeated) return repeated
  const old = await findQuestionByKey(db.read, workspaceId, keyWithoutContent(key), now)
  if (old && sameContent(old, draft)) return old
  return hasScope && draft.detail.scopePath === undefined ? checkOf(db, draft, key) : undefined
}

async function checkOf(db: Db, draft: AskDraft, key: string): Promise<Question | undefined> {
  const since = draft.createdAt - KEY_KEPT_MS - WINDOW_MS
  const checks = await listChecks(db.read, draft, since, CHECKS_MAX)
  const call = callInKey(key)
  return checks.find(
    (check) => check.key !== undefined && callInKey(check.key) === call && isSameCall(check, draft),
  )
}

/** What an earlier call of the same action left behind. */
export type Decidable = {
  earlier?: Question | undefined
  /** Why an approval that was given does not count any more. */
  gone?: string | undefined
}

/**
 * The question that certain people decide about the same call, asked under another id: open, or
 * approved a short while ago and not used yet. A retry of the call joins it, so that a decision
 * outlives the call that asked for it. `wanted`: who has to agree by the rules as they are now.
 */
export async function findDecidable(
  { db }: { db: Db },
  draft: AskDraft,
  wanted: Requirement,
): Promise<Decidable> {
  if (draft.detail.actionHash === undefined) return {}
  const since = draft.createdAt - LONGEST_MS
  let gone: string | undefined
  for (const question of await listDecidable(db.read, draft, since, CHECKS_MAX)) {
    if (!isSameAction(question, draft) || !(await isUnused(db, question, draft.createdAt))) continue
    if (!isSameDemand(question.requirement, wanted)) {
      gone ??= CHANGED
      continue
    }
    const isOpen = statusAt(question, draft.createdAt) === 'pending'
    const why = isOpen ? undefined : await whyDeciderGone(db.read, question)
    if (why === undefined) return { earlier: question }
    gone ??= why
  }
  return { gone }
}

const CHANGED = 'Who has to agree was changed since'

// A question that people decide lives for a week at most, and its yes for a day.
const LONGEST_MS = 8 * 24 * 60 * 60_000

function isSameAction({ detail, machineId }: Question, draft: AskDraft): boolean {
  const { actionHash, toolName, exact } = draft.detail
  return (
    detail.actionHash === actionHash &&
    detail.toolName === toolName &&
    machineId === draft.machineId &&
    detail.exact?.cwd === exact?.cwd &&
    detail.scopePath === draft.detail.scopePath
  )
}

/** Open, or approved and neither used nor too old. */
async function isUnused(db: Db, question: Question, now: number): Promise<boolean> {
  const { requirement, value, endedAt = now } = question
  const status = statusAt(question, now)
  if (status === 'pending') return true
  if (status !== 'answered' || value !== 'yes' || !requirement) return false
  if (now - endedAt > requirement.usableMs) return false
  return (await findPermitFor(db.read, question.id))?.consumedAt === undefined
}
