import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { wrongFields } from '../../platform/failure.ts'
import type { AgentToken } from '../accounts/model/agent.ts'
import type { PersonId, TokenId } from '../accounts/model/ids.ts'
import { isAuditor, must, type Person } from '../accounts/model/person.ts'
import type { PersonGone, Removal } from '../accounts/model/person-gone.ts'
import { type ListedPerson, listPeople, whoCanSignIn } from '../accounts/model/person-store.ts'
import { listLiveTokens, putOwner, revoke } from '../accounts/model/token-store.ts'
import { auditStamp, type RecordedKind } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { readGuardedTokens } from '../policy/guard.ts'
import { requireMember, requireOtherOwner } from './switch-off.ts'

export type RemoveDeps = {
  db: Db
  clock: Clock
  /** The treatment of the data of a removed person, by feature (`src/ask/person-gone.ts`). */
  personGone: () => readonly PersonGone[]
}

/** Somebody who may be removed, and what would end with them. */
export type Leaving = {
  person: ListedPerson
  /** The tokens of the person's agents; these can be handed over. */
  tokens: AgentToken[]
  /** Clients that they signed in, which end in any case. */
  connections: AgentToken[]
  /** Everything else that ends, a sentence each. */
  ends: string[]
  /** To whom tokens can be handed over. */
  others: ListedPerson[]
  /** Others have to agree before these tokens have another owner. */
  isGuarded: boolean
  /** They have not signed in yet. */
  isInvited: boolean
}

/**
 * Lists what a removal of this person would end. Throws `forbidden`, `not_found`, and `conflict`.
 */
export async function readLeaving(deps: RemoveDeps, by: Person, id: PersonId): Promise<Leaving> {
  must(by, 'people')
  const { read } = deps.db
  const { workspaceId } = by
  const people = await listPeople(read, workspaceId)
  const person = await requireMember(read, workspaceId, id)
  await requireOtherOwner(read, person, 'nobody was removed')
  const live = await listLiveTokens(read, { workspaceId, createdBy: id })
  const whose = { workspaceId, personId: id }
  const now = deps.clock.now()
  const ways = await whoCanSignIn(read)
  const guarded = await readGuardedTokens(read, workspaceId)
  const tokens = live.filter(({ clientId }) => clientId === null)
  const ends = await Promise.all(
    deps.personGone().map((one) => one.list?.(read, whose, now) ?? Promise.resolve([])),
  )
  return {
    person,
    tokens,
    isGuarded: tokens.some((one) => guarded.has(one.id)),
    connections: live.filter(({ clientId }) => clientId !== null),
    ends: ends.flat(),
    // Whoever removes somebody usually takes the tokens.
    others: people
      .filter((one) => one.id !== id && ways.has(one.id) && !isAuditor(one))
      .sort((a, b) => Number(b.id === by.id) - Number(a.id === by.id)),
    isInvited: !ways.has(id),
  }
}

/**
 * Removes a person from the workspace of `by`, with everything that acts in their name; without
 * another workspace also their ways in. Their tokens go to `handTo`, or are revoked. Throws
 * `forbidden`, `not_found`, `conflict` for the only owner, and `invalid_input` for a `handTo` who is
 * not here.
 */
export async function removePerson(
  { db, clock, personGone }: RemoveDeps,
  by: Person,
  id: PersonId,
  handTo?: PersonId,
): Promise<Person> {
  must(by, 'people')
  const { workspaceId } = by
  const stamp = auditStamp(clock.now())
  const done = await db.write(async (tx) => {
    await tx.lock(`owners of ${workspaceId}`)
    const people = await listPeople(tx, workspaceId)
    const member = await requireMember(tx, workspaceId, id)
    await requireOtherOwner(tx, member, 'nobody was removed')
    const heir = people.find((one) => one.id === handTo && one.id !== id && !isAuditor(one))
    if (handTo !== undefined && !heir) throw wrongFields([{ field: 'handTo', must: NOT_HERE }])
    const of = { workspaceId, personId: id, personName: member.name, by, at: stamp.at }
    if (heir) await refuseGuarded(tx, of)
    const removal: Removal = { ...of, revoked: await endTokens(tx, of, heir) }
    const afterwards: Array<(() => void) | undefined> = []
    for (const one of personGone()) afterwards.push(await one.end?.(tx, removal))
    await recordChange(tx, stamp, {
      workspaceId,
      kind: 'person.removed',
      personId: by.id,
      personName: by.name,
      subjectId: id,
      subjectName: member.name,
    })
    return { found: member, afterwards }
  })
  for (const after of done.afterwards) after?.()
  return done.found
}

/** Hands the tokens to `heir`, or revokes them; resolves to those that it revoked. */
async function endTokens(
  tx: Tx,
  { workspaceId, personId, personName, by, at }: Omit<Removal, 'revoked'>,
  heir: Person | undefined,
): Promise<TokenId[]> {
  const revoked: TokenId[] = []
  for (const token of await listLiveTokens(tx, { workspaceId, createdBy: personId })) {
    // A client that a person allowed to act for them loses its token with them.
    const isHandedOver = heir !== undefined && token.clientId === null
    if (isHandedOver) await putOwner(tx, token.id, { createdBy: heir.id, ownerGroup: null })
    else await revoke(tx, token.id, at)
    if (!isHandedOver) revoked.push(token.id)
    const kind: RecordedKind = isHandedOver ? 'token.changed' : 'token.revoked'
    await recordChange(tx, auditStamp(at), {
      workspaceId,
      kind,
      personId: by.id,
      personName: by.name,
      subjectId: token.id,
      subjectName: token.name,
      detail: isHandedOver ? `from ${personName} to ${heir.name}` : `${personName} was removed`,
    })
  }
  return revoked
}

/** Leaving needs no agreement, but another owner of a token does: then rules are for other calls. */
async function refuseGuarded(tx: Tx, { workspaceId, personId }: Omit<Removal, 'revoked'>) {
  const guarded = await readGuardedTokens(tx, workspaceId)
  const tokens = await listLiveTokens(tx, { workspaceId, createdBy: personId })
  if (!tokens.some(({ id, clientId }) => clientId === null && guarded.has(id))) return
  throw wrongFields([{ field: 'handTo', must: GUARDED }])
}

const GUARDED =
  'cannot be done here: others have to agree to a new owner of these tokens. Hand them over first, under Agent tokens, or revoke them'
const NOT_HERE = 'must be somebody else of this workspace, and no auditor'
