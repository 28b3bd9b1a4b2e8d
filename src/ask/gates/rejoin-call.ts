import canonicalize from 'canonicalize'
import type { Db } from '../../platform/db/database.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { AskUserDeps } from '../asking/ask-user.ts'
import { whyDeciderGone } from '../permits/decider-gone.ts'
import { findPermitFor } from '../permits/model/store.ts'
import { readRequirement } from '../policy/decide-by-rule.ts'
import { didNotComeBack } from '../questions/model/came-back.ts'
import { keyOfCall } from '../questions/model/key.ts'
import { findQuestionByKey } from '../questions/model/key-store.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import type { AskDraft, Question } from '../questions/model/question.ts'
import { isSameDemand } from '../votes/model/requirement.ts'
import type { GateCall } from '../wire/gate-fields.ts'

/** For how long a yes that no call waited for lets the same call run, in milliseconds. */
const LATE_YES_MS = 30 * 60_000

/** Names a call, whoever sends it again: its session or its folder, and exactly what it does. */
export function callDigest({ sessionId, cwd }: GateCall, actionHash: string): string {
  const place = sessionId === undefined ? ['folder', cwd ?? null] : ['session', sessionId]
  return sha256(canonicalize(['gate', actionHash, place]) ?? '')
}

/**
 * The question that the same call has asked before and that still stands for it: open, answered yes
 * and not used, or answered while no call waited for it. Otherwise the draft under a key that two
 * calls at once share.
 */
export async function rejoinCall(
  deps: AskUserDeps,
  draft: AskDraft,
  digest: string,
): Promise<{ asked: AskDraft; earlier?: Question }> {
  const { db } = deps
  const wanted = await readRequirement(deps, draft)
  let id = digest
  for (;;) {
    const key = keyOfCall(draft, { kind: 'request', id, by: 'hook' })
    const before = await findQuestionByKey(db.read, draft.workspaceId, key, draft.createdAt)
    if (!before) return { asked: { ...draft, key } }
    // The rules may have changed since: then others have to agree.
    const isOfSame = isSameDemand(before.requirement, wanted)
    if (isOfSame && (await standsFor(db, before, draft.createdAt)))
      return { asked: draft, earlier: before }
    // Each time that it is asked again, its key names the question before.
    id = sha256(`${id} ${before.id}`)
  }
}

/** True while the answer to a question, or the wait for it, counts for the same call again. */
export async function standsFor({ read }: Db, question: Question, now: number): Promise<boolean> {
  const status = statusAt(question, now)
  if (status === 'pending') return true
  if (status === 'answered' && question.value === 'yes') {
    const usableMs = question.requirement?.usableMs ?? LATE_YES_MS
    if (now - (question.endedAt ?? now) > usableMs) return false
    const permit = await findPermitFor(read, question.id)
    if (permit?.consumedAt !== undefined) return false
    // Asking again is the way out that the refused permit names.
    return (await whyDeciderGone(read, question)) === undefined
  }
  return (status === 'answered' || status === 'stopped') && didNotComeBack(question)
}
