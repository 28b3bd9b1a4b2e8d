import { answerByYes } from '../answering/answer-by-rule.ts'
import type { AskUserDeps } from '../asking/ask-user.ts'
import { findPermitFor } from '../permits/model/store.ts'
import { readRequirement } from '../policy/decide-by-rule.ts'
import { callIdInKey, isHookKey } from '../questions/model/key.ts'
import { findQuestionByKey, listAnswered } from '../questions/model/key-store.ts'
import type { AskDraft, Question } from '../questions/model/question.ts'
import { isSameDemand } from '../votes/model/requirement.ts'
import type { GateCall } from '../wire/gate-fields.ts'
import { WINDOW_MS } from '../wire/limits.ts'
import { standsFor } from './rejoin-call.ts'

/** How long after a hook let its call go the gate may see that call, in milliseconds. */
const NAMED_MS = 60_000
/** The same where the client does not name the call. */
const UNNAMED_MS = 10_000
// A client has few calls under way.
const YES_MAX = 50

/**
 * The question about this call that a person's yes to its hook has answered: that yes holds for exactly
 * this call, once. Undefined if it is not certain that it is this call, or if the person could not see
 * there what is shown here: a tool that has changed, or a call that was cut.
 */
export async function yesOfHook(
  deps: AskUserDeps,
  draft: AskDraft,
  held: GateCall,
): Promise<Question | undefined> {
  const { gate } = draft.detail
  const isClear = gate && !gate.cut && (gate.state === 'same' || gate.state === 'new')
  if (!held.atHook || !isClear || gate.fingerprint !== held.fingerprint) return undefined
  const since = draft.createdAt - WINDOW_MS - NAMED_MS
  const answered = await listAnswered(deps.db.read, draft, since, YES_MAX)
  const candidates = answered.filter((question) => isYesOfHook(question, draft, held))
  if (candidates.length === 0) return undefined
  const wanted = await readRequirement(deps, draft)
  for (const candidate of candidates.reverse()) {
    // The same people have agreed, or one person where no rule names any.
    if (!isSameDemand(candidate.requirement, wanted)) continue
    if (!(await hasJustLetGo(deps, candidate, draft, held))) continue
    const key = JSON.stringify(['hook', 'after', candidate.id])
    await answerByYes(deps, { ...draft, key: `request:${key}` }, candidate)
    const question = await findOwn(deps, draft, `request:${key}`)
    if (question) return question
  }
  return undefined
}

/** What the yes has answered, as long as no call was made by it. */
async function findOwn(
  { db }: AskUserDeps,
  { workspaceId, createdAt, detail }: AskDraft,
  key: string,
): Promise<Question | undefined> {
  const question = await findQuestionByKey(db.read, workspaceId, key, createdAt)
  const isSame = question?.detail.actionHash === detail.actionHash
  return question && isSame && (await standsFor(db, question, createdAt)) ? question : undefined
}

/** Returns true if a person said yes, themselves, to a hook about the same call of the same client. */
function isYesOfHook(question: Question, draft: AskDraft, { atHook, cwd }: GateCall): boolean {
  const { type, value, test, machineId, sessionId, detail } = question
  const { byRule, byGrant, cut, actionHash, gate } = detail
  if (type !== 'confirm' || value !== 'yes' || gate) return false
  if (byRule || byGrant || cut || !isHookKey(question.key)) return false
  if (actionHash !== atHook?.actionHash || test !== draft.test) return false
  if (draft.machineId !== undefined && machineId !== draft.machineId) return false
  if (atHook?.toolUseId !== undefined) return callIdInKey(question.key) === atHook.toolUseId
  if (draft.machineId === undefined) return false
  if (draft.sessionId !== undefined) return sessionId === draft.sessionId
  return cwd !== undefined && detail.exact?.cwd === cwd
}

/** Returns true if the hook used the yes a moment ago, and the call has not ended since. */
async function hasJustLetGo(
  { db }: AskUserDeps,
  { id }: Question,
  { createdAt }: AskDraft,
  { atHook }: GateCall,
): Promise<boolean> {
  const permit = await findPermitFor(db.read, id)
  if (permit?.consumedAt === undefined || permit.outcome !== undefined) return false
  const mostMs = atHook?.toolUseId === undefined ? UNNAMED_MS : NAMED_MS
  return createdAt - permit.consumedAt <= mostMs
}
