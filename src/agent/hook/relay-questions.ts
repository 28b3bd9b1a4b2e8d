import { STOPPED } from '../../ask/wire/refusal-words.ts'
import { cleanLine, codePoints } from '../../platform/text.ts'
import { SILENT, type Verdict } from '../calls/tool-call.ts'
import type { HookContext } from '../session/context.ts'
import { commonFields } from './approval-ask.ts'
import { askPhone, unansweredWords } from './relay-ask.ts'
import { idOfCall, keyOf } from './relay-key.ts'

const QUESTIONS_MAX = 4
const QUESTION_MAX = 500
const HEADER_MAX = 40
const LABEL_MAX = 100
const DESCRIPTION_MAX = 500

type Option = { label: string; description?: string }
type AgentQuestion = { question: string; header?: string; multiSelect: boolean; options: Option[] }

/**
 * Asks the questions of a session one after the other. The answers are returned only when all are
 * there, because the client reads a missing answer as an empty one.
 */
export async function relayQuestions(context: HookContext): Promise<Verdict> {
  const questionList = readQuestions(context.call.questions)
  if (!questionList) return SILENT
  const toolUseId = idOfCall(context)
  const answers: Record<string, string> = {}
  for (const [at, one] of questionList.entries()) {
    const several = questionList.length > 1
    const ask = {
      question: one.question,
      ...(several ? { context: `Question ${at + 1} of ${questionList.length}.` } : {}),
      questions: [{ ...one, allowOther: true }],
      ...commonFields(context),
      ...keyOf(context.call, toolUseId, several ? at : undefined),
    }
    const answer = await askPhone(context, ask, toolUseId)
    if (answer.is === 'stopped') return { is: 'deny', reason: STOPPED, interrupt: true }
    if (answer.is === 'unanswered') return { is: 'deny', reason: unansweredWords(answer) }
    if (answer.is !== 'answered') return SILENT
    answers[one.question] = answerOf(one, answer.value, answer.note)
  }
  const { questions } = context.call
  return { is: 'allow', updatedInput: { questions, answers } }
}

/**
 * Undefined for a question that a phone cannot show whole, or whose answers could not be told
 * apart.
 */
function readQuestions(input: unknown): AgentQuestion[] | undefined {
  if (!Array.isArray(input) || input.length === 0 || input.length > QUESTIONS_MAX) return undefined
  const questions = input.map(readQuestion)
  if (!questions.every((one) => one !== undefined)) return undefined
  const texts = new Set(questions.map(({ question }) => question))
  return texts.size === questions.length ? questions : undefined
}

function readQuestion(input: unknown): AgentQuestion | undefined {
  const { question, header, multiSelect, options } = (input ?? {}) as Record<string, unknown>
  if (!isText(question, QUESTION_MAX) || !Array.isArray(options)) return undefined
  if (header !== undefined && !(typeof header === 'string' && fits(header, HEADER_MAX))) {
    return undefined
  }
  const read = options.map(readOption)
  if (!read.every((one) => one !== undefined) || read.length < 2 || read.length > 4)
    return undefined
  const labels = new Set(read.map(({ label }) => cleanLine(label)))
  if (labels.size < read.length) return undefined
  return {
    question,
    ...(header ? { header } : {}),
    multiSelect: multiSelect === true,
    options: read,
  }
}

function readOption(input: unknown): Option | undefined {
  const { label, description } = (input ?? {}) as Record<string, unknown>
  if (!isText(label, LABEL_MAX)) return undefined
  if (typeof description !== 'string' || description === '') return { label }
  return fits(description, DESCRIPTION_MAX) ? { label, description } : undefined
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && cleanLine(value) !== '' && fits(value, most)
}

function fits(text: string, most: number): boolean {
  return codePoints(text) <= most
}

/** As the client itself writes it: the label, several separated by a comma. */
function answerOf(
  { options, multiSelect }: AgentQuestion,
  value: string,
  note: string | undefined,
) {
  const label = (text: string) =>
    options.find((option) => cleanLine(option.label) === text)?.label ?? text
  const parts = multiSelect && value.includes('\n') ? value.split('\n') : [value]
  const answer = parts.map(label).join(', ')
  return note ? `${answer} (note: ${note})` : answer
}
