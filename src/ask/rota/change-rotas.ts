import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure, type WrongField, wrongFields } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { cleanLine } from '../../platform/text.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { must, type Person } from '../accounts/model/person.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { putFeedUrl } from './model/feed-store.ts'
import type { Rota, RotaId, Schedule } from './model/rota.ts'
import {
  deleteRota,
  findRota,
  findRotaByName,
  insertRota,
  listRotas,
  putRota,
} from './model/store.ts'
import { ROTA_LIMITS, wrongRotaName, wrongSchedule, wrongZone } from './model/wrong-rota.ts'
import { readCrew } from './read-on-call.ts'

export type RotaDeps = { db: Db; clock: Clock }

/** What an owner typed: turns, or the address of a calendar; without either the calendar stays. */
export type RotaDraft = { name: string; zone: string; schedule?: Schedule; url?: string }

/** Sets up a rota. Throws `forbidden`, `invalid_input`, and `conflict` for a name that is taken. */
export async function addRota(
  { db, clock }: RotaDeps,
  by: Person,
  draft: RotaDraft,
): Promise<Rota> {
  must(by, 'policy')
  const name = cleanLine(draft.name)
  requireFit({ ...draft, name }, draft.url === undefined && !draft.schedule)
  const now = clock.now()
  const { workspaceId } = by
  const { zone, schedule, url } = draft
  const id = newId('rota', now)
  const rota: Rota = { id, workspaceId, name, source: 'hand', zone, schedule, createdAt: now }
  const stamp = auditStamp(now)
  await db.write(async (tx) => {
    await lockRotas(tx, workspaceId)
    await requirePeople(tx, rota)
    if ((await listRotas(tx, workspaceId)).length >= ROTA_LIMITS.rotas) throw full()
    if (!(await insertRota(tx, rota))) throw taken(name)
    if (url !== undefined) await putFeedUrl(tx, id, url)
    await recordChange(tx, stamp, { ...about(by, rota), detail: 'added' })
  })
  return rota
}

/**
 * Changes name, zone, and turns or calendar. Throws `forbidden`, `not_found`, `invalid_input`, and
 * `conflict` if the name is taken or the rota comes from the policy file.
 */
export async function changeRota(
  { db, clock }: RotaDeps,
  by: Person,
  id: RotaId,
  draft: RotaDraft,
): Promise<void> {
  must(by, 'policy')
  const name = cleanLine(draft.name)
  requireFit({ ...draft, name }, false)
  const stamp = auditStamp(clock.now())
  const { workspaceId } = by
  await db.write(async (tx) => {
    await lockRotas(tx, workspaceId)
    const before = await requireOwnRota(tx, workspaceId, id)
    const other = name === before.name ? undefined : await findRotaByName(tx, workspaceId, name)
    if (other) throw taken(name)
    const { zone, schedule, url } = draft
    const rota: Rota = { ...before, name, zone, schedule: before.schedule && schedule }
    await requirePeople(tx, rota, before)
    await putRota(tx, rota)
    if (!rota.schedule && url !== undefined) await putFeedUrl(tx, id, url)
    const detail = changeWords(before, rota, url !== undefined)
    if (detail !== '') await recordChange(tx, stamp, { ...about(by, rota), detail })
  })
}

/** Removes a rota. Throws `forbidden`, `not_found`, and `conflict` for one from the policy file. */
export async function removeRota({ db, clock }: RotaDeps, by: Person, id: RotaId): Promise<void> {
  must(by, 'policy')
  const stamp = auditStamp(clock.now())
  const { workspaceId } = by
  await db.write(async (tx) => {
    await lockRotas(tx, workspaceId)
    const rota = await requireOwnRota(tx, workspaceId, id)
    await deleteRota(tx, workspaceId, id)
    await recordChange(tx, stamp, { ...about(by, rota), detail: 'removed' })
  })
}

/** Whoever adds, changes or deletes rotas of a workspace holds this lock until commit. */
export function lockRotas(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  return tx.lock(`rotas ${workspaceId}`)
}

/** A rota of the workspace. Throws `not_found`. */
export async function requireRota(
  read: Parameters<typeof findRota>[0],
  workspaceId: WorkspaceId,
  id: RotaId,
): Promise<Rota> {
  const rota = await findRota(read, workspaceId, id)
  if (!rota) throw new Failure('not_found', 'There is no such rota here.')
  return rota
}

async function requireOwnRota(tx: Tx, workspaceId: WorkspaceId, id: RotaId): Promise<Rota> {
  const rota = await requireRota(tx, workspaceId, id)
  if (rota.source === 'file') throw fromFile(rota)
  return rota
}

function requireFit({ name, zone, schedule }: RotaDraft, isEmpty: boolean): void {
  const wrong: WrongField[] = [
    ...wrongRotaName(name),
    ...wrongZone(zone),
    ...(schedule ? wrongSchedule(schedule) : []),
    ...(isEmpty ? [{ field: 'url', must: 'must be the address of a calendar' }] : []),
  ]
  if (wrong.length > 0) throw wrongFields(wrong)
}

/** People who were removed stay where they are; nobody from elsewhere comes in. */
async function requirePeople(tx: Tx, { workspaceId, schedule }: Rota, before?: Rota) {
  const crew = await readCrew(tx, workspaceId)
  const own = new Set([...crew.keys(), ...(before?.schedule?.people ?? [])])
  if (schedule?.people.every((one) => own.has(one)) === false)
    throw wrongFields([{ field: 'people', must: 'must be people of this workspace' }])
}

/** `renamed, was platform; turns changed`, or nothing. The address of a calendar is in no trail. */
function changeWords(before: Rota, now: Rota, hasUrl: boolean): string {
  const isSame = (one: keyof Rota) => Bun.deepEquals(before[one], now[one])
  return [
    ...(isSame('name') ? [] : [`renamed, was ${before.name}`]),
    ...(isSame('zone') ? [] : [`time zone ${now.zone}`]),
    ...(isSame('schedule') ? [] : ['turns changed']),
    ...(hasUrl ? ['calendar changed'] : []),
  ].join('; ')
}

/** What the audit trail says of each change of a rota. */
export function about(by: Person, { id, name }: Pick<Rota, 'id' | 'name'>) {
  const { workspaceId, id: personId, name: personName } = by
  const kind = 'rota.changed' as const
  return { kind, workspaceId, personId, personName, subjectId: id, subjectName: name }
}

function full(): Failure {
  const message = `A workspace has at most ${ROTA_LIMITS.rotas} rotas; remove some first.`
  return new Failure('conflict', message)
}

function taken(name: string): Failure {
  return new Failure('conflict', `There is a rota ${name} already; nothing was changed.`)
}

function fromFile({ name }: Rota): Failure {
  return new Failure('conflict', `${name} comes from the policy file; change it there.`)
}
