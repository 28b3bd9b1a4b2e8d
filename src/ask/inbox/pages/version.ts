import type { Question } from '../../questions/model/question.ts'

/**
 * Returns a version of the parts of a question that may change while its page is open; other parts
 * are shown anew with it. Votes are live of their own, so that a note that is being typed stays.
 */
export function versionOf({ detail, answerHeldUntil }: Question, status: string): string {
  const held = answerHeldUntil === undefined ? [] : [answerHeldUntil]
  return [
    status,
    ...held,
    ...(detail.programs ?? []).map(({ name, kind }) => `${name}:${kind}`),
  ].join()
}

/** Changes with any of the parts. */
export function shortHash(parts: readonly unknown[]): string {
  return Bun.hash(JSON.stringify(parts)).toString(36)
}
