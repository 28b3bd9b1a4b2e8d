import { and, asc, eq, inArray, not, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { placeholdersOf, prepared, preparedFor } from '../../../platform/db/prepared.ts'
import { together } from '../../../platform/db/together.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { takesNoPart } from '../../accounts/model/off-store.ts'
import { anyTarget, type Targeting } from '../../wire/targeting.ts'
import type { SilentWhy, Subscriber, SubscriberId } from './subscriber.ts'
import { subscribers, subscriberTags } from './table.ts'

// Long lists are read in pieces, below every database's limit on parameters.
const PIECE = 500

/**
 * Stores a device. One with a known endpoint keeps its id, age and history, and belongs from now on
 * to the person who subscribed last.
 */
export async function saveSubscriber(tx: Tx, subscriber: Subscriber): Promise<Subscriber> {
  const { id, createdAt, tags, keys, ...fields } = subscriber
  const updates = {
    personId: fields.personId ?? null,
    kind: fields.kind,
    transport: fields.transport,
    p256dh: keys?.p256dh ?? null,
    auth: keys?.auth ?? null,
    authorization: fields.authorization ?? null,
    label: fields.label,
    externalId: fields.externalId ?? null,
    userAgent: fields.userAgent ?? null,
    signInId: fields.signInId ?? null,
    silentSince: null,
    silentWhy: null,
  }
  const [row] = await tx
    .insert(subscribers)
    .values({
      ...updates,
      id,
      workspaceId: fields.workspaceId,
      endpoint: fields.endpoint,
      createdAt,
    })
    .onConflictDoUpdate({ target: [subscribers.workspaceId, subscribers.endpoint], set: updates })
    .returning()
  if (!row) throw new Error('a subscriber was neither inserted nor updated')
  await replaceTags(tx, row.workspaceId, row.id, tags)
  return fromRow(row, tags)
}

/** Replaces the tags of a device. */
export async function replaceTags(
  tx: Tx,
  workspaceId: WorkspaceId,
  subscriberId: SubscriberId,
  tags: string[],
): Promise<void> {
  await tx.lock(`tags ${subscriberId}`)
  await tx.delete(subscriberTags).where(eq(subscriberTags.subscriberId, subscriberId))
  if (tags.length === 0) return
  const rows = [...new Set(tags)].map((tag) => ({ workspaceId, tag, subscriberId }))
  await tx.insert(subscriberTags).values(rows)
}

/** Gives a device its new endpoint and keys, which browsers change now and then. */
export async function moveSubscriber(
  tx: Tx,
  id: SubscriberId,
  to: { endpoint: string; keys: Subscriber['keys'] },
): Promise<void> {
  const { endpoint, keys } = to
  await tx
    .update(subscribers)
    .set({
      endpoint,
      p256dh: keys?.p256dh ?? null,
      auth: keys?.auth ?? null,
      silentSince: null,
      silentWhy: null,
    })
    .where(eq(subscribers.id, id))
}

/** Every device of a workspace, the oldest first. */
export async function listSubscribers(read: Read, workspaceId: WorkspaceId): Promise<Subscriber[]> {
  const rows = await findAll(read).execute({ workspaceId })
  if (rows.length === 0) return []
  const tags = tagsById(await findAllTags(read).execute({ workspaceId }))
  return rows.map((row) => fromRow(row, tags.get(row.id) ?? [])).sort(byId)
}

// Every question without a target reads all devices, and in SQLite sorting no rows takes longer
// than finding none.
const findAll = prepared((read: Read) =>
  read
    .select()
    .from(subscribers)
    .where(and(eq(subscribers.workspaceId, sql.placeholder('workspaceId')), isNotSilenced(read)))
    .prepare(),
)

/** Leaves out the devices of people who were switched off, and of auditors. */
function isNotSilenced(read: Read) {
  return not(takesNoPart(read, subscribers))
}

const findAllTags = prepared((read: Read) =>
  read
    .select()
    .from(subscriberTags)
    .where(eq(subscriberTags.workspaceId, sql.placeholder('workspaceId')))
    .orderBy(asc(subscriberTags.tag))
    .prepare(),
)

export async function findSubscriber(
  read: Read,
  workspaceId: WorkspaceId,
  id: SubscriberId,
): Promise<Subscriber | undefined> {
  const where = and(eq(subscribers.workspaceId, workspaceId), eq(subscribers.id, id))
  return (await selectSubscribers(read, where))[0]
}

export async function findSubscriberByEndpoint(
  read: Read,
  workspaceId: WorkspaceId,
  endpoint: string,
): Promise<Subscriber | undefined> {
  const where = and(eq(subscribers.workspaceId, workspaceId), eq(subscribers.endpoint, endpoint))
  return (await selectSubscribers(read, where))[0]
}

/** The devices with these ids that exist, by id. */
export async function readSubscribers(
  read: Read,
  ids: readonly SubscriberId[],
): Promise<Map<SubscriberId, Subscriber>> {
  const devices = new Map<SubscriberId, Subscriber>()
  for (const piece of pieces(ids)) {
    for (const device of await withIds(read, piece)) devices.set(device.id, device)
  }
  return devices
}

async function withIds(read: Read, ids: readonly SubscriberId[]): Promise<Subscriber[]> {
  const [rows, tags] = await together(findByIds(read, ids), tagsOf(read, ids))
  return rows.map((row) => fromRow(row, tags.get(row.id) ?? []))
}

const findByIds = preparedFor((read: Read, ids) =>
  read
    .select()
    .from(subscribers)
    .where(and(inArray(subscribers.id, ids), isNotSilenced(read)))
    .orderBy(asc(subscribers.id))
    .prepare(),
)

/**
 * Prepares reading the devices whose ids `ids` selects, the oldest first; called with the values of
 * its placeholders.
 */
export function subscribersIn(read: Read, ids: () => SQLWrapper) {
  const devices = read
    .select()
    .from(subscribers)
    .where(inArray(subscribers.id, ids()))
    .orderBy(asc(subscribers.id))
    .prepare()
  const allTags = read
    .select()
    .from(subscriberTags)
    .where(inArray(subscriberTags.subscriberId, ids()))
    .orderBy(asc(subscriberTags.tag))
    .prepare()
  return async (values: Record<string, unknown>): Promise<Subscriber[]> => {
    const [rows, tagRows] = await together(devices.execute(values), allTags.execute(values))
    const tags = tagsById(tagRows)
    return rows.map((row) => fromRow(row, tags.get(row.id) ?? []))
  }
}

/** Removes a device; false if it was not there. */
export async function forgetSubscriber(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: SubscriberId,
): Promise<boolean> {
  const where = and(eq(subscribers.workspaceId, workspaceId), eq(subscribers.id, id))
  return forgetWhere(tx, where)
}

/** Removes a device whose subscription has ended, unless it subscribed again meanwhile. */
export async function forgetEndpoint(tx: Tx, id: SubscriberId, endpoint: string): Promise<boolean> {
  return forgetWhere(tx, and(eq(subscribers.id, id), eq(subscribers.endpoint, endpoint)))
}

async function forgetWhere(tx: Tx, where: SQL | undefined): Promise<boolean> {
  const [deleted] = await tx.delete(subscribers).where(where).returning()
  if (!deleted) return false
  await tx.delete(subscriberTags).where(eq(subscriberTags.subscriberId, deleted.id))
  return true
}

/**
 * The devices a call is addressed to, each once, the oldest first: the union of what its fields
 * name, or every device if they name nothing (QS-RULE-1). An empty list names nothing, since
 * callers fill unused fields with one.
 */
export async function matchSubscribers(
  read: Read,
  workspaceId: WorkspaceId,
  targeting: Targeting,
): Promise<Subscriber[]> {
  const { externalIds = [], subscriberIds = [], tags = [] } = targeting
  if (!anyTarget(targeting)) return listSubscribers(read, workspaceId)
  const devices = new Map<SubscriberId, Subscriber>()
  for (const piece of pieces(externalIds)) {
    const condition = and(
      eq(subscribers.workspaceId, workspaceId),
      inArray(subscribers.externalId, piece),
    )
    for (const device of await selectSubscribers(read, condition)) devices.set(device.id, device)
  }
  for (const piece of pieces([...subscriberIds, ...(await taggedIds(read, workspaceId, tags))])) {
    for (const device of await withIds(read, piece as SubscriberId[]))
      if (device.workspaceId === workspaceId) devices.set(device.id, device)
  }
  return [...devices.values()].sort(byId)
}

/** Returns true if the workspace has any device at all. */
export async function anySubscriber(read: Read, workspaceId: WorkspaceId): Promise<boolean> {
  const rows = await read
    .select({ id: subscribers.id })
    .from(subscribers)
    .where(eq(subscribers.workspaceId, workspaceId))
    .limit(1)
  return rows.length > 0
}

async function taggedIds(
  read: Read,
  workspaceId: WorkspaceId,
  tags: string[],
): Promise<SubscriberId[]> {
  const ids: SubscriberId[] = []
  for (const piece of pieces(tags)) {
    const rows = await read
      .selectDistinct({ id: subscriberTags.subscriberId })
      .from(subscriberTags)
      .where(and(eq(subscriberTags.workspaceId, workspaceId), inArray(subscriberTags.tag, piece)))
    for (const { id } of rows) ids.push(id)
  }
  return ids
}

/** Records that these devices accepted a message at `at`. */
export async function recordSuccess(
  tx: Tx,
  ids: readonly SubscriberId[],
  at: number,
): Promise<void> {
  for (const piece of pieces(ids)) {
    await putSuccess(tx, piece, { lastSuccessAt: at })
  }
}

const putSuccess = preparedFor((tx: Tx, ids) =>
  tx
    .update(subscribers)
    .set(placeholdersOf(['lastSuccessAt']))
    .where(inArray(subscribers.id, ids))
    .prepare(),
)

/** Records that these devices could not be reached at `at`, all for the same reason. */
export async function recordError(
  tx: Tx,
  ids: readonly SubscriberId[],
  at: number,
  reason: string,
): Promise<void> {
  for (const piece of pieces(ids)) {
    await tx
      .update(subscribers)
      .set({ lastErrorAt: at, lastError: reason })
      .where(inArray(subscribers.id, piece))
  }
}

/**
 * Records that a device showed a message or that it was opened there; false if there is no such
 * device.
 */
export async function recordSeen(
  tx: Tx,
  id: SubscriberId,
  { what, at }: { what: 'shown' | 'opened'; at: number },
): Promise<boolean> {
  const rows = await tx
    .update(subscribers)
    .set(what === 'shown' ? { lastShownAt: at } : { lastOpenedAt: at })
    .where(eq(subscribers.id, id))
    .returning({ id: subscribers.id })
  return rows.length > 0
}

/** Records why nothing rings on a device by its own account; undefined: it does. */
export async function recordSilence(
  tx: Tx,
  id: SubscriberId,
  silence: { why: SilentWhy; since: number } | undefined,
): Promise<void> {
  const fields = { silentWhy: silence?.why ?? null, silentSince: silence?.since ?? null }
  await tx.update(subscribers).set(fields).where(eq(subscribers.id, id))
}

/** Devices with their tags. */
async function selectSubscribers(read: Read, where: SQL | undefined): Promise<Subscriber[]> {
  const rows = await read
    .select()
    .from(subscribers)
    .where(and(where, isNotSilenced(read)))
    .orderBy(asc(subscribers.id))
  const tags = await tagsOf(
    read,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => fromRow(row, tags.get(row.id) ?? []))
}

type TagsById = Map<SubscriberId, string[]>

async function tagsOf(read: Read, ids: readonly SubscriberId[]): Promise<TagsById> {
  const rows: Array<typeof subscriberTags.$inferSelect> = []
  for (const piece of pieces(ids)) rows.push(...(await findTagsByIds(read, piece)))
  return tagsById(rows)
}

const findTagsByIds = preparedFor((read: Read, ids) =>
  read
    .select()
    .from(subscriberTags)
    .where(inArray(subscriberTags.subscriberId, ids))
    .orderBy(asc(subscriberTags.tag))
    .prepare(),
)

function tagsById(rows: Array<typeof subscriberTags.$inferSelect>): TagsById {
  const tags: TagsById = new Map()
  for (const { subscriberId, tag } of rows) {
    tags.set(subscriberId, [...(tags.get(subscriberId) ?? []), tag])
  }
  return tags
}

function* pieces<T>(list: readonly T[]): Generator<T[]> {
  const unique = [...new Set(list)]
  for (let at = 0; at < unique.length; at += PIECE) yield unique.slice(at, at + PIECE)
}

function byId(a: Subscriber, b: Subscriber): number {
  return a.id < b.id ? -1 : 1
}

function fromRow(row: typeof subscribers.$inferSelect, tags: string[]): Subscriber {
  const { p256dh, auth, ...fields } = nullsToUndefined(row)
  return {
    ...fields,
    keys: p256dh && auth ? { p256dh, auth } : undefined,
    tags,
  }
}

/** Changes the given fields of a device; undefined if it no longer exists. */
export async function changeSubscriber(
  tx: Tx,
  of: { workspaceId: WorkspaceId; id: SubscriberId },
  to: { label?: string; externalId?: string | null; tags?: string[] },
): Promise<Subscriber | undefined> {
  const { workspaceId, id } = of
  const { tags, label, externalId } = to
  const here = and(eq(subscribers.workspaceId, workspaceId), eq(subscribers.id, id))
  if (label !== undefined) await tx.update(subscribers).set({ label }).where(here)
  if (externalId !== undefined) await tx.update(subscribers).set({ externalId }).where(here)
  const device = await findSubscriber(tx, workspaceId, id)
  if (!device || !tags) return device
  await replaceTags(tx, workspaceId, id, tags)
  return { ...device, tags }
}
