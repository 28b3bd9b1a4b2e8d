import type { Read } from '../../platform/db/database.ts'
import { firstIdAt } from '../../platform/ids.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import type { Viewer } from '../accounts/model/person.ts'
import { endingOf } from '../questions/model/tally.ts'
import { listWatched, type WatchedQuestion } from '../questions/model/watched-store.ts'
import { placesWords } from '../votes/model/requirement.ts'
import type { Watched } from '../votes/model/watched.ts'
import type { RuleId } from './model/rule.ts'

export const WATCH_DAYS = 30
const DAY_MS = 24 * 60 * 60_000
// More would take longer than anybody waits for a page.
const QUESTIONS_MAX = 20_000
const STEP = 1_000

/** How calls that rules watched have in fact ended. */
export const WATCHED_ENDINGS = [
  'alone',
  'votes',
  'rules',
  'unanswered',
  'withdrawn',
  'stopped',
  'terminal',
  'open',
] as const
export type WatchedEnding = (typeof WATCHED_ENDINGS)[number]

/** What a rule that only watches has seen. */
export type WatchCount = {
  calls: number
  /** What it would have asked for, as it was at that time; undefined: it would have declined. */
  asks: Array<{ words: string | undefined; calls: number }>
  endings: Record<WatchedEnding, number>
  /** Who answered alone, the most frequent first. */
  people: Array<{ personId: PersonId; calls: number }>
  /** Whether those who answered alone could have agreed by the rule. */
  deciders: { yes: number; no: number; unknown: number }
}

export type WatchCounts = {
  byRule: ReadonlyMap<RuleId, WatchCount>
  /** There were more calls than are read, so that the numbers are the least there can be. */
  isPartial: boolean
}

/** Counts what each rule that only watches has seen in 30 days, of what a viewer sees. */
export async function countWatched(read: Read, viewer: Viewer, now: number): Promise<WatchCounts> {
  const since = firstIdAt('q', now - WATCH_DAYS * DAY_MS)
  const tallies = new Map<RuleId, ReturnType<typeof createTally>>()
  let count = 0
  let before: WatchedQuestion['id'] | undefined
  for (;;) {
    const questions = await listWatched(read, viewer, { since, before, limit: STEP })
    for (const question of questions) {
      for (const watched of question.watched) {
        const id = watched.rule.id as RuleId
        tallies.getOrInsertComputed(id, createTally).add(question, watched)
      }
    }
    count += questions.length
    before = questions.at(-1)?.id
    if (questions.length < STEP || count >= QUESTIONS_MAX) break
    // Calls of agents come first.
    await nextTurn()
  }
  const byRule = new Map([...tallies].map(([id, tally]) => [id, tally.result()]))
  return { byRule, isPartial: count >= QUESTIONS_MAX }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

function createTally() {
  const asks = new Map<string | undefined, number>()
  const people = new Map<PersonId, number>()
  const endings = noEndings()
  const deciders = { yes: 0, no: 0, unknown: 0 }
  let calls = 0
  return {
    add(question: WatchedQuestion, { approve, byDecider }: Watched) {
      calls++
      addOne(asks, approve && placesWords(approve.places))
      const ending = watchedEnding(question)
      endings[ending]++
      if (ending !== 'alone') return
      if (question.answeredBy !== undefined && isProven(question))
        addOne(people, question.answeredBy)
      // By a rule that would have declined nobody could have agreed.
      if (!approve) return
      deciders[byDecider === undefined ? 'unknown' : byDecider ? 'yes' : 'no']++
    },
    result(): WatchCount {
      return {
        ...{ calls, endings, deciders },
        asks: sorted(asks).map(([words, number]) => ({ words, calls: number })),
        people: sorted(people).map(([personId, number]) => ({ personId, calls: number })),
      }
    },
  }
}

function noEndings() {
  return Object.fromEntries(WATCHED_ENDINGS.map((name) => [name, 0])) as WatchCount['endings']
}

export const NOTHING_SEEN: WatchCount = createTally().result()

/** A button or a link proves nobody. */
function isProven({ answeredOn }: WatchedQuestion): boolean {
  return answeredOn === undefined || answeredOn.kind === 'chat'
}

function watchedEnding(question: WatchedQuestion): WatchedEnding {
  const { status, isVoted } = question
  if (status === 'pending') return 'open'
  if (status === 'terminal' || status === 'notified') return 'terminal'
  if (status === 'stopped') return 'stopped'
  const ending = endingOf({ ...question, endedAt: question.endedAt ?? question.createdAt })
  if (ending === 'unanswered' || ending === 'withdrawn') return ending
  if (isVoted) return 'votes'
  return question.answeredBy === undefined && ending === 'byRule' ? 'rules' : 'alone'
}

function addOne<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function sorted<K>(counts: ReadonlyMap<K, number>): Array<[K, number]> {
  return [...counts].sort(([, a], [, b]) => b - a)
}
