import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { loadServerKey } from '../../platform/db/server-key.ts'
import { Failure } from '../../platform/failure.ts'
import { publicPem } from '../../platform/signing/ed25519.ts'
import type { TokenId } from '../accounts/model/ids.ts'
import type { Viewer } from '../accounts/model/person.ts'
import { findVisible } from '../questions/find-visible.ts'
import { grantOf } from '../questions/model/key.ts'
import type { Question } from '../questions/model/question.ts'
import type { QuestionId } from '../wire/ids.ts'
import type { Receipt } from './model/receipt.ts'
import { findReceipt, findUnsigned } from './model/store.ts'
import { namesIn, signDecision, signNoted } from './sign-receipts.ts'

type Deps = { db: Db; clock: Clock; baseUrl: string }

/** The reader of a receipt: a person of the workspace, or (`tokenId`) the agent that asked. */
type Reader = Viewer & { tokenId?: TokenId }

/**
 * The signed decision on a question, as it was kept when it was made. Throws `not_found` for a
 * question that the reader does not see, and `conflict` where nothing was decided.
 */
export async function readReceipt(deps: Deps, reader: Reader, id: string): Promise<Receipt> {
  const { db } = deps
  const question = await findVisible(db.read, reader, id as QuestionId)
  if (!question || !sees(reader, question)) {
    throw new Failure('not_found', 'There is no such question here, so there is no receipt.')
  }
  const key = await loadServerKey(deps)
  const row = await findUnsigned(db.read, question.id)
  if (row) await signNoted(deps, [row], key)
  const stored = await findReceipt(db.read, question.id)
  // Answered with an earlier version, which kept none.
  const { deliveryMode, policyWaitMs: waitMs } = question
  const signer = { key, baseUrl: deps.baseUrl, policy: { deliveryMode, waitMs } }
  const signed = stored ?? (await signDecision(namesIn(db.read), question, signer))
  if (!signed) throw new Failure('conflict', whyNone(question))
  const { payload, signature } = signed
  return { payload, alg: 'Ed25519', kid: key.kid, signature, publicKey: publicPem(key) }
}

function sees({ tokenId }: Reader, question: Question): boolean {
  return tokenId === undefined || grantOf(question) === grantOf({ tokenId })
}

function whyNone({ status }: Question): string {
  return status === 'pending'
    ? 'This question has no answer yet, so there is no receipt.'
    : 'This question ended without an answer, so there is no receipt.'
}
