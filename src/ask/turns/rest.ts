import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import { omitUndefined } from '../../platform/json.ts'
import { oneOf, shape } from '../../platform/schema.ts'
import { agentRoute, personRoute, type Route, withDeps } from '../rest/route.ts'
import type { AgentSessionId } from '../sessions/model/session.ts'
import { HookAddress } from '../wire/hook-fields.ts'
import {
  CollectInput,
  CollectResult,
  INSTRUCTION_MAX,
  TurnReply,
  TurnReport,
} from '../wire/turn-fields.ts'
import { collectInstruction } from './collect-instruction.ts'
import { instructSession, withdrawInstruction } from './instruct.ts'
import type { SessionInstruction } from './model/instruction.ts'
import { listInstructions } from './model/instruction-store.ts'
import { reportTurn, type TurnDeps } from './report-turn.ts'

export type TurnRouteDeps = TurnDeps & { closing: AbortSignal }

const address = shape(HookAddress)

const postTurn = agentRoute(
  {
    method: 'POST',
    path: '/turns/:client',
    summary: 'A hook reports that the turn of its session began or ended.',
    input: TurnReport,
    result: TurnReply,
  },
  (deps: TurnRouteDeps, { input, params, call }) => {
    const { client } = address.parse({ client: params.client })
    return reportTurn(deps, { ...input, client }, call)
  },
)

const postCollect = agentRoute(
  {
    method: 'POST',
    path: '/instructions/collect',
    summary: 'A hook waits for what a person tells one of its sessions to do next.',
    input: CollectInput,
    result: CollectResult,
    waits: true,
  },
  (deps: TurnRouteDeps, { input, call }) => collectInstruction(deps, input, call),
)

const Time = Type.String({ format: 'date-time' })

const ShownInstruction = Type.Object({
  id: Type.String(),
  text: Type.String(),
  from: Type.String({ description: 'The person.' }),
  state: oneOf(['waiting', 'handed_over', 'taken', 'withdrawn']),
  createdAt: Time,
  handedOverAt: Type.Optional(Time),
  takenAt: Type.Optional(Time),
})

const LISTED = 50

const getInstructions = personRoute(
  {
    method: 'GET',
    path: '/sessions/:id/instructions',
    summary: 'What people told a session to do next, the newest first.',
    result: Type.Object({ instructions: Type.Array(ShownInstruction) }),
  },
  async ({ db }: TurnRouteDeps, { person, params }) => {
    const list = await listInstructions(db.read, person, params.id as AgentSessionId, LISTED)
    return { instructions: list.map(shownInstruction) }
  },
)

const postInstruction = personRoute(
  {
    method: 'POST',
    path: '/sessions/:id/instructions',
    summary: 'Tell a session what to do next, once its turn has ended.',
    input: Type.Object(
      {
        text: Type.String({ minLength: 1, maxLength: INSTRUCTION_MAX }),
        confirmed: Type.Optional(
          Type.Boolean({ description: 'true: a text with a leading / or ! is meant as text.' }),
        ),
      },
      { additionalProperties: false },
    ),
    result: ShownInstruction,
    status: 201,
    problems: ['not_found', 'conflict'],
  },
  async (deps: TurnRouteDeps, { person, params, input }) =>
    shownInstruction(await instructSession(deps, person, params.id ?? '', input)),
)

const postWithdraw = personRoute(
  {
    method: 'POST',
    path: '/instructions/:id/withdraw',
    unproven: true,
    summary: 'Take an instruction back that no agent has yet.',
    problems: ['not_found', 'too_late'],
  },
  async (deps: TurnRouteDeps, { person, params }) => {
    await withdrawInstruction(deps, person, params.id ?? '')
  },
)

function shownInstruction(one: SessionInstruction): Static<typeof ShownInstruction> {
  const { id, text, personName: from, state, createdAt, handedOverAt, takenAt } = one
  const time = (at: number | undefined) => (at === undefined ? undefined : isoTime(at))
  return omitUndefined({
    id,
    text,
    from,
    state,
    createdAt: isoTime(createdAt),
    handedOverAt: time(handedOverAt),
    takenAt: time(takenAt),
  })
}

export function turnRoutes(deps: TurnRouteDeps): Route[] {
  return withDeps(deps, [postTurn, postCollect, getInstructions, postInstruction, postWithdraw])
}
