import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { AnswerSource } from '../../wire/question-fields.ts'

/** One person's yes or no to a question that needs several, or certain people. */
export type Vote = {
  questionId: QuestionId
  workspaceId: WorkspaceId
  personId: PersonId
  /** `yes` or `no`; for a choice or a text, the answer itself. */
  value: string
  note: string | undefined
  source: AnswerSource | undefined
  /** How the person proved that it is them: a sign-in, a passkey, an account in a chat. */
  proof: string
  at: number
  /** The name of the person at that time. */
  name: string
}
