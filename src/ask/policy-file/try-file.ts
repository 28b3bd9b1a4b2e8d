import type { Db } from '../../platform/db/database.ts'
import { firstIdAt } from '../../platform/ids.ts'
import { ownerOf } from '../accounts/model/agent.ts'
import type { TokenId, WorkspaceId } from '../accounts/model/ids.ts'
import { listTokens } from '../accounts/model/token-store.ts'
import { isEnforced } from '../policy/model/rule.ts'
import { namesOf, type Owner } from '../policy/requirement.ts'
import type { Question } from '../questions/model/question.ts'
import { listQuestions } from '../questions/model/store.ts'
import { type FileDeps, fileFor, type PolicyText } from './apply-file.ts'
import { readState } from './model/policy-state.ts'
import { outcomeOf, type TrialWorld } from './outcome.ts'
import { newIdsFor, type Resolved, resolveFile } from './resolve-file.ts'
import { type ChangedCalls, createTally, type OutcomeCount } from './tally-calls.ts'
import { tryWatching, type WatchingTrial } from './try-watching.ts'

/** A policy file tried on the calls of the last days. Nothing is changed and nobody is told. */
export type Trial = {
  days: number
  calls: number
  /** How many of them would end how. */
  outcomes: OutcomeCount[]
  changed: ChangedCalls[]
  /** What each rule that only watches in the file would change, if it acted. */
  watching: WatchingTrial[]
}

const DAY_MS = 24 * 60 * 60_000
const PAGE = 500

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
  const watching = tryWatching(next.rules, worlds.now)
  const since = firstIdAt('q', now - input.days * DAY_MS)
  for await (const question of questionsSince(db, workspaceId, since)) {
    const outcome = outcomeOf(question, worlds.now)
    tally.add(question, outcomeOf(question, worlds.before), outcome)
    watching.add(question, outcome)
  }
  return { days: input.days, ...tally.result(), watching: watching.result() }
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
