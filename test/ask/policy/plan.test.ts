import { expect, test } from 'bun:test'
import { DEFAULT_POLICY, type Policy } from '../../../src/ask/policy/model/policy.ts'
import type { EnforcedRule as Rule } from '../../../src/ask/policy/model/rule.ts'
import { type PlanFacts, type PlanWorld, plan } from '../../../src/ask/policy/plan.ts'

// Noon in UTC on a Saturday in winter.
const NOON = Date.UTC(2026, 0, 31, 12)
const explicit: PlanFacts = {
  permission: false,
  test: false,
  timeoutMs: undefined,
  hookWaitsUntil: undefined,
  atTerminal: false,
  targeting: {},
  localSurfaceAvailable: undefined,
  sessionId: 's1',
}
const approval: PlanFacts = {
  ...explicit,
  permission: true,
  toolName: 'Bash',
  toolTarget: 'git push',
}

function planned(
  facts: Partial<PlanFacts> & { base?: PlanFacts },
  world: { policy?: Partial<Policy>; rules?: Rule[] } & Partial<
    Omit<PlanWorld, 'policy' | 'rules'>
  > = {},
) {
  const { base = explicit, ...more } = facts
  const { policy, rules = [], ...rest } = world
  return plan(
    { ...base, ...more },
    {
      policy: { ...DEFAULT_POLICY, ...policy },
      rules,
      now: NOON,
      terminalActiveAt: undefined,
      unanswered: 0,
      ...rest,
    },
  )
}

function rule(id: string, match: Rule['match'], set: Rule['set']): Rule {
  return { id: `rule_${id}`, workspaceId: 'ws_1', match, set, decision: undefined, createdAt: 0 }
}

test('without wishes: push first, wait 45 seconds, everyone, at once', () => {
  expect(planned({})).toEqual({
    deliveryMode: 'push_first',
    policyWaitMs: 45_000,
    waitMs: 45_000,
    waitEndsAt: NOON + 45_000,
    targeting: {},
    held: undefined,
    paused: false,
    phone: { graceMs: 0, phoneDelayMs: 0 },
    failover: undefined,
    quiet: false,
    onTimeout: undefined,
    rule: undefined,
  })
})

test('the call’s own timeout changes its wait, never what the policy is said to be', () => {
  expect(planned({ timeoutMs: 5_000 })).toMatchObject({ waitMs: 5_000, policyWaitMs: 45_000 })
})

for (const deliveryMode of ['push_first', 'push_only', 'notify_only', 'terminal_only'] as const) {
  test(`the workspace’s mode ${deliveryMode} is the plan’s`, () => {
    expect(planned({}, { policy: { deliveryMode } }).deliveryMode).toBe(deliveryMode)
  })
}

// Held: test traffic whatever it is; an approval that names neither tool nor session.
const HELD: Array<[string, Partial<PlanFacts> & { base?: PlanFacts }, string | undefined]> = [
  ['an explicit question', {}, undefined],
  ['an explicit question without session', { sessionId: undefined }, undefined],
  ['an approval with tool and session', { base: approval }, undefined],
  ['an approval with a tool alone', { base: approval, sessionId: undefined }, undefined],
  ['an approval with a session alone', { base: approval, toolName: undefined }, undefined],
  [
    'an approval with neither',
    { base: approval, toolName: undefined, sessionId: undefined },
    'unattributed',
  ],
  ['test traffic', { test: true }, 'test_traffic'],
  [
    'an unattributed approval that is test traffic',
    { base: approval, toolName: undefined, sessionId: undefined, test: true },
    'test_traffic',
  ],
]
for (const [what, facts, held] of HELD) {
  test(`${what} is ${held ? `held as ${held}` : 'not held'}`, () => {
    expect(planned(facts).held).toBe(held as undefined)
  })
}

const PAUSED: Array<[string, PlanFacts, number, number, boolean]> = [
  ['an approval after two unanswered', approval, 2, 3, false],
  ['an approval after three unanswered', approval, 3, 3, true],
  ['an approval after many unanswered', approval, 9, 3, true],
  ['an explicit question after three unanswered', explicit, 3, 3, false],
  ['an approval where pausing is off', approval, 9, 0, false],
  ['a test approval after three unanswered', { ...approval, test: true }, 3, 3, false],
]
for (const [what, base, unanswered, pauseAfterUnanswered, paused] of PAUSED) {
  test(`${what} is ${paused ? '' : 'not '}paused`, () => {
    expect(planned({ base }, { unanswered, policy: { pauseAfterUnanswered } }).paused).toBe(paused)
  })
}

const MINUTE = 60_000
// Presence needs positive proof: [seen ms ago, presenceMs, wait, localSurfaceAvailable, held for].
const PRESENCE: Array<[number | undefined, number, number, boolean | undefined, number]> = [
  [undefined, MINUTE, 5 * MINUTE, undefined, 0],
  [0, MINUTE, 5 * MINUTE, undefined, 59_000],
  [20_000, MINUTE, 5 * MINUTE, undefined, 40_000],
  [59_999, MINUTE, 5 * MINUTE, undefined, 1],
  [MINUTE, MINUTE, 5 * MINUTE, undefined, 0],
  [0, 0, 5 * MINUTE, undefined, 0],
  [0, 60 * MINUTE, 5 * MINUTE, undefined, 59_000],
  [0, MINUTE, 45_000, undefined, 21_500],
  [50_000, MINUTE, 45_000, undefined, 10_000],
  [0, MINUTE, 1_000, undefined, 0],
  [0, MINUTE, -1_000, undefined, 0],
  [0, MINUTE, 5 * MINUTE, false, 0],
  [0, MINUTE, 5 * MINUTE, true, 59_000],
]
for (const [ago, presenceMs, waits, localSurfaceAvailable, phoneDelayMs] of PRESENCE) {
  const seen = ago === undefined ? 'never seen' : `seen ${ago} ms ago`
  test(`a terminal ${seen}, window ${presenceMs}, wait ${waits}, local surface ${localSurfaceAvailable}: phones are held for ${phoneDelayMs} ms`, () => {
    const terminalActiveAt = ago === undefined ? undefined : NOON - ago
    const { phone } = planned(
      { localSurfaceAvailable, hookWaitsUntil: NOON + waits },
      { terminalActiveAt, policy: { presenceMs, graceMs: 7_000 } },
    )
    expect(phone).toEqual({ graceMs: 7_000, phoneDelayMs })
  })
}

// Quiet hours by the wall clock of their zone: [from, to, zone, quiet at noon UTC].
const QUIET: Array<[string, string, string, boolean]> = [
  ['11:00', '13:00', 'UTC', true],
  ['12:00', '13:00', 'UTC', true],
  ['11:00', '12:00', 'UTC', false],
  ['13:00', '11:00', 'UTC', false],
  ['22:00', '12:01', 'UTC', true],
  ['12:30', '13:30', 'Europe/Berlin', true],
  ['11:00', '12:30', 'Europe/Berlin', false],
  ['03:00', '05:00', 'America/Los_Angeles', true],
  ['17:00', '18:00', 'Asia/Kolkata', true],
]
for (const [from, to, zone, quiet] of QUIET) {
  test(`noon UTC is ${quiet ? '' : 'not '}quiet from ${from} to ${to} in ${zone}`, () => {
    const policy = { quietHours: { from, to, zone } }
    expect(planned({ base: approval }, { policy })).toMatchObject({
      quiet,
      deliveryMode: quiet ? 'terminal_only' : 'push_first',
    })
    expect(planned({}, { policy })).toMatchObject({ quiet: false, deliveryMode: 'push_first' })
  })
}

test('the call’s targeting wins over a rule’s tags, a rule’s over the workspace’s default', () => {
  const policy = { targeting: { tags: ['default'] } }
  const rules = [rule('a', { toolName: 'Bash' }, { tags: ['ruled'] })]
  expect(planned({}, { policy }).targeting).toEqual({ tags: ['default'] })
  expect(planned({ base: approval }, { policy, rules }).targeting).toEqual({ tags: ['ruled'] })
  const own = { externalIds: ['ann'] }
  expect(planned({ base: approval, targeting: own }, { policy, rules }).targeting).toEqual(own)
})

// Each rule is more specific than the ones before it.
const BY_SPECIFICITY: Array<[string, Rule['match']]> = [
  ['any call of an agent', { agentName: 'Codex - shop' }],
  ['any call in a repository', { repoKey: 'shop' }],
  ['a tool', { toolName: 'Bash' }],
  ['a tool in a repository', { toolName: 'Bash', repoKey: 'shop' }],
  ['a short prefix', { toolTarget: 'git*' }],
  ['a longer prefix', { toolTarget: 'git pu*' }],
  ['a longer prefix in a repository', { toolTarget: 'git pu*', repoKey: 'shop' }],
  ['the exact target', { toolTarget: 'git push' }],
  ['the exact target in a repository', { toolTarget: 'git push', repoKey: 'shop' }],
]
const everything: PlanFacts = {
  ...approval,
  agentName: 'Codex - shop',
  repoKey: 'shop',
  machineId: 'm1',
}
for (const [i, [what, match]] of BY_SPECIFICITY.entries()) {
  test(`${what} wins over everything less specific, in whatever order they were made`, () => {
    const rules = BY_SPECIFICITY.slice(0, i + 1).map(([, one], n) =>
      rule(`${n}`, one, { waitMs: 1_000 + n }),
    )
    for (const order of [rules, rules.toReversed()]) {
      expect(planned({ base: everything }, { rules: order }).rule?.match).toEqual(match)
    }
  })
}

test('of equally specific rules the older decides', () => {
  const rules = [
    rule('2', { toolName: 'Bash' }, { waitMs: 2_000 }),
    rule('1', { toolName: 'Bash' }, { waitMs: 1_000 }),
  ]
  expect(planned({ base: approval }, { rules }).policyWaitMs).toBe(1_000)
})

const NO_MATCH: Array<[string, Rule['match']]> = [
  ['another tool', { toolName: 'Edit' }],
  ['another repository', { repoKey: 'docs' }],
  ['another machine', { machineId: 'm2' }],
  ['another agent', { agentName: 'Codex' }],
  ['a target that only begins alike', { toolTarget: 'git' }],
  ['a prefix that does not fit', { toolTarget: 'npm*' }],
  ['one field right and one wrong', { toolName: 'Bash', repoKey: 'docs' }],
]
for (const [what, match] of NO_MATCH) {
  test(`a rule for ${what} does not apply`, () => {
    expect(
      planned({ base: everything }, { rules: [rule('1', match, { waitMs: 1_000 })] }).rule,
    ).toBeUndefined()
  })
}

test('a rule for a repository does not touch a call that names none', () => {
  const rules = [rule('1', { repoKey: 'shop' }, { deliveryMode: 'push_only' })]
  expect(planned({ base: approval }, { rules }).deliveryMode).toBe('push_first')
})
