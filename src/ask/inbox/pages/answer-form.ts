import { Failure } from '../../../platform/failure.ts'
import { formField } from '../../../platform/web/form.tsx'
import { typedWords } from '../../questions/model/answer.ts'
import { statusAt } from '../../questions/model/lifecycle.ts'
import { GRANT_LENGTHS, type Question } from '../../questions/model/question.ts'
import { isUnseen } from '../../questions/model/shown-whole.ts'
import { VOTE_REFUSALS } from '../../votes/model/refusals.ts'
import { looksDestructive } from '../../wire/danger/destructive.ts'
import type { AnswerDraft } from './answers.tsx'
import { formJson, readFormDraft } from './form-fields.tsx'
import { readScopeDraft } from './scope-form.ts'

/** Reads the answer form of a page. */
export function readAnswerDraft(form: URLSearchParams): AnswerDraft {
  const forSession = form.get('session') === 'yes'
  const grant = GRANT_LENGTHS.find((length) => length === form.get('grant'))
  const values = forSession || grant ? ['yes'] : form.getAll('value').map((value) => value.trim())
  return {
    values: values.filter((value) => value !== ''),
    ...(forSession ? { forSession } : {}),
    ...(grant ? { grant } : {}),
    other: formField(form, 'other'),
    note: formField(form, 'note'),
    scope: readScopeDraft(form),
    fields: readFormDraft(form),
    isEdit: form.get('editing') === 'yes',
  }
}

/** Everything that was chosen or typed. */
function draftValues(draft: AnswerDraft): string[] {
  return [...draft.values, draft.other].filter((value) => value !== '')
}

/** The answer as its question takes it: a list only for several. */
export function draftValue({ detail }: Question, draft: AnswerDraft): string | string[] {
  if (detail.form) return formJson(detail.form, draft.fields ?? {})
  const values = draftValues(draft)
  const [only] = values
  return values.length === 1 && only !== undefined ? only : values
}

/** Returns the words that were typed in a draft. */
export function draftWords(question: Question, draft: AnswerDraft): string[] {
  return typedWords(question, { value: draftValue(question, draft), note: draft.note })
}

/** Returns true for the first yes to something that looks hard to undo. */
export function mustAskTwice(
  question: Question,
  draft: AnswerDraft,
  form: URLSearchParams,
  { now, isTaken }: { now: number; isTaken: boolean },
): boolean {
  if (question.type !== 'confirm' || draft.values[0] !== 'yes' || form.get('sure') === 'yes') {
    return false
  }
  if (isUnseen(question)) return false
  return statusAt(question, now) === 'pending' && (isTaken || looksDestructive(question))
}

/** The draft with what is wrong with the fields of its form. */
export function withWrong(draft: AnswerDraft, { fields }: Failure): AnswerDraft {
  const wrong = fields.map(
    ({ field, must }) => [field.replace(/^(?:value|arguments)\./, ''), `It ${must}.`] as const,
  )
  return { ...draft, wrong: new Map(wrong) }
}

const EXPLAINED: ReadonlySet<string> = new Set([
  ...['invalid_answer', 'forbidden'],
  ...VOTE_REFUSALS.map(({ code }) => code),
])

/**
 * Returns true for errors that the question's page explains, so that people can correct their
 * answer.
 */
export function isRefusedAnswer(error: unknown): error is Failure {
  return error instanceof Failure && EXPLAINED.has(error.code)
}
