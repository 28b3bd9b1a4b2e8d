import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { AnswerSource } from '../../wire/question-fields.ts'
import type { PasskeySignature } from './passkey-signature.ts'

/** One person's yes or no to a question that needs several, or certain people. */
export type Vote = {
  questionId: QuestionId
  workspaceId: WorkspaceId
  personId: PersonId
  /** `yes` or `no`; for a choice or a text, the answer itself. */
  value: string
  note: string | undefined
  source: AnswerSource | undefined
  /**
   * How the person proved that it is them: `session`, `sign_in` (a fresh one), `passkey`, or the kind
   * of device.
   */
  proof: string
  /** The signature by a passkey that proved it. */
  passkey: PasskeySignature | undefined
  at: number
  /** The name of the person at that time. */
  name: string
}

/** Words a proof that a rule asked for: `with a passkey`; undefined for any other. */
export function proofWords(proof: string): string | undefined {
  if (proof === 'passkey') return 'with a passkey'
  return proof === 'sign_in' ? 'signed in anew' : undefined
}
