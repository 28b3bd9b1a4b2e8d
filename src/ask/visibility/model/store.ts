import { and, type Column, eq, inArray, or, type SQL } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { placeholders, prepared } from '../../../platform/db/prepared.ts'
import { together } from '../../../platform/db/together.ts'
import type { Ownership } from '../../accounts/model/agent.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { Viewer } from '../../accounts/model/person.ts'
import { findRole, listOwners } from '../../accounts/model/person-store.ts'
import { findToken, tokensOwnedBy } from '../../accounts/model/token-store.ts'
import { readVisibility } from '../../accounts/model/workspace-store.ts'
import type { GroupId } from '../../groups/model/group.ts'
import { groupsOf, listPeopleIn, peopleBeside } from '../../groups/model/store.ts'
import type { SubjectId } from '../../wire/ids.ts'
import { viewers } from './table.ts'

/** The columns, or the values, by which a viewer sees a row or not. */
export type Seen<T, S = T> = {
  /** The token that asked. */
  tokenId: T
  /** The question or notification; a row that belongs to none is seen by its token alone. */
  subjectId?: S
}

/**
 * The condition on the rows that a viewer sees: those of their own tokens, with `group` of the
 * tokens of people in a group of theirs, and what was shown to them. Undefined: everything.
 *
 * Every query for people passes through it: `test/ask/visibility/queries.test.ts` reads them.
 */
export function isVisible(read: Read, row: Seen<Column>, viewer: Viewer): SQL | undefined {
  const { id, sees, workspaceId } = viewer
  if (sees === undefined || id === undefined) return undefined
  const beside =
    sees === 'group' ? { people: peopleBeside(read, id), groups: groupsOf(read, id) } : undefined
  const theirs = inArray(row.tokenId, tokensOwnedBy(read, { workspaceId, id, beside }))
  if (!row.subjectId) return theirs
  return or(theirs, inArray(row.subjectId, subjectsOf(read, id)))
}

/** As `isVisible`, for one row that was read. */
export async function sees(
  read: Read,
  viewer: Viewer,
  row: Seen<TokenId | undefined, SubjectId>,
): Promise<boolean> {
  const { id, sees: reach } = viewer
  if (reach === undefined || id === undefined) return true
  const { tokenId, subjectId } = row
  const token = tokenId && (await findToken(read, tokenId))
  if (token?.createdBy === id) return true
  if (token && reach === 'group' && (await isOfGroup(read, id, token))) return true
  return subjectId !== undefined && (await isViewer(read, subjectId, id))
}

/** True if the token belongs to a group of this person, or to somebody who is in one with them. */
async function isOfGroup(read: Read, id: PersonId, { createdBy, ownerGroup }: Ownership) {
  if (ownerGroup) return (await groupsOf(read, id)).some((one) => one.id === ownerGroup)
  if (!createdBy) return false
  return (await peopleBeside(read, id)).some(({ personId }) => personId === createdBy)
}

/**
 * The people who see what a token asks without being shown it: its owner, with `group` whoever is
 * in a group of the owner or in the group that owns it, and the owners of the workspace. Undefined: everybody.
 */
export async function readAudience(
  read: Read,
  workspaceId: WorkspaceId,
  tokenId: TokenId,
): Promise<ReadonlySet<PersonId> | undefined> {
  const visibility = await readVisibility(read, workspaceId)
  if (visibility === 'workspace') return undefined
  const people = new Set(await listOwners(read, workspaceId))
  const token = await findToken(read, tokenId)
  if (token?.createdBy) people.add(token.createdBy)
  if (!token || visibility === 'own') return people
  const { createdBy, ownerGroup } = token
  const group = ownerGroup ? await listPeopleIn(read, ownerGroup) : []
  const beside = createdBy ? await peopleBeside(read, createdBy) : group
  for (const { personId } of beside) people.add(personId)
  return people
}

/** Looks with the eyes of the owner of a token; one without an owner sees only what it asked itself. */
export async function readTokenViewer(
  read: Read,
  { workspaceId, tokenId }: { workspaceId: WorkspaceId; tokenId: TokenId },
): Promise<Viewer> {
  const visibility = await readVisibility(read, workspaceId)
  if (visibility === 'workspace') return { workspaceId }
  const id = (await findToken(read, tokenId))?.createdBy ?? undefined
  const role = id && (await findRole(read, workspaceId, id))
  return role && role !== 'member'
    ? { workspaceId }
    : { workspaceId, id: id ?? '', sees: visibility }
}

/** Shows a question or notification to people, or to groups, whose token did not ask it. */
export async function addViewers(
  tx: Tx,
  rows: readonly { subjectId: SubjectId; who: PersonId | GroupId }[],
): Promise<void> {
  const insert = insertOne(tx)
  await together(...rows.map((row) => insert.execute(row)))
}

const insertOne = prepared((tx: Tx) =>
  tx.insert(viewers).values(placeholders(viewers)).onConflictDoNothing().prepare(),
)

/** Deletes to whom these were shown. */
export async function deleteViewers(tx: Tx, ids: readonly SubjectId[]): Promise<void> {
  if (ids.length > 0) await tx.delete(viewers).where(inArray(viewers.subjectId, [...ids]))
}

/** Deletes what was shown to a person. */
export async function dropViewer(tx: Tx, personId: PersonId): Promise<void> {
  await tx.delete(viewers).where(eq(viewers.who, personId))
}

function subjectsOf(read: Read, id: PersonId) {
  return read.select({ id: viewers.subjectId }).from(viewers).where(isFor(read, id))
}

async function isViewer(read: Read, subjectId: SubjectId, id: PersonId): Promise<boolean> {
  const rows = await read
    .select({ id: viewers.subjectId })
    .from(viewers)
    .where(and(eq(viewers.subjectId, subjectId), isFor(read, id)))
    .limit(1)
  return rows.length > 0
}

function isFor(read: Read, id: PersonId): SQL | undefined {
  return or(eq(viewers.who, id), inArray(viewers.who, groupsOf(read, id)))
}
