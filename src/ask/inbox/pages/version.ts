import type { Question } from '../../questions/model/question.ts'

/**
 * Returns a version of the parts of a question that may change while its page is open; other parts
 * are shown anew with it.
 */
export function versionOf(
  { detail, answerHeldUntil, requirement }: Question,
  status: string,
): string {
  const held = answerHeldUntil === undefined ? [] : [answerHeldUntil]
  return [
    status,
    ...held,
    ...(requirement ? [`agreed:${detail.agreed ?? 0}`] : []),
    ...(detail.programs ?? []).map(({ name, kind }) => `${name}:${kind}`),
  ].join()
}
