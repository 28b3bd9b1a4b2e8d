import { Failure } from '../../../platform/failure.ts'
import { hasBar } from '../../../platform/redact/bar.ts'
import { readCutMark } from '../../wire/cut-mark.ts'
import { isOfProgram } from './key.ts'
import type { Question } from './question.ts'

type DisplayFields = Pick<Question, 'type' | 'detail'>
type Origin = Pick<Question, 'key' | 'detail'>

/**
 * About how many characters of what a question is about are not stored, so that no page can show
 * them: 0 if all is shown, undefined if it is not known how many.
 */
export function missingOf({ detail }: Pick<Question, 'detail'>): number | undefined {
  const { cut, missing, actionBody } = detail
  if (cut !== undefined && missing === undefined) return undefined
  return (missing ?? 0) + (actionBody === undefined ? 0 : readCutMark(actionBody))
}

/**
 * Returns true if a yes would allow something that nobody can read here. A call through a gate can be
 * shown nowhere else, so a person may allow it in spite of that, on its page.
 */
export function isUnseen(question: DisplayFields): boolean {
  return question.type === 'confirm' && !question.detail.gate && missingOf(question) !== 0
}

/**
 * Returns true if everything that a yes would allow can be read in the question: nothing was cut,
 * and no secret was taken out. Only then may it be allowed without a person (docs/policy.md#rules).
 */
export function isLegible({ question, detail }: Pick<Question, 'question' | 'detail'>): boolean {
  const { action, actionBody, blocker, toolName, toolPath, toolTarget, toolSettings = [] } = detail
  const values = toolSettings.map(({ value }) => value)
  const texts = [question, action, actionBody, blocker, toolName, toolPath, toolTarget, ...values]
  return missingOf({ detail }) === 0 && !texts.some((text = '') => hasBar(text))
}

/** Says what is missing and where it can be approved, for people. */
export function unseenWords(question: Origin): string {
  const missing = missingOf(question)
  const part =
    missing === undefined
      ? 'A part of it is'
      : missing === 1
        ? '1 character is'
        : `About ${missing.toLocaleString('en')} characters are`
  return `${part} not shown here, so this cannot be approved here. ${isOfProgram(question) ? NOWHERE : ELSEWHERE}`
}

const ELSEWHERE =
  'The agent’s own terminal shows all of it: decide there. Or decline it, or stop the agent.'

const NOWHERE = 'Its program can ask with a shorter text. Decline it, or stop the program.'

/** Throws `forbidden` for a yes to what is not shown whole. */
export function refuseUnseen(question: DisplayFields & Origin, value: string): void {
  if (value === 'yes' && isUnseen(question)) throw new Failure('forbidden', unseenWords(question))
}
