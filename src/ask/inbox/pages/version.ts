import type { Question } from '../../questions/model/question.ts'

/** What of a question may change while its page is open; other parts are shown anew with it. */
export function versionOf({ detail }: Question, status: string): string {
  return [status, ...(detail.programs ?? []).map(({ name, kind }) => `${name}:${kind}`)].join()
}
