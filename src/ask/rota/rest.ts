import { type Static, Type } from '@sinclair/typebox'
import { omitUndefined } from '../../platform/json.ts'
import { oneOf } from '../../platform/schema.ts'
import type { Person } from '../accounts/model/person.ts'
import { personRoute, type Route, withDeps } from '../rest/route.ts'
import { addRota, changeRota, type RotaDeps, removeRota, requireRota } from './change-rotas.ts'
import type { OverrideId, RotaId, Schedule } from './model/rota.ts'
import { ROTA_LIMITS } from './model/wrong-rota.ts'
import { getOnCall } from './on-call-route.ts'
import { addOverride, removeOverride } from './override-rota.ts'
import { readCrew, readRotas, readStates, SHIFTS_SHOWN } from './read-on-call.ts'
import { ShownOverride, ShownRota, shownOverride, shownRota } from './shown-rota.ts'

const optional = Type.Optional

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: ROTA_LIMITS.name,
    description: 'Rules name it as `oncall:NAME`.',
  }),
  zone: Type.String({ maxLength: 64, description: 'A time zone like Europe/Berlin.' }),
  from: optional(
    Type.String({ maxLength: 10, description: 'The first handover, like 2026-10-19.' }),
  ),
  at: optional(
    Type.String({ maxLength: 5, description: 'Handovers are at this time.', default: '09:00' }),
  ),
  everyDays: optional(Type.Integer({ minimum: 1, maximum: ROTA_LIMITS.days, default: 7 })),
  people: optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: ROTA_LIMITS.people,
      description: 'Their ids, in the order of their turns.',
    }),
  ),
  url: optional(
    Type.String({
      maxLength: 2_000,
      description:
        'The iCalendar address of a calendar that says who is on call, in place of turns. It is not shown again.',
    }),
  ),
}
const NewRota = Type.Object(fields, { additionalProperties: false })
const Changes = Type.Partial(NewRota, { additionalProperties: false })

const getRotas = personRoute(
  {
    method: 'GET',
    path: '/rotas',
    summary: 'Rotas, oldest first: who is on call now, and the next four handovers.',
    result: Type.Object({ rotas: Type.Array(ShownRota) }),
  },
  async ({ db, clock }: RotaDeps, { person: { workspaceId } }) => {
    const { states, crew } = await readRotas(db.read, workspaceId, clock.now(), SHIFTS_SHOWN)
    return { rotas: states.map((one) => shownRota(one, crew)) }
  },
)

const getRota = personRoute(
  {
    method: 'GET',
    path: '/rotas/:id',
    summary: 'One rota: who is on call now, and the next four handovers.',
    result: ShownRota,
    problems: ['not_found'],
  },
  (deps: RotaDeps, { person, params }) => readShown(deps, person, params.id as RotaId),
)

const postRota = personRoute(
  {
    method: 'POST',
    path: '/rotas',
    summary:
      'Set up a rota: of people who take turns (`from`, `people`), or of a calendar (`url`).',
    needs: 'policy',
    input: NewRota,
    result: ShownRota,
    status: 201,
    problems: ['conflict'],
  },
  async (deps: RotaDeps, { person, input }) => {
    const { name, zone, url } = input
    const { startsOn = '', at = '09:00', everyDays = 7, people = [] } = turnsOf(input) ?? {}
    const isTurns = url === undefined || turnsOf(input) !== undefined
    const schedule = isTurns ? { startsOn, at, everyDays, people } : undefined
    const { id } = await addRota(deps, person, omitUndefined({ name, zone, url, schedule }))
    return await readShown(deps, person, id)
  },
)

const patchRota = personRoute(
  {
    method: 'PATCH',
    path: '/rotas/:id',
    summary: 'Change some fields of a rota; the others stay.',
    needs: 'policy',
    input: Changes,
    result: ShownRota,
    problems: ['not_found', 'conflict'],
  },
  async (deps: RotaDeps, { person, params, input }) => {
    const { name, zone, url } = input
    const changes = omitUndefined({ name, zone, url, schedule: turnsOf(input) })
    const { id } = await changeRota(deps, person, params.id as RotaId, changes)
    return await readShown(deps, person, id)
  },
)

const deleteRota = personRoute(
  {
    method: 'DELETE',
    path: '/rotas/:id',
    summary: 'Remove a rota; where it is to be told, owners are told instead.',
    needs: 'policy',
    problems: ['not_found', 'conflict'],
  },
  (deps: RotaDeps, { person, params }) => removeRota(deps, person, params.id as RotaId),
)

const postOverride = personRoute(
  {
    method: 'POST',
    path: '/rotas/:id/overrides',
    summary: 'For a time, somebody takes over or is away; also in a rota from the policy file.',
    needs: 'policy',
    input: Type.Object(
      {
        person: Type.String({ maxLength: 64, description: 'The id of the person.' }),
        kind: oneOf(['takes', 'away'], {
          description: 'Takes over whoever’s turn it is, or is away: the next has their turns.',
        }),
        starts: Type.String({ format: 'date-time' }),
        ends: Type.String({ format: 'date-time', description: 'The first moment after it.' }),
      },
      { additionalProperties: false },
    ),
    result: ShownOverride,
    status: 201,
    problems: ['not_found', 'conflict'],
  },
  async (deps: RotaDeps, { person, params, input: { person: personId, ...rest } }) => {
    const draft = { personId, ...rest }
    const override = await addOverride(deps, person, params.id as RotaId, draft)
    return shownOverride(override, await readCrew(deps.db.read, person.workspaceId))
  },
)

const deleteOverride = personRoute(
  {
    method: 'DELETE',
    path: '/rotas/:id/overrides/:override',
    summary: 'Take an override back.',
    needs: 'policy',
    problems: ['not_found'],
  },
  (deps: RotaDeps, { person, params: { id, override } }) =>
    removeOverride(deps, person, id as RotaId, override as OverrideId),
)

function turnsOf({ from: startsOn, at, everyDays, people }: Static<typeof Changes>) {
  const turns: Partial<Schedule> = omitUndefined({ startsOn, at, everyDays, people })
  return Object.keys(turns).length > 0 ? turns : undefined
}

async function readShown({ db, clock }: RotaDeps, { workspaceId }: Person, id: RotaId) {
  const rota = await requireRota(db.read, workspaceId, id)
  const crew = await readCrew(db.read, workspaceId)
  const now = clock.now()
  const [state] = await readStates(db.read, [rota], crew, { at: now, now, most: SHIFTS_SHOWN })
  if (!state) throw new Error('a rota has a state')
  return shownRota(state, crew)
}

export function rotaRoutes(deps: RotaDeps): Route[] {
  return withDeps(deps, [
    getRotas,
    getRota,
    postRota,
    patchRota,
    deleteRota,
    postOverride,
    deleteOverride,
    getOnCall,
  ])
}
