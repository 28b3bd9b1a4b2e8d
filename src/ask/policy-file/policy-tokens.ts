import { Failure, wrongFields } from '../../platform/failure.ts'
import { type Id, newId, randomText } from '../../platform/ids.ts'
import { cleanLine, codePoints } from '../../platform/text.ts'
import { hashToken } from '../accounts/model/agent.ts'
import { must, type Person } from '../accounts/model/person.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
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
  if (name === '' || codePoints(name) > NAME_MAX) {
    throw wrongFields([{ field: 'name', must: `must have 1 to ${NAME_MAX} characters` }])
  }
  const now = clock.now()
  const stamp = auditStamp(now)
  const token = `bp_${randomText(TOKEN_CHARS)}`
  const { workspaceId } = by
  const row: PolicyToken = {
    ...{ id: newId('ptk', now), workspaceId, name, may: input.may },
    ...{ hash: hashToken(token), tail: token.slice(-4), createdAt: now, lastUsedAt: null },
  }
  await db.write(async (tx) => {
    await tx.lock(`policy tokens ${workspaceId}`)
    if ((await listPolicyTokens(tx, workspaceId)).length >= TOKENS_MAX) throw full()
    await addPolicyToken(tx, row)
    await recordChange(tx, stamp, { ...about(by, row), detail: `token added, may ${row.may}` })
  })
  return token
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

function about(by: Person, { id, name }: PolicyToken) {
  const { workspaceId, id: personId, name: personName } = by
  const kind = 'policy_token.changed' as const
  return { workspaceId, kind, personId, personName, subjectId: id, subjectName: name }
}

function full(): Failure {
  return new Failure('conflict', `There are ${TOKENS_MAX} tokens already; revoke one first.`)
}
