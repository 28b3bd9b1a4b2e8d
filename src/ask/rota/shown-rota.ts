import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import { omitUndefined } from '../../platform/json.ts'
import { oneOf } from '../../platform/schema.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import type { Crew, Shift } from './model/on-call.ts'
import type { Override, RotaFeed } from './model/rota.ts'
import type { RotaState } from './read-on-call.ts'

const time = (description: string) => Type.String({ format: 'date-time', description })
const later = (description: string) => Type.Optional(time(description))

const ShownPerson = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String({ description: 'Missing for somebody who was removed.' })),
  email: Type.Optional(Type.String()),
})

/** Who is on call for a time, as programs read it; agents are told names alone. */
const standingOf = <P extends TSchema>(person: P) => ({
  is: oneOf(['person', 'nobody', 'unknown'], {
    description: 'Where it is nobody, or not known, owners are told instead.',
  }),
  person: Type.Optional(person),
  insteadOf: Type.Optional({ ...person, description: 'Whose turn it would be.' } as P),
  reason: Type.Optional(Type.String({ description: 'Why it is nobody, or not known.' })),
  until: later('When that changes; missing if it does not.'),
})

export const ShownOverride = Type.Object({
  id: Type.String(),
  person: ShownPerson,
  kind: oneOf(['takes', 'away'], {
    description: 'Takes over whoever’s turn it is, or is away: the next has their turns.',
  }),
  starts: time('When it begins.'),
  ends: time('The first moment after it.'),
})

export const ShownRota = Type.Object({
  id: Type.String(),
  name: Type.String({ description: 'Rules name it as `oncall:NAME`.' }),
  zone: Type.String({ description: 'The time zone of handovers.' }),
  source: oneOf(['hand', 'file'], { description: 'Set up here, or in the policy file.' }),
  from: Type.Optional(Type.String({ description: 'The date of the first handover.' })),
  at: Type.Optional(Type.String({ description: 'The time of handovers, in its zone.' })),
  everyDays: Type.Optional(Type.Integer()),
  people: Type.Optional(Type.Array(ShownPerson, { description: 'In the order of their turns.' })),
  calendar: Type.Optional(
    Type.Object({
      host: Type.String({ description: 'Of its address, which is not shown again.' }),
      readAt: later('When it was last read.'),
      problem: Type.Optional(Type.String({ description: 'Why it could not be read since.' })),
    }),
  ),
  overrides: Type.Array(ShownOverride),
  shifts: Type.Array(
    Type.Object({ starts: time('When it begins; of the first: now.'), ...standingOf(ShownPerson) }),
    { description: 'Who is on call now, and the next four handovers.' },
  ),
  createdAt: time('When it was set up.'),
})

export const OnCall = Type.Object({
  rota: Type.String(),
  at: time('The time that was asked for.'),
  ...standingOf(Type.Partial(ShownPerson, { description: 'Agents are told the name alone.' })),
})

export function shownRota(
  { rota, feed, ...state }: RotaState,
  crew: Crew,
): Static<typeof ShownRota> {
  const { id, name, zone, source, schedule, createdAt } = rota
  return omitUndefined({
    ...{ id, name, zone, source },
    from: schedule?.startsOn,
    at: schedule?.at,
    everyDays: schedule?.everyDays,
    people: schedule?.people.map((one) => shownPerson(one, crew)),
    calendar: feed && shownFeed(feed),
    overrides: state.overrides.map((one) => shownOverride(one, crew)),
    shifts: state.shifts.map((one) => ({
      starts: isoTime(one.from),
      ...shownStanding(one, crew, shownPerson),
    })),
    createdAt: isoTime(createdAt),
  })
}

export function shownStanding<P>(
  { standing, to }: Shift,
  crew: Crew,
  show: (id: PersonId, crew: Crew) => P,
) {
  const until = to === undefined ? undefined : isoTime(to)
  const { kind: is } = standing
  if (standing.kind !== 'person') return omitUndefined({ is, reason: standing.reason, until })
  const { personId, insteadOf } = standing
  const other = insteadOf === undefined ? undefined : show(insteadOf, crew)
  return omitUndefined({ is, person: show(personId, crew), insteadOf: other, until })
}

export function shownOverride(
  { id, personId, kind, from, to }: Override,
  crew: Crew,
): Static<typeof ShownOverride> {
  const person = shownPerson(personId, crew)
  return { id, person, kind, starts: isoTime(from), ends: isoTime(to) }
}

/** Somebody who was removed keeps their id and has no name. */
export function shownPerson(id: PersonId, crew: Crew): Static<typeof ShownPerson> {
  const { name, email } = crew.get(id) ?? {}
  return omitUndefined({ id, name, email })
}

/** What an agent is told of somebody. */
export function nameOf(id: PersonId, crew: Crew): { name?: string } {
  return omitUndefined({ name: crew.get(id)?.name })
}

function shownFeed({ url, readAt, problem }: RotaFeed) {
  const host = URL.parse(url)?.host ?? ''
  return omitUndefined({
    host,
    readAt: readAt === undefined ? undefined : isoTime(readAt),
    problem,
  })
}
