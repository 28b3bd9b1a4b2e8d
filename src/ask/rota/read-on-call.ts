import type { Read } from '../../platform/db/database.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { isAuditor } from '../accounts/model/person.ts'
import { listPeople } from '../accounts/model/person-store.ts'
import { planOfFeed } from './model/feed-plan.ts'
import { listFeeds } from './model/feed-store.ts'
import { type Crew, type Plan, planOf, type Shift, shiftsFrom } from './model/on-call.ts'
import type { Override, Rota, RotaFeed } from './model/rota.ts'
import { findRotaByName, listOverrides, listRotas } from './model/store.ts'

/** The shift now and the handovers that are shown after it. */
export const SHIFTS_SHOWN = 5

/** Who is on call; `until` is when that changes, undefined if it does not. */
type OnCall =
  | { kind: 'person'; personId: PersonId; until: number | undefined }
  | { kind: 'nobody'; reason: string }
  | { kind: 'unknown'; reason: string }

/**
 * Reads who is on call in a rota at a time, in milliseconds. Nobody, and not knowing, have a reason
 * that is a sentence without its end.
 */
export async function readOnCall(
  read: Read,
  workspaceId: WorkspaceId,
  name: string,
  at: number,
): Promise<OnCall> {
  const rota = await findRotaByName(read, workspaceId, name)
  if (!rota) return { kind: 'unknown', reason: `There is no rota ${name}` }
  const crew = await readCrew(read, workspaceId)
  const [state] = await readStates(read, [rota], crew, { at, now: at, most: 1 })
  const shift = state?.shifts[0]
  if (shift?.standing.kind === 'person') {
    return { kind: 'person', personId: shift.standing.personId, until: shift.to }
  }
  return shift?.standing ?? { kind: 'unknown', reason: 'The rota is empty' }
}

/** A rota as it is at a time: what overrides it, and its shifts from then on. */
export type RotaState = {
  rota: Rota
  overrides: Override[]
  feed: RotaFeed | undefined
  shifts: Shift[]
}

/** The rotas of a workspace, oldest first, with their next `most` shifts, and the people they are about. */
export async function readRotas(
  read: Read,
  workspaceId: WorkspaceId,
  at: number,
  most: number,
): Promise<{ states: RotaState[]; crew: Crew }> {
  const crew = await readCrew(read, workspaceId)
  const byName = await listRotas(read, workspaceId)
  const rotas = byName.toSorted((a, b) => a.createdAt - b.createdAt)
  return { states: await readStates(read, rotas, crew, { at, now: at, most }), crew }
}

/** The state of each of these rotas of one workspace at `at`, as it is known `now`. */
export async function readStates(
  read: Read,
  rotas: readonly Rota[],
  crew: Crew,
  { at, now, most }: { at: number; now: number; most: number },
): Promise<RotaState[]> {
  const ids = rotas.map(({ id }) => id)
  const all = await listOverrides(read, ids, at)
  const fed = rotas.filter(({ schedule }) => !schedule).map(({ id }) => id)
  const feeds = new Map((await listFeeds(read, fed)).map((one) => [one.rotaId, one]))
  return rotas.map((rota) => {
    const overrides = all.filter(({ rotaId }) => rotaId === rota.id)
    const feed = feeds.get(rota.id)
    const plan: Plan = rota.schedule
      ? planOf(rota.schedule, rota.zone)
      : planOfFeed(feed, crew, now)
    return { rota, overrides, feed, shifts: shiftsFrom(plan, overrides, crew, at, most) }
  })
}

/** The people of a workspace by id, and who of them may not answer. */
export async function readCrew(read: Read, workspaceId: WorkspaceId): Promise<Crew> {
  const people = await listPeople(read, workspaceId)
  return new Map(
    people.map((one) => {
      const isAbsent = one.offAt !== null || isAuditor(one)
      return [one.id, { id: one.id, name: one.name, email: one.email, isAbsent }]
    }),
  )
}
