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
import {
  calendarUrl,
  ROTA_LIMITS,
  wrongRotaName,
  wrongSchedule,
  wrongZone,
} from './model/wrong-rota.ts'
import { readCrew } from './read-on-call.ts'

export type RotaDeps = { db: Db; clock: Clock }

/** What an owner typed: turns, or the address of a calendar. */
export type RotaDraft = { name: string; zone: string; schedule?: Schedule; url?: string }

/** What changes; the rest stays. */
export type RotaChanges = Partial<Omit<RotaDraft, 'schedule'>> & { schedule?: Partial<Schedule> }

/** Sets up a rota. Throws `forbidden`, `invalid_input`, and `conflict` for a name that is taken. */
export async function addRota(
  { db, clock }: RotaDeps,
  by: Person,
  draft: RotaDraft,
): Promise<Rota> {
  must(by, 'policy')
  const name = cleanLine(draft.name)
  const { zone, schedule, url } = draft
  requireFit([
    ...wrongRota({ name, zone, schedule }),
    ...wrongKind(schedule, url),
    ...wrongUrl(url),
  ])
  const now = clock.now()
  const { workspaceId } = by
  const id = newId('rota', now)
  const rota: Rota = { id, workspaceId, name, source: 'hand', zone, schedule, createdAt: now }
  const stamp = auditStamp(now)
  await db.write(async (tx) => {
    await lockRotas(tx, workspaceId)
    await requirePeople(tx, rota)
    if ((await listRotas(tx, workspaceId)).length >= ROTA_LIMITS.rotas) throw full()
    if (!(await insertRota(tx, rota))) throw taken(name)
    await putUrl(tx, id, url)
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
  { url, schedule, ...changes }: RotaChanges,
): Promise<Rota> {
  must(by, 'policy')
  const stamp = auditStamp(clock.now())
  const { workspaceId } = by
  return await db.write(async (tx) => {
    await lockRotas(tx, workspaceId)
    const before = await requireOwnRota(tx, workspaceId, id)
    const rota = withChanges(before, changes, schedule)
    requireFit([...wrongRota(rota), ...wrongChange(before, schedule, url), ...wrongUrl(url)])
    const isTaken = rota.name !== before.name && (await findRotaByName(tx, workspaceId, rota.name))
    if (isTaken) throw taken(rota.name)
    await requirePeople(tx, rota, before)
    await putRota(tx, rota)
    await putUrl(tx, id, url)
    const detail = changeWords(before, rota, url !== undefined)
    if (detail !== '') await recordChange(tx, stamp, { ...about(by, rota), detail })
    return rota
  })
}

function withChanges(
  before: Rota,
  { name = before.name, zone = before.zone }: RotaChanges,
  schedule: RotaChanges['schedule'],
): Rota {
  const turns = before.schedule && { ...before.schedule, ...schedule }
  return { ...before, name: cleanLine(name), zone, schedule: turns }
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

function requireFit(wrong: readonly WrongField[]): void {
  if (wrong.length > 0) throw wrongFields([...wrong])
}

function wrongRota({ name, zone, schedule }: Pick<Rota, 'name' | 'zone' | 'schedule'>) {
  const turns = schedule ? wrongSchedule(schedule) : []
  return [...wrongRotaName(name), ...wrongZone(zone), ...turns]
}

/** A new rota is either of people or of a calendar. */
function wrongKind(schedule: unknown, url: string | undefined): WrongField[] {
  if (schedule === undefined && url === undefined) return NO_CALENDAR
  return schedule !== undefined && url !== undefined ? BOTH : []
}

/** Turns stay turns, and a calendar stays one. */
function wrongChange(before: Rota, schedule: unknown, url: string | undefined): WrongField[] {
  if (before.schedule) return url === undefined ? [] : BOTH
  const must = 'must be left out, since a calendar says who is on call'
  return schedule === undefined ? [] : [{ field: 'people', must }]
}

const NO_CALENDAR = [{ field: 'url', must: 'must be the address of a calendar' }]
const BOTH = [{ field: 'url', must: 'must be left out, since people take turns' }]

function wrongUrl(url: string | undefined): WrongField[] {
  if (url === undefined || calendarUrl(url) !== undefined) return []
  return [{ field: 'url', must: 'must be an https or webcal address' }]
}

/** The address was checked before. */
async function putUrl(tx: Tx, id: RotaId, url: string | undefined): Promise<void> {
  const address = url === undefined ? undefined : calendarUrl(url)
  if (address !== undefined) await putFeedUrl(tx, id, address)
}

/** People who were removed stay where they are; nobody from elsewhere comes in. */
async function requirePeople(tx: Tx, { workspaceId, schedule }: Rota, before?: Rota) {
  const crew = await readCrew(tx, workspaceId)
  const own = new Set([...crew.keys(), ...(before?.schedule?.people ?? [])])
  if (schedule?.people.every((one) => own.has(one)) === false)
    throw wrongFields([{ field: 'people', must: 'must be ids of people of this workspace' }])
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
