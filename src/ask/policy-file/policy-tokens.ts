import type { Tx } from '../../platform/db/database.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import { type Id, newId, randomText } from '../../platform/ids.ts'
import { cleanLine } from '../../platform/text.ts'
import { wrongName } from '../../platform/wrong-name.ts'
import { hashToken } from '../accounts/model/agent.ts'
import { withSecret } from '../accounts/model/guarded-change.ts'
import { must, type Person } from '../accounts/model/person.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { guardAlways, guardChange } from '../policy/guard.ts'
import type { FileDeps } from './apply-file.ts'
import {
  addPolicyToken,
  dropPolicyToken,
  listPolicyTokens,
  type PolicyToken,
} from './model/store.ts'

const TOKENS_MAX = 10
const NAME_MAX = 40
// 200 random bits cannot be guessed, so a plain hash is enough.
const TOKEN_CHARS = 40

/** Makes a token for the policy file of a workspace, shown this once. Throws `forbidden`, `invalid_input`, `conflict`. */
export async function makePolicyToken(
  { db, clock }: FileDeps,
  by: Person,
  input: { name: string; may: PolicyToken['may'] },
): Promise<string> {
  must(by, 'policy')
  const name = cleanLine(input.name)
  const wrong = wrongName(name, NAME_MAX)
  if (wrong.length > 0) throw wrongFields(wrong)
  const now = clock.now()
  const token = `bp_${randomText(TOKEN_CHARS)}`
  const { workspaceId } = by
  const row: PolicyToken = {
    ...{ id: newId('ptk', now), workspaceId, name, may: input.may },
    ...{ hash: hashToken(token), tail: token.slice(-4), createdAt: now, lastUsedAt: null },
    createdBy: by.id,
  }
  const change = { workspaceId, by, kind: 'policy_token.add', input: row }
  const guard = row.may === 'write' ? guardAlways : guardChange
  const done = db.write((tx) => guard(tx, change, () => writePolicyToken(tx, { by, at: now }, row)))
  await withSecret({ name: 'The token', value: token }, done)
  return token
}

export type TokenAct = { by: Pick<Person, 'workspaceId' | 'id' | 'name'>; at: number }

/** Adds a token. Throws before it writes anything. */
export async function writePolicyToken(
  tx: Tx,
  { by, at }: TokenAct,
  row: PolicyToken,
): Promise<void> {
  const { workspaceId } = by
  await tx.lock(`policy tokens ${workspaceId}`)
  if ((await listPolicyTokens(tx, workspaceId)).length >= TOKENS_MAX) throw full()
  await addPolicyToken(tx, row)
  const detail = `token added, may ${row.may}`
  await recordChange(tx, auditStamp(at), { ...about(by, row), detail })
}

/** Revokes a token, which is refused from then on. Throws `forbidden`, `not_found`. */
export async function revokePolicyToken(
  { db, clock }: FileDeps,
  by: Person,
  id: string,
): Promise<void> {
  must(by, 'policy')
  const stamp = auditStamp(clock.now())
  await db.write(async (tx) => {
    const row = await dropPolicyToken(tx, by.workspaceId, id as Id<'ptk'>)
    if (!row) throw new Failure('not_found', 'There is no such token here.')
    await recordChange(tx, stamp, { ...about(by, row), detail: 'token revoked' })
  })
}

function about(by: TokenAct['by'], { id, name }: PolicyToken) {
  const { workspaceId, id: personId, name: personName } = by
  const kind = 'policy_token.changed' as const
  return { workspaceId, kind, personId, personName, subjectId: id, subjectName: name }
}

function full(): Failure {
  return new Failure('conflict', `There are ${TOKENS_MAX} tokens already; revoke one first.`)
}
