import { readForm as readAnswer } from '../../../packages/js/src/form.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Fields } from '../../platform/mcp/message.ts'
import type { HoldEnd } from './decider.ts'
import { type FieldQuestion, type Form, type FormField, readForm } from './elicitation-form.ts'

/** What a server is answered; `reason`: why nobody could be asked. */
export type FormAnswer =
  | { action: 'accept'; content: Fields }
  | { action: 'decline' | 'cancel'; reason?: string }

type FormWays = {
  /** The name of the server. */
  name: string
  clock: Clock
  /** When nobody waits for the answer any more, on `clock.elapsed`. */
  until: number
  /** Asks a person; resolves once that is over. */
  ask(question: FieldQuestion, holdMs: number): Promise<HoldEnd>
}

type Ask = (question: FieldQuestion) => Promise<HoldEnd>

const ANSWER = 'Answer'
const ACCEPT = 'Accept'
const DECLINE = 'Decline'
const CANCEL = 'Cancel'
const QUESTION_MAX = 500
// A person who writes no value of a field so often will not write one.
const TRIES = 3

/** Puts the form of an `elicitation/create` request to a person. */
export async function answerForm(params: Fields, ways: FormWays): Promise<FormAnswer> {
  const form = readForm(params)
  if (typeof form === 'string') return { action: 'decline', reason: form }
  const { clock, name, until } = ways
  const question = `${name} asks: ${form.message}`
  if ([...question].length > QUESTION_MAX)
    return { action: 'decline', reason: 'its words are too long to be shown whole' }
  const ask = async (next: FieldQuestion): Promise<HoldEnd> => {
    const left = until - clock.elapsed()
    return left > 0 ? await ways.ask(next, left) : { is: 'over' }
  }
  const first = await ask(firstQuestion(question, form))
  const choice = answerIn(first)
  if (choice === DECLINE) return { action: 'decline' }
  if (choice !== ANSWER && choice !== ACCEPT) return { action: 'cancel', ...reasonOf(first) }
  return await fill(form, question, ask)
}

/** Asks for all fields on one page; where that cannot be, for one after the other. */
async function fill({ schema, fields }: Form, question: string, ask: Ask): Promise<FormAnswer> {
  const filled = schema && (await ask({ question, schema }))
  const content = filled && schema && readAnswer(schema, answerIn(filled))
  if (content) return { action: 'accept', content }
  // An older server has no forms.
  if (!fields || (filled && filled.is !== 'unheard')) {
    return { action: 'cancel', ...(filled ? reasonOf(filled) : {}) }
  }
  return await fillEach(fields, ask)
}

async function fillEach(fields: readonly FormField[], ask: Ask): Promise<FormAnswer> {
  const content: Fields = {}
  for (const field of fields) {
    const value = await askField(field, ask)
    if (value === undefined) return { action: 'cancel' }
    if (value.is === 'value') content[field.name] = value.value
  }
  return { action: 'accept', content }
}

function firstQuestion(question: string, { titles }: Form): FieldQuestion {
  const names = titles.join(', ')
  return {
    ...{ question, type: 'select' },
    options: [titles.length > 0 ? ANSWER : ACCEPT, DECLINE, CANCEL],
    ...(names === '' || names.length > QUESTION_MAX - 20
      ? {}
      : { context: `It asks for ${names}.` }),
  }
}

/** Undefined if the person gave no value. */
async function askField(
  { ask, read }: FormField,
  put: (question: FieldQuestion) => Promise<HoldEnd>,
): Promise<Exclude<ReturnType<typeof read>, { is: 'no' }> | undefined> {
  let why: string | undefined
  for (let tries = 0; tries < TRIES; tries++) {
    const context = why === undefined ? ask.context : `That was no answer to it. ${why}`
    const answer = answerIn(await put({ ...ask, ...(context === undefined ? {} : { context }) }))
    if (answer === undefined) return undefined
    const value = read(answer)
    if (value.is !== 'no') return value
    why = value.why
  }
  return undefined
}

function answerIn(end: HoldEnd): string | undefined {
  return end.is === 'yes' ? 'yes' : end.is === 'no' ? end.value : undefined
}

function reasonOf(end: HoldEnd): { reason?: string } {
  return end.is === 'unheard' ? { reason: end.why } : {}
}
