import type { Tx } from '../../platform/db/database.ts'
import type { Id } from '../../platform/ids.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { listPeople } from '../accounts/model/person-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { lockGroups, wrongGroupName } from '../groups/groups.ts'
import type { Group, GroupSource } from '../groups/model/group.ts'
import { insertGroup, listGroupMembers, listGroups, putGroupsOf } from '../groups/model/store.ts'
import type { Provider } from './model/provider.ts'

/**
 * Puts a person into the groups here that stand for groups of the provider, and takes them out of
 * the others of this source. A group that is missing is made, with the id that is ready for it.
 */
export async function syncGroups(
  tx: Tx,
  { id, workspaceId, groups, name: provider }: Provider,
  { personId, names }: { personId: PersonId; names: readonly string[] },
  { now, newId }: { now: number; newId: (index: number) => Id<'group'> },
): Promise<void> {
  if (groups.length === 0) return
  await lockGroups(tx, workspaceId)
  const source: GroupSource = `provider:${id}`
  const existing = await listGroups(tx, workspaceId)
  const ids: Group['id'][] = []
  for (const [index, entry] of groups.entries()) {
    const { external, name } = readEntry(entry)
    if (!names.includes(external)) continue
    const here = existing.find((one) => one.source === source && one.externalId === external)
    const group = here ?? {
      ...{ id: newId(index), workspaceId, name, source, externalId: external },
      createdAt: now,
    }
    // A group of this name that is made by hand stays what it is.
    if (here || (wrongGroupName(name).length === 0 && (await insertGroup(tx, group)))) {
      ids.push(group.id)
    }
  }
  await putGroups(tx, { workspaceId, personId }, { source, provider, ids, now })
}

/** Takes a person out of all groups in which an account at this provider put them. */
export async function leaveGroups(
  tx: Tx,
  whose: { workspaceId: WorkspaceId; personId: PersonId },
  { id, name: provider, now }: Pick<Provider, 'id' | 'name'> & { now: number },
): Promise<void> {
  await lockGroups(tx, whose.workspaceId)
  await putGroups(tx, whose, { source: `provider:${id}`, provider, ids: [], now })
}

type Put = { source: GroupSource; provider: string; ids: Group['id'][]; now: number }

async function putGroups(
  tx: Tx,
  { workspaceId, personId }: { workspaceId: WorkspaceId; personId: PersonId },
  { source, provider, ids, now }: Put,
): Promise<void> {
  const before = (await listGroupMembers(tx, workspaceId))
    .filter((one) => one.personId === personId && one.source === source)
    .map(({ groupId }) => groupId)
  await putGroupsOf(tx, { workspaceId, personId }, source, ids)
  const [person] = await listPeople(tx, workspaceId, [personId])
  for (const group of await listGroups(tx, workspaceId)) {
    const [wasIn, isIn] = [before.includes(group.id), ids.includes(group.id)]
    if (wasIn === isIn) continue
    await recordChange(tx, auditStamp(now), {
      ...{ workspaceId, kind: 'group.changed', subjectId: group.id, subjectName: group.name },
      detail: `${person?.name ?? personId} ${isIn ? 'added' : 'removed'}, by ${provider}`,
    })
  }
}

/** `engineers`, or `5c1f0e2a=engineers` where the provider sends ids. */
function readEntry(entry: string): { external: string; name: string } {
  const at = entry.lastIndexOf('=')
  if (at <= 0) return { external: entry, name: entry }
  return { external: entry.slice(0, at), name: entry.slice(at + 1).trim() }
}
