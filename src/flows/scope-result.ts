import type { Question } from '../questions/question.ts'
import type { WaitResult } from '../questions/result-fields.ts'

type ScopeSaid = Pick<WaitResult, 'ratified' | 'contract' | 'enforces' | 'enforcementNote'>

/** What a scope question says beside its outcome; nothing for any other question. */
export function scopeResult(question: Question, answered: boolean): ScopeSaid {
  const { contract } = question.detail
  if (!contract) return {}
  const ratified = answered && question.value === 'yes'
  const enforces = (['allowedPaths', 'offLimitsPaths'] as const).filter(
    (part) => contract[part].length > 0,
  )
  return {
    ...(answered ? { ratified } : {}),
    contract,
    enforces,
    enforcementNote:
      'No hook has reported this session, so nothing checks these paths: the boundary rests on you. Promises are never checked.',
  }
}
