import type { Db } from '../../platform/db/database.ts'
import {
  callInKey,
  isSameCall,
  KEY_KEPT_MS,
  keyWithoutContent,
  sameContent,
} from '../questions/model/key.ts'
import { findQuestionByKey, listChecks } from '../questions/model/key-store.ts'
import type { AskDraft, Question } from '../questions/model/question.ts'
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
