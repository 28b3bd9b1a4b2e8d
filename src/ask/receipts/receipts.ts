import canonicalize from 'canonicalize'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { loadServerKey } from '../../platform/db/server-key.ts'
import { publicPem, signText } from '../../platform/ed25519.ts'
import { Failure } from '../../platform/failure.ts'
import type { QuestionId, TokenId, WorkspaceId } from '../../platform/ids.ts'
import { findPerson } from '../accounts/model/person-store.ts'
import { listWorkspaces } from '../accounts/model/workspace-store.ts'
import { findPermitFor } from '../permits/model/store.ts'
import { grantOf } from '../questions/model/key.ts'
import type { Question } from '../questions/model/question.ts'
import { findQuestion } from '../questions/model/store.ts'
import { type Receipt, receiptPayload } from './model/receipt.ts'

type Deps = { db: Db; clock: Clock; baseUrl: string }

/** Whoever wants a receipt: a person of the workspace, or (`tokenId`) the agent that asked. */
type Reader = { workspaceId: WorkspaceId; tokenId?: TokenId }

/**
 * The signed decision on a question, the same bytes each time as long as nothing it tells has
 * changed. Throws `not_found` for a question that the reader does not see, and `conflict` where
 * nothing was decided.
 */
export async function readReceipt(deps: Deps, reader: Reader, id: string): Promise<Receipt> {
  const { db } = deps
  const question = await findQuestion(db.read, reader.workspaceId, id as QuestionId)
  if (!question || !sees(reader, question)) {
    throw new Failure('not_found', 'There is no such question here, so there is no receipt.')
  }
  const { answeredBy, workspaceId } = question
  const [key, person, workspaces, permit] = await Promise.all([
    loadServerKey(deps),
    answeredBy === undefined ? undefined : findPerson(db.read, answeredBy),
    listWorkspaces(db.read),
    findPermitFor(db.read, question.id),
  ])
  const payload = receiptPayload(question, {
    kid: key.kid,
    server: deps.baseUrl,
    workspace: workspaces.find((one) => one.id === workspaceId)?.name,
    person: person?.name,
    permit,
  })
  if (!payload) throw new Failure('conflict', whyNone(question))
  const text = canonicalize(payload)
  if (text === undefined) throw new Error('there is no JSON for this receipt')
  const signature = signText(key, text)
  return { payload: text, alg: 'Ed25519', kid: key.kid, signature, publicKey: publicPem(key) }
}

function sees({ tokenId }: Reader, question: Question): boolean {
  return tokenId === undefined || grantOf(question) === grantOf({ tokenId })
}

function whyNone({ status }: Question): string {
  return status === 'pending'
    ? 'This question has no answer yet, so there is no receipt.'
    : 'This question ended without an answer, so there is no receipt.'
}
