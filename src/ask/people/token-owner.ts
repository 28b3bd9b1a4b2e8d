import type { Clock } from '../../platform/clock.ts'
import type { Db, Read, Tx } from '../../platform/db/database.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import { cleanLine } from '../../platform/text.ts'
import { type AgentToken, isForNobody, type Ownership } from '../accounts/model/agent.ts'
import type { TokenId, WorkspaceId } from '../accounts/model/ids.ts'
import { isAuditor, must, type Person } from '../accounts/model/person.ts'
import { cleanEmail } from '../accounts/model/person-rules.ts'
import { listPeople } from '../accounts/model/person-store.ts'
import { findToken, putOwner } from '../accounts/model/token-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import type { Group } from '../groups/model/group.ts'
import { listGroups } from '../groups/model/store.ts'
import { guardChange } from '../policy/guard.ts'

/** The people and the groups that may own a token. */
export type Candidates = { people: Person[]; groups: Group[] }

/** Returns everybody who may own a token: no auditors, and nobody who is switched off. */
export async function listCandidates(read: Read, workspaceId: WorkspaceId): Promise<Candidates> {
  const people = await listPeople(read, workspaceId)
  return {
    people: people.filter((person) => !isAuditor(person) && person.offAt === null),
    groups: await listGroups(read, workspaceId),
  }
}

/** An owner and their name, for people. */
type NamedOwner = { owner: Ownership; name: string }

/** The owner with this id; undefined if there is none. */
function findCandidate({ people, groups }: Candidates, id: string): NamedOwner | undefined {
  const person = people.find((one) => one.id === id)
  if (person) return { owner: { createdBy: person.id, ownerGroup: null }, name: person.name }
  const group = groups.find((one) => one.id === id)
  return group && { owner: { createdBy: null, ownerGroup: group.id }, name: groupWords(group) }
}

function groupWords({ name }: Pick<Group, 'name'>): string {
  return `the group ${name}`
}

/**
 * Returns whose a new token of the command line is: the address of a person, or the name of a group.
 * Not needed while one person is here; before that it belongs to nobody. Throws `invalid_input`.
 */
export async function chooseOwner(
  read: Read,
  workspaceId: WorkspaceId,
  text: string | undefined,
): Promise<Ownership | undefined> {
  const { people, groups } = await listCandidates(read, workspaceId)
  if (text !== undefined) {
    const { id } =
      people.find(({ email }) => email === cleanEmail(text)) ??
      groups.find(({ name }) => name === cleanLine(text)) ??
      {}
    const candidate = id === undefined ? undefined : findCandidate({ people, groups }, id)
    if (candidate) return candidate.owner
    throw wrongFields([{ field: 'owner', must: NOBODY }])
  }
  const [only, second] = people
  if (second === undefined) return only && { createdBy: only.id, ownerGroup: null }
  throw new Failure(
    'invalid_input',
    `${people.length} people are here, so say whose token it is: --owner and their address, or the name of a group.`,
  )
}

const NOBODY = 'must be the address of somebody here who is no auditor, or the name of a group'

/** Who owns a token next; `words` say it for those who may have to agree. */
export type OwnerEdit = { id: TokenId; to: string; words: string }

/**
 * Hands a token to a person or a group. Only owners of the workspace may: whoever could give theirs
 * away would no longer count as the one who asks. Where a rule depends on it, and others guard the
 * rules, it is proposed. Throws `forbidden`, `not_found`, `conflict` for one that belongs to a sign-in,
 * and `invalid_input` for an owner who is not here.
 */
export async function handOver(
  { db, clock }: { db: Db; clock: Clock },
  { id, person, to }: { id: string; person: Person; to: string },
): Promise<AgentToken> {
  must(person, 'tokens')
  const { workspaceId } = person
  const at = clock.now()
  const { token, detail } = await nextOwner(db.read, person, { id, to })
  const input: OwnerEdit = { id: token.id, to, words: `owner of token ${token.name}: ${detail}` }
  const change = { workspaceId, by: person, kind: 'token.hand_over', input }
  return await db.write((tx) =>
    guardChange(tx, change, () => writeOwner(tx, { by: person, at }, input)),
  )
}

export type OwnerAct = { by: Pick<Person, 'workspaceId' | 'id' | 'name'>; at: number }

/** As `handOver`, as a part of a transaction. Throws before it writes anything. */
export async function writeOwner(
  tx: Tx,
  { by, at }: OwnerAct,
  edit: Pick<OwnerEdit, 'id' | 'to'>,
): Promise<AgentToken> {
  const { workspaceId, id: personId, name: personName } = by
  await tx.lock(`owners of ${workspaceId}`)
  const { token, owner, detail } = await nextOwner(tx, by, edit)
  if (isSame(token, owner)) return token
  await putOwner(tx, token.id, owner)
  await recordChange(tx, auditStamp(at), {
    ...{ workspaceId, kind: 'token.changed', personId, personName, detail },
    ...{ subjectId: token.id, subjectName: token.name },
  })
  return { ...token, ...owner, offAt: null }
}

/** A token, and whose it would be. Throws `not_found`, `conflict`, `invalid_input`. */
async function nextOwner(
  read: Read,
  by: Pick<Person, 'workspaceId'>,
  { id, to }: { id: string; to: string },
) {
  const { workspaceId } = by
  const token = await requireToken(read, by, id)
  const next = findCandidate(await listCandidates(read, workspaceId), to)
  if (!next) throw wrongFields([{ field: 'owner', must: NOT_HERE }])
  const detail = `from ${await nameOf(read, workspaceId, token)} to ${next.name}`
  return { token, owner: next.owner, detail }
}

/** The owner of a token as it is now. */
export async function readOwnership(read: Read, id: TokenId): Promise<Ownership | undefined> {
  const token = await findToken(read, id)
  return token && { createdBy: token.createdBy, ownerGroup: token.ownerGroup }
}

/** A live token of the workspace whose owner may change. Throws `not_found` and `conflict`. */
export async function requireToken(
  read: Read | Tx,
  { workspaceId }: Pick<Person, 'workspaceId'>,
  id: string,
): Promise<AgentToken> {
  const token = await findToken(read, id as TokenId)
  if (!token || token.workspaceId !== workspaceId || token.revokedAt !== null) {
    throw new Failure('not_found', `There is no token ${cleanLine(id)}; nothing was changed.`)
  }
  if (hasFixedOwner(token)) {
    const message =
      'This one belongs to the person who signed it in, and to nobody else; revoke it instead.'
    throw new Failure('conflict', message)
  }
  return token
}

/** True for what acts for one person alone: a client that signed in, and what nobody has the secret of. */
export function hasFixedOwner(token: AgentToken): boolean {
  return token.clientId !== null || isForNobody(token)
}

const NOT_HERE = 'must be the id of somebody here who is no auditor, or of a group'

function isSame(one: Ownership, other: Ownership): boolean {
  return one.createdBy === other.createdBy && one.ownerGroup === other.ownerGroup
}

async function nameOf(read: Read, workspaceId: WorkspaceId, owner: Ownership): Promise<string> {
  const id = owner.createdBy ?? owner.ownerGroup
  if (id === null) return 'nobody'
  const people = await listPeople(read, workspaceId)
  const candidates = { people, groups: await listGroups(read, workspaceId) }
  return findCandidate(candidates, id)?.name ?? 'somebody who is gone'
}
