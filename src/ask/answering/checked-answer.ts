import type { PersonId } from '../accounts/model/ids.ts'
import type { First } from '../questions/end-question.ts'
import type { Ending, Question } from '../questions/model/question.ts'
import type { SubscriberId } from '../subscribers/model/subscriber.ts'
import type { PasskeyClaim } from '../votes/passkey-vote.ts'
import type { Contract } from '../wire/contract.ts'

/** How a signed-in person proves that an answer is theirs. */
export type VoteProof = { signedInAt?: number | undefined; passkey?: PasskeyClaim | undefined }

/** An answer that its question accepts, and what it writes. */
export type CheckedAnswer = {
  question: Question
  at: number
  ending: Ending & { value: string }
  edited: Contract | undefined
  by: PersonId | undefined
  first: First | undefined
  device: SubscriberId | undefined
  proof: VoteProof | undefined
}
