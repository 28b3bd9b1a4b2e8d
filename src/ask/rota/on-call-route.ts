import { Type } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import { type EitherCaller, eitherCaller } from '../rest/either-caller.ts'
import { openRoute, type Route } from '../rest/route.ts'
import type { RotaDeps } from './change-rotas.ts'
import { findRotaByName } from './model/store.ts'
import { ROTA_LIMITS } from './model/wrong-rota.ts'
import { readCrew, readStates } from './read-on-call.ts'
import { nameOf, OnCall, shownPerson, shownStanding } from './shown-rota.ts'

// Overrides that are over are not kept for ever, and a calendar is read from a day ago on.
const PAST_MS = 24 * 3_600_000
const AHEAD_MS = 366 * PAST_MS

const route = openRoute(
  {
    method: 'GET',
    path: '/on-call',
    summary: 'Who is on call in a rota, as it is now: for agents too, which are told names alone.',
    input: Type.Object(
      {
        rota: Type.String({ maxLength: ROTA_LIMITS.name, description: 'Its name.' }),
        at: Type.Optional(
          Type.String({
            format: 'date-time',
            description: 'From a day ago to a year ahead. Default: now.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    result: OnCall,
    problems: ['unauthenticated', 'not_found'],
  },
  async ({ db, clock }: RotaDeps, { input, caller }) => {
    const { agent, person } = caller as EitherCaller
    const { workspaceId } = agent ?? person
    const now = clock.now()
    const at = input.at === undefined ? now : Date.parse(input.at)
    if (at < now - PAST_MS || at > now + AHEAD_MS)
      throw wrongFields([{ field: 'at', must: 'must be from a day ago to a year ahead' }])
    const rota = await findRotaByName(db.read, workspaceId, input.rota)
    if (!rota) throw new Failure('not_found', 'There is no rota of this name here.')
    const crew = await readCrew(db.read, workspaceId)
    const [state] = await readStates(db.read, [rota], crew, { at, now, most: 1 })
    const [shift] = state?.shifts ?? []
    if (!shift) throw new Error('a rota has a shift')
    const standing = shownStanding(shift, crew, agent ? nameOf : shownPerson)
    return { rota: rota.name, at: isoTime(at), ...standing }
  },
)

/** Who is on call: one request of a script, with a token or signed in. */
export const getOnCall: Route<RotaDeps> = { ...route, guard: eitherCaller }
