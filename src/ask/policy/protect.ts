import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { type WrongField, wrongFields } from '../../platform/failure.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { listGroups } from '../groups/model/store.ts'
import { PROTECT, placesWords, type Requirement } from '../votes/model/requirement.ts'
import { canBeDecided, type Voters } from '../votes/model/standing.ts'
import { readVoters } from '../votes/read-voters.ts'
import { guardChange } from './guard.ts'
import type { Protect } from './model/protect.ts'
import { putProtect } from './model/store.ts'
import { refuseBesideFile } from './only-from-file.ts'
import { namesOf } from './requirement.ts'

type Deps = { db: Db; clock: Clock }

/** How long a proposed change waits. */
export const PROPOSAL_MS = 7 * 24 * 60 * 60_000

/** Who has to agree to a proposed change. Whoever proposes it does not. */
export function protectRequirement(
  { from, need = 1 }: Protect,
  nameOf: ReturnType<typeof namesOf>,
  excluded: PersonId[],
): Requirement {
  return {
    rules: [{ id: PROTECT, words: 'changes of who may decide' }],
    places: [{ from: from.map(nameOf), need }],
    excluded,
    veto: 'any',
    where: ['page'],
    usableMs: PROPOSAL_MS,
  }
}

/** What is wrong with it: nobody could ever agree to its being changed again. */
export function wrongProtect(protect: Protect, voters: Voters): WrongField[] {
  const requirement = protectRequirement(protect, (id) => ({ id, name: id }), [])
  if (canBeDecided(requirement, voters)) return []
  return [{ field: 'protect', must: 'must not ask for more people than there are' }]
}

/**
 * Sets who has to agree to changes of who may decide, or that nobody has to. Throws `invalid_input` for
 * people who are not here, and for more than there are.
 */
export async function setProtect(
  { db, clock }: Deps,
  workspaceId: WorkspaceId,
  protect: Protect | null,
  by: PersonId,
): Promise<void> {
  const at = clock.now()
  const change = { workspaceId, by: { id: by }, kind: 'protect.set', input: { protect } }
  await db.write((tx) =>
    guardChange(tx, change, () => writeProtect(tx, { workspaceId, by, at }, { protect })),
  )
}

/** The same as a part of a transaction. Throws before it writes anything. */
export async function writeProtect(
  tx: Tx,
  { workspaceId, by, at }: { workspaceId: WorkspaceId; by: PersonId | undefined; at: number },
  { protect }: { protect: Protect | null },
): Promise<void> {
  await refuseBesideFile(tx, workspaceId)
  const voters = await readVoters(tx, workspaceId)
  const groups = await listGroups(tx, workspaceId)
  const here = new Set<string>([...voters.keys(), ...groups.map(({ id }) => id)])
  const missing = protect?.from.find((id) => !here.has(id))
  if (missing !== undefined) {
    throw wrongFields([{ field: 'protect.from', must: 'must be groups and people who are here' }])
  }
  const wrong = protect ? wrongProtect(protect, voters) : []
  if (wrong.length > 0) throw wrongFields(wrong)
  await putProtect(tx, workspaceId, protect, at)
  const nameOf = namesOf(groups, voters)
  const words = protect && placesWords(protectRequirement(protect, nameOf, []).places)
  const detail = words === null ? 'no longer protected' : `protected by ${words}`
  await recordChange(tx, auditStamp(at), {
    workspaceId,
    kind: 'policy.changed',
    personId: by ?? null,
    detail,
  })
  tx.emit('policy', workspaceId)
}
