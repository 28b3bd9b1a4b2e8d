import type { Db } from '../../platform/db/database.ts'
import { firstIdAt } from '../../platform/ids.ts'
import { ownerOf } from '../accounts/model/agent.ts'
import type { TokenId, WorkspaceId } from '../accounts/model/ids.ts'
import { listTokens } from '../accounts/model/token-store.ts'
import { isEnforced } from '../policy/model/rule.ts'
import { namesOf, type Owner } from '../policy/requirement.ts'
import { isPermission, type Question } from '../questions/model/question.ts'
import { listQuestions } from '../questions/model/store.ts'
import { type FileDeps, fileFor, type PolicyText } from './apply-file.ts'
import { readState } from './model/policy-state.ts'
import { type Outcome, outcomeOf, type TrialWorld } from './outcome.ts'
import { newIdsFor, type Resolved, resolveFile } from './resolve-file.ts'

/** Calls that the file would treat otherwise, all in the same way. */
type ChangedCalls = {
  before: Outcome
  now: Outcome
  calls: number
  /** Some of them. */
  examples: Array<{ id: string; tool?: string; target?: string }>
}

/** A policy file tried on the calls of the last days. Nothing is changed and nobody is told. */
export type Trial = {
  days: number
  calls: number
  /** How many of them would end how. */
  outcomes: Array<{ outcome: Outcome; calls: number }>
  changed: ChangedCalls[]
}

const DAY_MS = 24 * 60 * 60_000
const PAGE = 500
const EXAMPLES = 3

/**
 * Tries a file on the questions of the last days, those that rules answered included: with groups as
 * the file has them, the quiet hours of that time, and nobody at a terminal.
 */
export async function tryFile(
  { db, clock }: FileDeps,
  workspaceId: WorkspaceId,
  input: PolicyText & { days: number },
): Promise<Trial> {
  const now = clock.now()
  const state = await readState(db.read, workspaceId)
  const file = fileFor(state, input)
  const owners = new Map<TokenId, Owner>(
    (await listTokens(db.read, workspaceId)).flatMap((token) => {
      const owner = ownerOf(token)
      return owner === undefined ? [] : [[token.id, owner]]
    }),
  )
  const ids = newIdsFor(file, now)
  const today = resolveFile({ beckon: 'policy/1' }, state, ids, now)
  const next = resolveFile(file, state, ids, now)
  const world = (of: Resolved): TrialWorld => {
    const groups = [...state.groups, ...of.groups.map(({ group }) => group)]
    const rules = of.rules.filter(isEnforced)
    return { ...of, rules, owners, nameOf: namesOf(groups, of.voters) }
  }
  const worlds = { before: world(today), now: world(next) }
  const tally = createTally()
  const since = firstIdAt('q', now - input.days * DAY_MS)
  for await (const question of questionsSince(db, workspaceId, since)) {
    tally.add(question, outcomeOf(question, worlds.before), outcomeOf(question, worlds.now))
  }
  return { days: input.days, ...tally.result() }
}

async function* questionsSince(db: Db, workspaceId: WorkspaceId, since: Question['id']) {
  let before: Question['id'] | undefined
  for (;;) {
    const page = await listQuestions(db.read, { workspaceId }, { before, limit: PAGE })
    for (const question of page) {
      if (question.id < since) return
      if (!question.test && question.origin === 'ask') yield question
    }
    before = page.at(-1)?.id
    if (page.length < PAGE) return
  }
}

function createTally() {
  let calls = 0
  const outcomes = new Map<string, Trial['outcomes'][number]>()
  const changed = new Map<string, ChangedCalls>()
  return {
    add(question: Question, before: Outcome, now: Outcome) {
      calls++
      const one = outcomes.getOrInsertComputed(JSON.stringify(now), () => ({
        outcome: now,
        calls: 0,
      }))
      one.calls++
      if (before.is === now.is && before.of === now.of) return
      const key = JSON.stringify([before, now])
      const group = changed.getOrInsertComputed(key, () => ({
        ...{ before, now, calls: 0, examples: [] },
      }))
      group.calls++
      if (group.examples.length < EXAMPLES) group.examples.push(exampleOf(question))
    },
    result: () => ({
      calls,
      outcomes: [...outcomes.values()].sort((a, b) => b.calls - a.calls),
      changed: [...changed.values()].sort((a, b) => b.calls - a.calls),
    }),
  }
}

function exampleOf(question: Question): ChangedCalls['examples'][number] {
  const { id, detail } = question
  const { toolName: tool, toolTarget: target } = detail
  if (!isPermission(question)) return { id }
  return { id, ...(tool !== undefined && { tool }), ...(target !== undefined && { target }) }
}
