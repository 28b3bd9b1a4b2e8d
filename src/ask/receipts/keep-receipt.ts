import canonicalize from 'canonicalize'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Read, Tx } from '../../platform/db/database.ts'
import { keepServerKey, readServerKey } from '../../platform/db/server-key.ts'
import { type SignKey, signText } from '../../platform/ed25519.ts'
import { findPerson } from '../accounts/model/person-store.ts'
import { listWorkspaces } from '../accounts/model/workspace-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/record-change.ts'
import type { Policies } from '../policy/model/policies.ts'
import type { OnEnded } from '../questions/end-question.ts'
import type { Question } from '../questions/model/question.ts'
import { type PolicyInForce, receiptHash, receiptPayload } from './model/receipt.ts'
import { insertReceipt } from './model/store.ts'

type Deps = { db: Db; clock: Clock; baseUrl: string; policies: Policies }

/**
 * Signs each decision in the transaction that makes it, with the names and the policy of that
 * moment, and records its digest in the audit trail, where it is sealed.
 */
export function keepReceipt({ db, clock, baseUrl, policies }: Deps): OnEnded {
  // Only from what is committed: a key that was made in a transaction may be rolled back with it.
  let committed: SignKey | undefined
  return async (tx, { question, at }) => {
    if (question.status !== 'answered') return undefined
    committed ??= await readServerKey(db.read)
    const key = committed ?? (await keepServerKey(tx, clock.now()))
    const { policy } = await policies.of(question.workspaceId)
    const signed = await signDecision(tx, question, { key, baseUrl, policy })
    if (!signed) return undefined
    const { id: questionId, workspaceId, tokenId } = question
    await insertReceipt(tx, { questionId, workspaceId, ...signed, createdAt: at })
    await recordChange(tx, auditStamp(at), {
      workspaceId,
      tokenId,
      kind: 'receipt.signed',
      subjectId: questionId,
      detail: `SHA-256 ${receiptHash(signed.payload)}`,
    })
    return undefined
  }
}

type Signer = { key: SignKey; baseUrl: string; policy: PolicyInForce }

/** The decision on an answered question, signed; undefined where nothing was decided. */
export async function signDecision(
  read: Read | Tx,
  question: Question,
  { key, baseUrl, policy }: Signer,
): Promise<{ payload: string; signature: string } | undefined> {
  const { answeredBy, workspaceId } = question
  const person = answeredBy === undefined ? undefined : await findPerson(read, answeredBy)
  const workspaces = await listWorkspaces(read)
  const payload = receiptPayload(question, {
    kid: key.kid,
    server: baseUrl,
    workspace: workspaces.find((one) => one.id === workspaceId)?.name,
    person: person?.name,
    policy,
  })
  if (!payload) return undefined
  const text = canonicalize(payload)
  if (text === undefined) throw new Error('there is no JSON for this receipt')
  return { payload: text, signature: signText(key, text) }
}
