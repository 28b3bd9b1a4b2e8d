import type { Read } from '../../platform/db/database.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { listOwners } from '../accounts/model/person-store.ts'
import type { GroupId } from '../groups/model/group.ts'
import { readOnCall } from '../rota/read-on-call.ts'
import type { SubscriberId } from '../subscribers/model/subscriber.ts'
import { isGroupId, type Requirement } from '../votes/model/requirement.ts'
import { decidersOf, isNamed, type Voters } from '../votes/model/standing.ts'
import { readTarget, type Target } from '../votes/model/target.ts'
import { isSameName, listChannels } from './model/channel.ts'

/** Whom targets stand for at one moment, each once. */
export type Recipients = {
  people: PersonId[]
  /** Devices that belong to nobody, such as a channel of a chat. */
  channels: SubscriberId[]
  /** Targets that stand for nobody now, and why; for a hole in a rota owners are told. */
  missing: Array<{ target: Target; why: string }>
}

type World = { workspaceId: WorkspaceId; voters: Voters; now: number }

/** Reads whom a question under approver rules is told: whoever may decide, unless a rule names them. */
export async function readFirstRecipients(
  read: Read,
  requirement: Requirement,
  world: World,
): Promise<Recipients> {
  if (requirement.tell) return readRecipients(read, requirement.tell, world)
  const channels = await listChannels(read, world.workspaceId)
  return {
    people: decidersOf(requirement, world.voters),
    channels: channels.map(({ id }) => id),
    missing: [],
  }
}

/** Reads whom these targets stand for now. Nothing of it is stored: groups and rotas change. */
export async function readRecipients(
  read: Read,
  targets: readonly Target[],
  world: World,
): Promise<Recipients> {
  const all = await Promise.all(targets.map((target) => recipientsOf(read, target, world)))
  return {
    people: [...new Set(all.flatMap(({ people = [] }) => people))],
    channels: [...new Set(all.flatMap(({ channels = [] }) => channels))],
    missing: all.flatMap(({ why }, at) =>
      why === undefined ? [] : [{ target: targets[at] ?? '', why }],
    ),
  }
}

/**
 * Reads the people and groups that these targets name, and whoever is on call now: they see what they
 * are told of, also if nothing of theirs rings. Owners see everything.
 */
export async function readViewers(
  read: Read,
  targets: readonly Target[],
  world: World,
): Promise<Array<PersonId | GroupId>> {
  const ids = targets.map(readTarget).flatMap((one) => (one.is === 'who' ? [one.id] : []))
  const rotas = targets.filter((target) => readTarget(target).is === 'oncall')
  return [...ids, ...(await readRecipients(read, rotas, world)).people]
}

async function recipientsOf(
  read: Read,
  target: Target,
  { workspaceId, voters, now }: World,
): Promise<{ people?: PersonId[]; channels?: SubscriberId[]; why?: string }> {
  const one = readTarget(target)
  if (one.is === 'owners') {
    return { people: await ownersAmong(read, workspaceId, voters) }
  }
  if (one.is === 'channel') {
    const channels = (await listChannels(read, workspaceId)).filter(({ label }) =>
      isSameName(label, one.name),
    )
    if (channels.length === 0) return { why: 'There is no such channel' }
    return { channels: channels.map(({ id }) => id) }
  }
  if (one.is === 'oncall') return await onCall(read, one.name, { workspaceId, voters, now })
  const { id } = one
  const people = [...voters.values()].filter((voter) => isNamed(id, voter))
  if (people.length > 0) return { people: people.map((voter) => voter.id) }
  return { why: isGroupId(id) ? 'The group has nobody' : 'The person is gone' }
}

async function ownersAmong(read: Read, workspaceId: WorkspaceId, voters: Voters) {
  return (await listOwners(read, workspaceId)).filter((id) => voters.has(id))
}

async function onCall(read: Read, name: string, { workspaceId, voters, now }: World) {
  const one = await readOnCall(read, workspaceId, name, now)
  if (one.kind === 'person' && voters.has(one.personId)) return { people: [one.personId] }
  // Somebody has to learn of it.
  const people = await ownersAmong(read, workspaceId, voters)
  return { people, why: one.kind === 'person' ? 'Whoever is on call is gone' : one.reason }
}
