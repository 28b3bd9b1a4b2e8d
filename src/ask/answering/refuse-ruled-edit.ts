import type { Read } from '../../platform/db/database.ts'
import { isEnforced } from '../policy/model/rule.ts'
import { listRules } from '../policy/model/store.ts'
import { readApprovers } from '../policy/requirement.ts'
import { asEdited, refuseArguments } from '../questions/model/edit.ts'
import type { Question, Values } from '../questions/model/question.ts'
import { isSameDemand } from '../votes/model/requirement.ts'

/**
 * Throws `invalid_answer` if a rule may ask others about the call with these arguments than about the
 * call as it was asked: whoever may answer that decides nothing about this.
 */
export async function refuseRuledEdit(
  read: Read,
  question: Question,
  edited: Values,
): Promise<void> {
  const rules = (await listRules(read, question.workspaceId)).filter(isEnforced)
  for (const draft of changedCalls(question, edited)) {
    const wanted = (await readApprovers(read, rules, draft))?.requirement
    if (wanted && !isSameDemand(wanted, question.requirement)) throw refuseArguments(OTHERS_DECIDE)
  }
}

const OTHERS_DECIDE =
  'A rule may say who decides about them. Say no with a note, so that the call is asked about anew.'

/** The call with the target that it may then have: only its program knows how it makes one. */
function changedCalls(question: Question, edited: Values): Question[] {
  const { toolName = '', toolTarget, edit } = question.detail
  const changed = asEdited(question, edited)
  if (toolTarget === undefined) return [changed]
  const { reading: _, ...detail } = changed.detail
  const action = `${toolName} ${detail.actionBody ?? ''}`
  const pairs = Object.entries(edited).flatMap(([name, after]) =>
    textsOf(after).map((text) => [textsOf(edit?.values[name]).at(-1) ?? '', text] as const),
  )
  const all = pairs.reduce(withText, toolTarget)
  const targets = pairs.flatMap((pair) => [pair[1], withText(toolTarget, pair)])
  return [...new Set([toolTarget, all, ...targets])].map((target) => ({
    ...changed,
    detail: { ...detail, action, toolTarget: target },
  }))
}

function withText(target: string, [before, after]: readonly [string, string]): string {
  return before === '' ? target : target.replaceAll(before, () => after)
}

/** What of a value may stand in a target: each part, and all of them, as words. */
function textsOf(value: unknown): string[] {
  const parts = [value].flat().filter((one) => one !== undefined && one !== null)
  const texts = parts.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  return [...new Set([...texts, texts.join(' ')])]
}
