import { type Static, Type } from '@sinclair/typebox'
import { closed, openWord, textField } from './words.ts'

/** The questions that a record may leave open. */
const QUESTIONS = ['up', 'auth', 'pricing', 'where', 'x402', 'ended', 'toolCount'] as const
export type Question = (typeof QUESTIONS)[number]

/** A question that the record leaves open. */
export const NotKnown = closed({
  field: openWord('The question.', QUESTIONS),
  why: textField('Why there is no answer.', 300),
})
export type NotKnown = Static<typeof NotKnown>

export const NotKnownList = Type.Array(NotKnown, {
  description: 'What is neither yes nor no, each with its reason.',
})

/** The questions as people read them. */
const NAMES: Record<Question, string> = {
  up: 'Up',
  auth: 'Sign-in',
  pricing: 'Price',
  where: 'Where it runs',
  x402: 'Pay per call',
  ended: 'Shut down',
  toolCount: 'Number of tools',
}

/** A question as people read it; an unknown one unchanged. */
export function questionWords(field: string): string {
  return Object.hasOwn(NAMES, field) ? NAMES[field as Question] : field
}

/** Why a question is open; undefined if it has an answer. */
export function whyNotKnown(
  { notKnown }: { notKnown: readonly NotKnown[] },
  question: Question,
): string | undefined {
  return notKnown.find(({ field }) => field === question)?.why
}
