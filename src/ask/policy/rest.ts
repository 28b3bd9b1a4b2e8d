import { Type } from '@sinclair/typebox'
import type { Clock } from '../../platform/clock.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { omitUndefined } from '../../platform/json.ts'
import { personRoute, type Route, withDeps } from '../rest/route.ts'
import { addRule, changeRule, removeRule, setPolicy } from './change-policy.ts'
import {
  countWatched,
  NOTHING_SEEN,
  WATCH_DAYS,
  WATCHED_ENDINGS,
  type WatchCounts,
  type WatchedEnding,
} from './count-watched.ts'
import { Policy, PolicyChanges } from './model/policy.ts'
import { type Rule, RuleDecision, type RuleId, RuleMode, RuleSet } from './model/rule.ts'
import { RuleApprove } from './model/rule-approve.ts'
import { RuleMatch } from './model/rule-match.ts'
import type { Policies } from './model/store.ts'

type Deps = { db: Db; clock: Clock; policies: Policies }

export const RuleFields = Type.Object(
  {
    match: Type.Optional(RuleMatch),
    set: Type.Optional(RuleSet),
    decision: Type.Optional(RuleDecision),
    approve: Type.Optional(RuleApprove),
    mode: Type.Optional(RuleMode),
  },
  { additionalProperties: false },
)

const number = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description && { description }) })

/** What a rule that only watches has seen, of what the caller sees. */
const ShownCount = Type.Object({
  days: number(),
  isPartial: Type.Boolean({ description: 'There were more calls than are counted.' }),
  calls: number('The calls that it would have been about.'),
  asks: Type.Array(
    Type.Object({
      words: Type.Optional(
        Type.String({
          description:
            'Who would have had to agree, as the rule and its groups were then; missing: it would have declined.',
        }),
      ),
      calls: number(),
    }),
  ),
  endings: Type.Object(
    Object.fromEntries(WATCHED_ENDINGS.map((name) => [name, number()])) as Record<
      WatchedEnding,
      ReturnType<typeof number>
    >,
    { description: 'How they ended: by one person alone, by votes under other rules, by rules.' },
  ),
  deciders: Type.Object(
    { yes: number(), no: number(), unknown: number() },
    { description: 'Whether those who answered alone could have agreed by the rule.' },
  ),
})

const ShownRule = Type.Object({
  id: Type.String(),
  match: RuleMatch,
  set: RuleSet,
  decision: Type.Optional(RuleDecision),
  approve: Type.Optional(RuleApprove),
  mode: Type.Optional(RuleMode),
  createdAt: Type.String({ format: 'date-time' }),
  watched: Type.Optional(ShownCount),
})

const getPolicy = personRoute(
  {
    method: 'GET',
    path: '/policy',
    summary: 'How this workspace wants to be asked.',
    result: Policy,
  },
  async (deps: Deps, { person }) => (await deps.policies.of(person.workspaceId)).policy,
)

const patchPolicy = personRoute(
  {
    method: 'PATCH',
    path: '/policy',
    summary: 'Change some fields of the policy; the others stay.',
    needs: 'policy',
    input: PolicyChanges,
    result: Policy,
  },
  (deps: Deps, { person, input }) => setPolicy(deps, person.workspaceId, input, person.id),
)

const getRules = personRoute(
  {
    method: 'GET',
    path: '/rules',
    summary:
      'The routing rules, oldest first; of those that match a call the most specific decides.',
    result: Type.Object({ rules: Type.Array(ShownRule) }),
  },
  async (deps: Deps, { person }) => {
    const { allRules, watching } = await deps.policies.of(person.workspaceId)
    if (watching.length === 0) return { rules: allRules.map((rule) => shownRule(rule)) }
    const counts = await countWatched(deps.db.read, person, deps.clock.now())
    return { rules: allRules.map((rule) => shownRule(rule, counts)) }
  },
)

const postRule = personRoute(
  {
    method: 'POST',
    path: '/rules',
    summary: 'Add a routing rule.',
    needs: 'policy',
    input: RuleFields,
    result: ShownRule,
    status: 201,
    problems: ['conflict'],
  },
  async (deps: Deps, { person, input }) =>
    shownRule(await addRule(deps, person.workspaceId, input, person.id)),
)

const patchRule = personRoute(
  {
    method: 'PATCH',
    path: '/rules/:id',
    summary: 'Replace the given parts of a rule.',
    needs: 'policy',
    input: RuleFields,
    result: ShownRule,
    problems: ['not_found'],
  },
  async (deps: Deps, { person, params, input }) =>
    shownRule(await changeRule(deps, person.workspaceId, params.id as RuleId, input, person.id)),
)

const deleteRule = personRoute(
  {
    method: 'DELETE',
    path: '/rules/:id',
    summary: 'Remove a rule.',
    needs: 'policy',
    problems: ['not_found'],
  },
  async (deps: Deps, { person, params }) => {
    await removeRule(deps, person.workspaceId, params.id as RuleId, person.id)
  },
)

function shownRule(
  { id, match, set, decision, approve, mode, createdAt }: Rule,
  counts?: WatchCounts,
) {
  const watched = mode && counts && shownCount(id, counts)
  const times = { createdAt: isoTime(createdAt) }
  return omitUndefined({ id, match, set, decision, approve, mode, ...times, watched })
}

function shownCount(id: RuleId, { byRule, isPartial }: WatchCounts) {
  const { people: _, asks, ...count } = byRule.get(id) ?? NOTHING_SEEN
  return { days: WATCH_DAYS, isPartial, ...count, asks: asks.map((one) => omitUndefined(one)) }
}

export function policyRoutes(deps: Deps): Route[] {
  return withDeps(deps, [getPolicy, patchPolicy, getRules, postRule, patchRule, deleteRule])
}
