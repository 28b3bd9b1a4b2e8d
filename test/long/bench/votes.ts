import type { PersonId } from '../../../src/ask/accounts/model/ids.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import type { RuleApprove } from '../../../src/ask/policy/model/rule-approve.ts'
import { chooseWorkspace } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { addPersonWithPassword } from '../../support/sign-in.ts'
import { type Beckon, inTurn, openItsDatabase, startBeckon } from './beckon.ts'
import { type Answerer, signIn } from './person.ts'
import { median } from './process.ts'
import type { Row } from './row.ts'
import { approverRule, fillIn, RULES } from './rules.ts'

const ROUNDS = 15
const EACH = 40
const EMAILS = ['first@example.com', 'last@example.com'] as const

/** An answer that one person gives, by itself. */
type Kind = 'bare' | 'plain' | 'one' | 'first' | 'last'

/**
 * A plain answer in a team with its groups and rules beside one without, and votes beside plain
 * answers: one after the other, in turns.
 */
export async function measureVotes(): Promise<Row[]> {
  await using bare = await startBeckon()
  await using team = await startBeckon({}, fillTeam)
  const alone = await signIn(bare)
  const [first, last] = [await signIn(team, EMAILS[0]), await signIn(team, EMAILS[1])]
  const asks = { bare: asker(bare), team: asker(team) }
  const times: Record<Kind, number[]> = { bare: [], plain: [], one: [], first: [], last: [] }

  const answerAll = async (kind: Kind, ids: readonly string[], person: Answerer) => {
    const taken: number[] = []
    for (const id of ids) {
      const startedAt = performance.now()
      await person.answer(id)
      taken.push(performance.now() - startedAt)
    }
    times[kind].push(median(taken))
  }
  const works: Array<() => Promise<void>> = [
    async () => answerAll('bare', await asks.bare('Plain'), alone),
    async () => answerAll('plain', await asks.team('Plain'), first),
    async () => answerAll('one', await asks.team('One'), first),
    async () => {
      const ids = await asks.team('Two')
      await answerAll('first', ids, first)
      await answerAll('last', ids, last)
    },
  ]
  for (let round = 0; round <= ROUNDS; round++) {
    for (let at = 0; at < works.length; at++) await works[(at + round) % works.length]?.()
    // What is measured is compiled already.
    if (round === 0) for (const kind of Object.values(times)) kind.length = 0
  }
  const row = (what: string, kind: Kind, beside: Kind, must: Row['must']): Row => ({
    what,
    figure: `${median(times[kind]).toFixed(2)} ms`,
    beside: `${BESIDE[beside]}: ${median(times[beside]).toFixed(2)} ms`,
    // Of each round, so that a busy minute counts for both.
    ratio: median(times[kind].map((time, at) => time / (times[beside][at] ?? time))),
    must,
  })
  return [
    row('an answer, 50 people, 20 groups, 200 rules', 'plain', 'bare', { atMost: 1.05 }),
    row('the first vote of two', 'first', 'plain', { atMost: 1 }),
    row('the last vote of two', 'last', 'plain', { atMost: 1.15 }),
    row('the vote of one', 'one', 'plain', { atMost: 1.15 }),
  ]
}

const BESIDE: Partial<Record<Kind, string>> = {
  bare: 'one person, no rule',
  plain: 'an answer there',
}

/** Asks so many times about a tool; resolves to the ids. */
function asker({ url, tokens }: Beckon) {
  const token = inTurn(tokens)
  let count = 0
  return async (toolName: string): Promise<string[]> => {
    const ids: string[] = []
    for (let at = 0; at < EACH; at++) {
      const response = await fetch(`${url}/api/v1/questions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token()}`, 'content-type': 'application/json' },
        body: JSON.stringify({ question: `Deploy ${++count}?`, toolName, wait: false }),
      })
      ids.push(((await response.json()) as { correlationId: string }).correlationId)
    }
    return ids
  }
}

async function fillTeam(folder: string): Promise<void> {
  // The other two are added below.
  await fillIn(folder, approverRule, RULES - 2)
  await using db = await openItsDatabase(folder, {})
  const deps = { db, clock }
  const workspaceId = await chooseWorkspace(deps, undefined)
  const from: PersonId[] = []
  for (const email of EMAILS) {
    const who = { email, name: email, role: 'member' } as const
    from.push((await addPersonWithPassword(deps, who)).id)
  }
  const rule = (toolName: string, need: number) => {
    const approve: RuleApprove = { from, need, asker: 'counts' }
    return addRule(deps, workspaceId, { match: { toolName }, approve })
  }
  await rule('One', 1)
  await rule('Two', 2)
}
