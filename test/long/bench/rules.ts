import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { addPerson } from '../../../src/ask/people/people.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import type { RuleInput } from '../../../src/ask/policy/write-rule.ts'
import { chooseWorkspace } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { asksPerSecond } from './asks.ts'
import { askMessage, MCP_PATH, openItsDatabase, startBeckon } from './beckon.ts'
import { median } from './process.ts'
import type { Row } from './row.ts'

export const RULES = 200
const PEOPLE = 50
const GROUPS = 20
const WARM_UP = 3
const ROUNDS = 7

/** An ask beside 200 rules, groups and people of which none is about it, and beside none. */
export async function measureRules(): Promise<Row[]> {
  await using plain = await startBeckon()
  await using routed = await startBeckon({}, (folder) => fillIn(folder, routingRule))
  await using approved = await startBeckon({}, (folder) => fillIn(folder, approverRule))
  await using watched = await startBeckon({}, (folder) => fillIn(folder, watchingRule))
  const servers = { plain, routed, approved, watched }
  const figures: Record<keyof typeof servers, number[]> = {
    ...{ plain: [], routed: [], approved: [], watched: [] },
  }
  const body = askMessage({ wait: false })
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const [name, server] of Object.entries(servers)) {
      const figure = await asksPerSecond(server.url + MCP_PATH, body, server.tokens)
      if (round >= WARM_UP) figures[name as keyof typeof servers].push(figure)
    }
  }
  const beside = median(figures.plain)
  const row = (name: keyof typeof servers, what: string): Row => ({
    what,
    figure: `${Math.round(median(figures[name]))}/s`,
    beside: `without a rule: ${Math.round(beside)}/s`,
    // Of each round, so that a busy minute counts for both.
    ratio: median(figures[name].map((figure, at) => (figures.plain[at] ?? beside) / figure)),
    must: { atMost: 1.05 },
  })
  return [
    row('routed', `ask_user with ${RULES} rules that route, time`),
    row('approved', `the same with ${RULES} rules for owners in ${GROUPS} groups, time`),
    row('watched', `the same with ${RULES} such rules that only watch, time`),
  ]
}

type RuleOf = (at: number, groupId: string) => RuleInput

function routingRule(at: number): RuleInput {
  return { match: { toolName: 'Bash', toolTarget: `make target-${at}*` }, set: { waitMs: 40_000 } }
}

export function approverRule(at: number, group: string): RuleInput {
  return {
    match: { owner: group, toolName: 'Bash', toolTarget: `deploy ${at}*` },
    approve: { from: [group], need: 2 },
  }
}

function watchingRule(at: number, group: string): RuleInput {
  return { ...approverRule(at, group), mode: 'watch' }
}

/** Puts people, groups and rules into the folder of a server. */
export async function fillIn(folder: string, ruleOf: RuleOf, rules = RULES): Promise<void> {
  await using db = await openItsDatabase(folder, {})
  const deps = { db, clock }
  const workspaceId = await chooseWorkspace(deps, undefined)
  const people: string[] = []
  for (let at = 0; at < PEOPLE; at++) {
    const { person } = await addPerson(deps, { email: `person${at}@example.org` })
    people.push(person.id)
  }
  const ids = Array.from({ length: GROUPS }, () => newId('group', clock.now()))
  for (const [at, id] of ids.entries()) {
    const group = { id, workspaceId, name: `group ${at}`, source: 'hand' } as const
    await db.write(async (tx) => {
      await insertGroup(tx, { ...group, externalId: undefined, createdAt: clock.now() })
      await putGroupMembers(tx, group, 'hand', people.slice(at, at + GROUPS))
    })
  }
  for (let at = 0; at < rules; at++) {
    await addRule(deps, workspaceId, ruleOf(at, ids[at % GROUPS] ?? ''))
  }
}
