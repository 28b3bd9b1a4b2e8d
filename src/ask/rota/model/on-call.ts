import type { PersonId } from '../../accounts/model/ids.ts'
import { handoverOf, turnAt } from './handovers.ts'
import type { Override, Schedule } from './rota.ts'

/** A person of the workspace, as a rota sees them. */
export type RotaPerson = { id: PersonId; name: string; email: string; isAbsent: boolean }

/** Who is on call: a person, nobody, or it is not known; with the reason. */
export type Standing =
  /** `insteadOf` is whose turn it would be. */
  | { kind: 'person'; personId: PersonId; insteadOf?: PersonId }
  | { kind: 'nobody'; reason: string }
  | { kind: 'unknown'; reason: string }

/** Who is on call from `from` until `to`, which is undefined if that does not change. */
export type Shift = { from: number; to: number | undefined; standing: Standing }

/** Says whose turn it is, whatever overrides say. */
export type Plan = {
  at(at: number): Standing
  /** The first moment after `at` at which that may be another; undefined if there is none. */
  next(at: number): number | undefined
  /** The order in which somebody stands in for whoever is away. */
  order: readonly PersonId[]
}

export type Crew = ReadonlyMap<PersonId, RotaPerson>

/** The plan of people who take turns. */
export function planOf(schedule: Schedule, zone: string): Plan {
  const { people } = schedule
  const handovers = { ...schedule, zone }
  return {
    order: people,
    at(at) {
      const turn = turnAt(handovers, at)
      if (!turn) return nobody(`The rota begins on ${schedule.startsOn} at ${schedule.at}`)
      const personId = people[turn.number % people.length]
      return personId ? { kind: 'person', personId } : nobody('There is nobody in the rota')
    },
    next(at) {
      const turn = turnAt(handovers, at)
      if (turn && people.length < 2) return undefined
      return turn?.to ?? handoverOf(handovers, 0)
    },
  }
}

/** Who is on call at `at`: by the plan, or by the override that was made last. */
export function standingAt(
  plan: Plan,
  overrides: readonly Override[],
  crew: Crew,
  at: number,
): Standing {
  const now = overrides.filter(({ from, to }) => from <= at && at < to)
  const away = new Set(now.filter(({ kind }) => kind === 'away').map((one) => one.personId))
  const taker = now
    .filter(({ kind, personId }) => kind === 'takes' && !away.has(personId))
    .reduce<Override | undefined>((last, one) => (isLater(one, last) ? one : last), undefined)
  const planned = plan.at(at)
  if (taker) {
    const { personId } = taker
    return present({ kind: 'person', personId, ...insteadOf(planned, personId) }, crew)
  }
  if (planned.kind !== 'person' || !away.has(planned.personId)) return present(planned, crew)
  return standIn(plan, planned.personId, away, crew)
}

/** The shifts from `at` on, without those that change nothing; `to` of the last may be undefined. */
export function shiftsFrom(
  plan: Plan,
  overrides: readonly Override[],
  crew: Crew,
  at: number,
  most: number,
): Shift[] {
  const shifts: Shift[] = []
  let from: number | undefined = at
  for (let steps = 0; from !== undefined && steps < STEPS_MAX; steps++) {
    const standing = standingAt(plan, overrides, crew, from)
    const last = shifts.at(-1)
    if (last && Bun.deepEquals(last.standing, standing)) last.to = undefined
    else {
      if (last) last.to = from
      if (shifts.length === most) return shifts
      shifts.push({ from, to: undefined, standing })
    }
    from = nextChange(plan, overrides, from)
  }
  return shifts
}

// Turns of people who are away, or who are all the same person, change nothing.
const STEPS_MAX = 520

function nextChange(plan: Plan, overrides: readonly Override[], at: number): number | undefined {
  const edges = overrides.flatMap(({ from, to }) => [from, to])
  const next = [...edges, plan.next(at) ?? 0].filter((one) => one > at)
  return next.length > 0 ? Math.min(...next) : undefined
}

function isLater(one: Override, last: Override | undefined): boolean {
  return (
    !last ||
    one.createdAt > last.createdAt ||
    (one.createdAt === last.createdAt && one.id > last.id)
  )
}

function insteadOf(planned: Standing, personId: PersonId): { insteadOf?: PersonId } {
  const isOther = planned.kind === 'person' && planned.personId !== personId
  return isOther ? { insteadOf: planned.personId } : {}
}

/** Whoever was removed or switched off leaves a hole: nobody is moved into it unasked. */
function present(standing: Standing, crew: Crew): Standing {
  if (standing.kind !== 'person') return standing
  const person = crew.get(standing.personId)
  if (!person) return nobody('Whose turn it is was removed from the workspace')
  if (person.isAbsent) return nobody(`It is the turn of ${person.name}, who may not answer`)
  return standing
}

/** The next in the order who is neither away nor gone. */
function standIn(
  { order }: Plan,
  personId: PersonId,
  away: ReadonlySet<PersonId>,
  crew: Crew,
): Standing {
  const place = order.indexOf(personId)
  for (let step = 1; place !== -1 && step < order.length; step++) {
    const next = order[(place + step) % order.length] as PersonId
    const isHere = crew.get(next)?.isAbsent === false
    if (isHere && !away.has(next)) return { kind: 'person', personId: next, insteadOf: personId }
  }
  const name = nameIn(crew, personId)
  return nobody(`It is the turn of ${name}, who is away, and there is nobody else in the order`)
}

function nobody(reason: string): Standing {
  return { kind: 'nobody', reason }
}

export function nameIn(crew: Crew, id: PersonId): string {
  return crew.get(id)?.name ?? 'somebody who was removed'
}
