import { Failure, type WrongField, wrongFields } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { must, type Person } from '../accounts/model/person.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { about, lockRotas, type RotaDeps, requireRota } from './change-rotas.ts'
import { nameIn } from './model/on-call.ts'
import type { Override, OverrideId, Rota, RotaId } from './model/rota.ts'
import { deleteOverride, insertOverride, listOverrides } from './model/store.ts'
import { momentOf, ROTA_LIMITS } from './model/wrong-rota.ts'
import { readCrew } from './read-on-call.ts'

/** What an owner typed; times are of the rota’s zone, like `2026-10-19T09:00`, or end with `Z`. */
export type OverrideDraft = {
  personId: string
  kind: Override['kind']
  starts: string
  ends: string
}

// A year and its leap day.
const LONGEST_MS = 366 * 24 * 3_600_000

/**
 * Somebody takes a time over, or is away for it. A rota from the policy file takes overrides too.
 * Throws `forbidden`, `not_found`, `invalid_input`, and `conflict` for too many.
 */
export async function addOverride(
  { db, clock }: RotaDeps,
  by: Person,
  rotaId: RotaId,
  { personId, kind, starts, ends }: OverrideDraft,
): Promise<Override> {
  must(by, 'policy')
  const now = clock.now()
  const stamp = auditStamp(now)
  const id = newId('ovr', now)
  return await db.write(async (tx) => {
    await lockRotas(tx, by.workspaceId)
    const rota = await requireRota(tx, by.workspaceId, rotaId)
    const name = (await readCrew(tx, by.workspaceId)).get(personId)?.name
    const times = { from: momentOf(starts, rota.zone), to: momentOf(ends, rota.zone) }
    const wrong = [
      ...(name === undefined
        ? [{ field: 'person', must: 'must be somebody of this workspace' }]
        : []),
      ...wrongTimes(times, now),
    ]
    if (wrong.length > 0) throw wrongFields(wrong)
    if ((await listOverrides(tx, [rotaId], now)).length >= ROTA_LIMITS.overrides) throw full()
    const { from = 0, to = 0 } = times
    const override = { id, rotaId, personId, kind, from, to, createdAt: now }
    await insertOverride(tx, by.workspaceId, override)
    const detail = overrideWords(rota, override, name ?? '')
    await recordChange(tx, stamp, { ...about(by, rota), detail })
    return override
  })
}

/** Takes an override back. Throws `forbidden` and `not_found`. */
export async function removeOverride(
  { db, clock }: RotaDeps,
  by: Person,
  rotaId: RotaId,
  id: OverrideId,
): Promise<void> {
  must(by, 'policy')
  const stamp = auditStamp(clock.now())
  await db.write(async (tx) => {
    await lockRotas(tx, by.workspaceId)
    const rota = await requireRota(tx, by.workspaceId, rotaId)
    const override = await deleteOverride(tx, rota, id)
    if (!override) throw new Failure('not_found', 'This change of the rota is gone already.')
    const name = nameIn(await readCrew(tx, by.workspaceId), override.personId)
    const words = overrideWords(rota, override, name)
    await recordChange(tx, stamp, { ...about(by, rota), detail: `no longer: ${words}` })
  })
}

type Times = { from: number | undefined; to: number | undefined }

function wrongTimes({ from, to }: Times, now: number): WrongField[] {
  const wrong: WrongField[] = []
  const must = 'must be a date and a time like 2026-10-19 09:00'
  if (from === undefined) wrong.push({ field: 'starts', must })
  if (to === undefined) wrong.push({ field: 'ends', must })
  if (from === undefined || to === undefined) return wrong
  if (to <= from) return [{ field: 'ends', must: 'must be after the beginning' }]
  if (to <= now) return [{ field: 'ends', must: 'must not be over' }]
  if (to - from > LONGEST_MS) return [{ field: 'ends', must: 'must be within a year' }]
  return []
}

/** `Ana takes over from 2026-10-19 09:00 to 2026-10-20 09:00 (Europe/Berlin)` */
function overrideWords(
  { zone }: Rota,
  { kind, from, to }: Pick<Override, 'kind' | 'from' | 'to'>,
  name: string,
): string {
  const act = kind === 'takes' ? 'takes over' : 'is away'
  return `${name} ${act} from ${local(from, zone)} to ${local(to, zone)} (${zone})`
}

function local(at: number, zone: string): string {
  const time = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  return time.toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ')
}

function full(): Failure {
  const message = `A rota has at most ${ROTA_LIMITS.overrides} such changes; remove some first.`
  return new Failure('conflict', message)
}
