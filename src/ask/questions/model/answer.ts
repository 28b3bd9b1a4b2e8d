import { Failure } from '../../../platform/failure.ts'
import { cleanText, codePoints, cutText } from '../../../platform/text.ts'
import { looksDestructive } from '../../wire/danger/destructive.ts'
import { formLines, readFormAnswer } from './form-answer.ts'
import { ANSWER_MAX, NOTE_MAX, type Question, type QuestionDetail } from './question.ts'
import { isReadWhole } from './reading.ts'
import { isUnseen } from './shown-whole.ts'

// The separator that agent clients themselves put between several answers.
const BETWEEN_SEVERAL = ', '
// Used if a comma could be part of an answer: options have no line breaks.
const BETWEEN_LINES = '\n'

export type Answerable = Pick<Question, 'type' | 'choices' | 'detail'>

/**
 * The value as it is stored and returned to the agent: `yes` or `no`, the chosen labels, or the
 * text. Throws `invalid_answer` naming what would be accepted.
 */
export function readAnswer(question: Answerable, value: string | string[]): string {
  if (question.type === 'confirm') return readConfirm(question, value)
  if (question.detail.form) return readFormAnswer(question.detail.form, value)
  const values = [value].flat().map((one) => cleanText(one).trim())
  if (values.length === 0 || values.includes('')) throw refuse('The answer is empty.', question)
  if (values.some((one) => codePoints(one) > ANSWER_MAX && !isChoice(question, one))) {
    throw refuse(`The answer is longer than ${ANSWER_MAX} characters.`, question)
  }
  if (values.length > 1 && !question.detail.multiSelect) {
    throw refuse('Only one answer can be given.', question)
  }
  const unknown = values.find((one) => !accepts(question, one))
  if (unknown !== undefined) {
    throw refuse(`"${cutText(unknown, 100)}" is not one of the answers.`, question)
  }
  return question.detail.multiSelect ? joined(question, values) : (values[0] ?? '')
}

/** Exactly one of the two words: a yes lets something happen, so nothing else is taken for one. */
function readConfirm(question: Answerable, value: string | string[]): string {
  if (value === 'yes' || value === 'no') return value
  const answers = [value].flat().map((one) => cleanText(one).trim())
  if (answers.length === 0 || answers.includes('')) throw refuse('The answer is empty.', question)
  if (answers.length > 1) throw refuse('Only one answer can be given.', question)
  throw refuse(`${cutText(JSON.stringify(value), 100)} is not one of the answers.`, question)
}

/** Several answers as the single string of the result. */
function joined({ choices }: Answerable, values: string[]): string {
  // Free text may have several lines; as one of several answers it is put on one.
  const answers = [...new Set(values.map((one) => one.replace(/\s*\n\s*/g, ' ')))]
  const all = [...choices.map(({ label }) => label), ...answers]
  const comma = all.some((one) => one.includes(','))
  return answers.join(comma ? BETWEEN_LINES : BETWEEN_SEVERAL)
}

/** Returns true if each answer is on its own line, because a comma could be part of one. */
export function isOnePerLine({ detail }: Pick<Question, 'detail'>, value: string): boolean {
  return detail.multiSelect === true && value.includes(BETWEEN_LINES)
}

/** Each of the answers in a stored value. */
export function answersIn(question: Answerable, value: string): string[] {
  if (!question.detail.multiSelect) return [value]
  const lines =
    isOnePerLine(question, value) || question.choices.some(({ label }) => label.includes(','))
  return value.split(lines ? BETWEEN_LINES : BETWEEN_SEVERAL)
}

/**
 * Returns the words that a person typed in an answer, in the order of the form; empty if they only
 * chose.
 */
export function typedWords(
  question: Answerable,
  { value, note }: { value: string | string[]; note?: string | null | undefined },
): string[] {
  const { form } = question.detail
  const values = [value]
    .flat()
    .flatMap((one) => (form ? formLines(form, one).map(words) : answersIn(question, one)))
  const typed = question.type === 'confirm' ? [] : values.filter((one) => !isChoice(question, one))
  return [...typed, note ?? ''].filter((one) => one !== '')
}

function words({ label, text }: { label: string; text: string }): string {
  return `${label}: ${text}`
}

/**
 * The note as it is stored; undefined if it is missing or blank. Throws `invalid_answer` if it is
 * too long.
 */
export function readNote(note: string | undefined): string | undefined {
  const clean = cleanText(note ?? '').trim()
  if (codePoints(clean) > NOTE_MAX) {
    throw new Failure('invalid_answer', `The note is longer than ${NOTE_MAX} characters.`, {
      fields: [{ field: 'note', must: `must have at most ${NOTE_MAX} characters` }],
    })
  }
  return clean === '' ? undefined : clean
}

function isChoice({ choices }: Answerable, value: string): boolean {
  return choices.some(({ label }) => label === value)
}

function accepts(question: Answerable, value: string): boolean {
  return question.type === 'input' || question.detail.allowOther || isChoice(question, value)
}

function refuse(what: string, question: Answerable): Failure {
  const must = mustBe(question)
  return new Failure('invalid_answer', `${what} It ${must}.`, {
    fields: [{ field: 'value', must }],
  })
}

function mustBe({ type, choices, detail }: Answerable): string {
  if (type === 'input') return `must be text of 1 to ${ANSWER_MAX} characters`
  if (type === 'confirm') return 'must be "yes" or "no"'
  const labels = choices.map(({ label }) => JSON.stringify(label)).join(', ')
  if (detail.allowOther) return `must be one of ${labels}, or text of its own`
  return detail.multiSelect ? `must be one or more of ${labels}` : `must be one of ${labels}`
}

/**
 * Returns true if a yes may be given for the rest of the session: the client supports it and says
 * what it would allow, and the question is shown whole and does not look hard to undo.
 */
export function offersSession(question: Pick<Question, 'type' | 'question' | 'detail'>): boolean {
  const { sessionAllows = [] } = question.detail
  if (question.type !== 'confirm' || sessionAllows.length === 0) return false
  return !looksDestructive(question) && !isUnseen(question) && isReadWhole(question)
}

/**
 * The detail of a question that was answered with yes for the whole session; undefined for any
 * other answer. Throws `invalid_answer` if that was not offered.
 */
export function readForSession(
  question: Pick<Question, 'type' | 'question' | 'detail'>,
  value: string,
  forSession: boolean | undefined,
): QuestionDetail | undefined {
  if (!forSession) return undefined
  if (value === 'yes' && offersSession(question)) return { forSession: true }
  throw new Failure('invalid_answer', 'This cannot be approved for the whole session.', {
    fields: [{ field: 'forSession', must: 'must be left out' }],
  })
}
