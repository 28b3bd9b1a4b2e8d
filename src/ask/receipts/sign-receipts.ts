import type { Clock } from '../../platform/clock.ts'
import type { Db, Read, Tx } from '../../platform/db/database.ts'
import { loadServerKey } from '../../platform/db/server-key.ts'
import { loadOnce } from '../../platform/once.ts'
import { letOthersRun, type Rest, repeatEvery, restBetween } from '../../platform/repeat.ts'
import { canonicalText } from '../../platform/signing/canonical.ts'
import { type SignKey, signText } from '../../platform/signing/ed25519.ts'
import type { PersonId, TokenId, WorkspaceId } from '../accounts/model/ids.ts'
import type { Person } from '../accounts/model/person.ts'
import { findPerson } from '../accounts/model/person-store.ts'
import { listWorkspaces } from '../accounts/model/workspace-store.ts'
import { type AuditRecord, auditRecord, auditStamp } from '../audit/model/audit.ts'
import { recordAudit } from '../audit/model/store.ts'
import { readPolicy } from '../policy/model/store.ts'
import type { ReadsFirst } from '../questions/end-question.ts'
import type { Question } from '../questions/model/question.ts'
import { findQuestion } from '../questions/model/store.ts'
import type { QuestionId } from '../wire/ids.ts'
import { type PolicyInForce, receiptPayload, signedWords } from './model/receipt.ts'
import {
  insertReceipts,
  insertUnsigned,
  listUnsigned,
  type StoredReceipt,
  takeUnsigned,
  type Unsigned,
} from './model/store.ts'

export type SignDeps = { db: Db; clock: Clock; baseUrl: string; rest?: Rest }

type Decided = { question: Question; at: number }

/** Notes each decision in the transaction that makes it, with the policy in force. */
export const noteDecisions: ReadsFirst = {
  async read(tx, { workspaceId }) {
    // Read through `tx`, because a shared read may be waiting for a connection while all connections
    // wait for rows that this transaction has changed.
    const policy = await readPolicy(tx, workspaceId)
    return (tx, decided) => note(tx, decided, policy)
  },
}

/** As `noteDecisions`, for a question that was decided when it was asked. */
export async function noteDecision(tx: Tx, decided: Decided): Promise<undefined> {
  await note(tx, decided, await readPolicy(tx, decided.question.workspaceId))
}

async function note(
  tx: Tx,
  { question, at }: Decided,
  { deliveryMode, waitMs }: PolicyInForce,
): Promise<undefined> {
  if (question.status !== 'answered') return
  const { id: questionId, workspaceId } = question
  await insertUnsigned(tx, { questionId, workspaceId, deliveryMode, waitMs, decidedAt: at })
}

/**
 * Signs decisions that were noted, and records their digests in the audit trail, where they are
 * sealed. Several processes may do so at once: each decision is signed by one of them.
 */
export async function signNoted(
  { db, clock, baseUrl }: SignDeps,
  rows: readonly Unsigned[],
  key: SignKey,
): Promise<void> {
  const receipts = new Map<QuestionId, SignedReceipt>()
  const names = namesIn(db.read)
  for (const { questionId, workspaceId, deliveryMode, waitMs, decidedAt } of rows) {
    const question = await findQuestion(db.read, workspaceId, questionId)
    const signer = { key, baseUrl, policy: { deliveryMode, waitMs } }
    const signed = question && (await signDecision(names, question, signer))
    if (!signed) continue
    const { tokenId } = question
    const receipt = { questionId, workspaceId, ...signed, createdAt: decidedAt }
    receipts.set(questionId, { receipt, tokenId })
  }
  const now = clock.now()
  await db.write(async (tx) => {
    const ids = await takeUnsigned(
      tx,
      rows.map(({ questionId }) => questionId),
    )
    const signed = ids.flatMap((id) => receipts.get(id) ?? [])
    if (signed.length === 0) return
    await insertReceipts(
      tx,
      signed.map(({ receipt }) => receipt),
    )
    await recordAudit(tx, ...signed.map((one) => auditRow(one, now)))
  })
}

type SignedReceipt = { receipt: StoredReceipt; tokenId: TokenId }

function auditRow({ receipt, tokenId }: SignedReceipt, now: number): AuditRecord {
  const { workspaceId, questionId } = receipt
  const detail = signedWords(receipt)
  const of = {
    workspaceId,
    tokenId,
    kind: 'receipt.signed',
    subjectId: questionId,
    detail,
  } as const
  return auditRecord(auditStamp(now), of)
}

type Signer = { key: SignKey; baseUrl: string; policy: PolicyInForce }

/** Names of people and workspaces; looks each up once. */
type Names = {
  person(id: PersonId): Promise<string | undefined>
  workspace(id: WorkspaceId): Promise<string | undefined>
}

export function namesIn(read: Read): Names {
  const people = new Map<PersonId, Promise<Person | undefined>>()
  const workspaces = loadOnce(() => listWorkspaces(read))
  return {
    async person(id) {
      const lookup = people.getOrInsertComputed(id, () => findPerson(read, id))
      return (await lookup)?.name
    },
    workspace: async (id) => (await workspaces()).find((one) => one.id === id)?.name,
  }
}

/** The decision on an answered question, signed; undefined where nothing was decided. */
export async function signDecision(
  names: Names,
  question: Question,
  { key, baseUrl, policy }: Signer,
): Promise<{ payload: string; signature: string } | undefined> {
  const { answeredBy, answeredOn, workspaceId } = question
  const personId = answeredBy ?? answeredOn?.personId
  const payload = receiptPayload(question, {
    kid: key.kid,
    server: baseUrl,
    workspace: await names.workspace(workspaceId),
    person: personId && (await names.person(personId)),
    policy,
  })
  if (!payload) return undefined
  const text = canonicalText(payload)
  return { payload: text, signature: signText(key, text) }
}

const SIGN_EVERY_MS = 2_000
// Small enough that an answer given meanwhile waits for a few milliseconds at most.
const BATCH = 20

/** Signs what was decided; resolves to how many decisions. */
export async function signReceipts(deps: SignDeps, signal?: AbortSignal): Promise<number> {
  const { rest = letOthersRun } = deps
  for (let done = 0; ; ) {
    const began = performance.now()
    const rows = signal?.aborted ? [] : await listUnsigned(deps.db.read, BATCH)
    if (rows.length === 0) return done
    await signNoted(deps, rows, await loadServerKey(deps))
    done += rows.length
    await rest(performance.now() - began)
  }
}

/** Signs now and then every two seconds, until disposed; `report` is called with errors. */
export function keepSigning(deps: SignDeps, report: (error: unknown) => void): AsyncDisposable {
  const closing = new AbortController()
  const rest = restBetween()
  const work = () => signReceipts({ rest, ...deps }, closing.signal)
  const loop = repeatEvery(deps.clock, SIGN_EVERY_MS, work, report)
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await loop[Symbol.asyncDispose]()
    },
  }
}
