import { Type } from '@sinclair/typebox'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { oneOf } from '../../platform/schema.ts'
import { agentRoute, type Route, withDeps } from '../rest/route.ts'
import { redactedLine } from '../wire/action-line.ts'
import { PERMIT_EXPIRED, PERMIT_MISMATCH, PERMIT_USED } from './failures.ts'
import { ACTION_HASH_MAX, ACTION_OUTCOMES, DETAIL_MAX } from './model/permit.ts'
import { consumePermit, issuePermit, recordOutcome } from './permits.ts'

type Deps = { db: Db; clock: Clock }

const Action = Type.Object(
  {
    actionHash: Type.String({
      minLength: 1,
      maxLength: ACTION_HASH_MAX,
      pattern: '^[\\w+/=.-]+$',
      description: 'Digest of tool and full arguments: SHA-256 of their RFC 8785 JSON, in hex.',
    }),
  },
  { additionalProperties: false },
)

const postPermit = agentRoute(
  {
    method: 'POST',
    path: '/questions/:id/permit',
    summary: 'Turn a yes into a permit for one exact action, once.',
    input: Action,
    result: Type.Object({
      permitId: Type.String(),
      expiresAt: Type.String({
        format: 'date-time',
        description: 'The action has to be begun before.',
      }),
    }),
    problems: ['not_found', 'conflict', PERMIT_USED, PERMIT_EXPIRED, PERMIT_MISMATCH],
  },
  async (deps: Deps, { input, params, call }) => {
    const permit = await issuePermit(deps, call.caller, params.id ?? '', input.actionHash)
    return { permitId: permit.id, expiresAt: isoTime(permit.expiresAt) }
  },
)

const postConsume = agentRoute(
  {
    method: 'POST',
    path: '/permits/:id/consume',
    summary: 'Use a permit up, just before its action is begun.',
    input: Action,
    result: Type.Object({
      permitId: Type.String(),
      correlationId: Type.String({ description: 'The question that was answered with yes.' }),
      consumedAt: Type.String({ format: 'date-time' }),
    }),
    problems: ['not_found', 'conflict', PERMIT_USED, PERMIT_EXPIRED, PERMIT_MISMATCH],
  },
  async (deps: Deps, { input, params, call }) => {
    const permit = await consumePermit(deps, call.caller, params.id ?? '', input.actionHash)
    return {
      permitId: permit.id,
      correlationId: permit.questionId,
      consumedAt: isoTime(permit.consumedAt ?? deps.clock.now()),
    }
  },
)

const postOutcome = agentRoute(
  {
    method: 'POST',
    path: '/permits/:id/outcome',
    summary: 'Say what became of the action of a permit.',
    input: Type.Object(
      {
        outcome: oneOf(ACTION_OUTCOMES, {
          description:
            'not_run: it was not begun after all. not_known: its end was not seen; detail says why.',
        }),
        detail: Type.Optional(
          Type.String({ maxLength: DETAIL_MAX, description: 'One line about it, for the trail.' }),
        ),
      },
      { additionalProperties: false },
    ),
    problems: ['not_found', 'conflict'],
  },
  async (deps: Deps, { input, params, call }) => {
    const { outcome, detail } = input
    const line = detail === undefined ? undefined : redactedLine(detail)
    await recordOutcome(deps, call.caller, params.id ?? '', { outcome, detail: line })
  },
)

/** Permits: they bind a yes to the action that it is for. */
export function permitRoutes(deps: Deps): Route[] {
  return withDeps(deps, [postPermit, postConsume, postOutcome])
}
