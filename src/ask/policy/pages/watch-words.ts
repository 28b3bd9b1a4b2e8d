import type { PersonId } from '../../accounts/model/ids.ts'
import { NOTHING_SEEN, WATCH_DAYS, type WatchCount, type WatchedEnding } from '../count-watched.ts'
import type { RuleNames } from './policy-words.ts'

// Further people say little.
const PEOPLE_MAX = 3

/**
 * Words what a rule that only watches has seen: `41 calls in 30 days would have needed 2 of engineers;
 * 38 were answered by Ana alone.`
 */
export function watchSentences(
  count: WatchCount = NOTHING_SEEN,
  names: RuleNames,
  isPartial: boolean,
): string[] {
  if (count.calls === 0) return [`no call in ${WATCH_DAYS} days would have been about it.`]
  const parts = endingWords(count, names)
  const [first = ''] = parts
  const verb = first.startsWith('1 ') ? 'was' : 'were'
  const ended = [first.replace(' ', ` ${verb} `), ...parts.slice(1)].join(', ')
  const least = isPartial ? 'at least ' : ''
  return [`${least}${asksWords(count)}; ${ended}.`, ...deciderSentence(count)]
}

function asksWords({ calls, asks }: WatchCount): string {
  const all = `${calls === 1 ? '1 call' : `${calls} calls`} in ${WATCH_DAYS} days`
  const [first, ...others] = asks.map((one) => ({ ...one, would: wouldWords(one.words) }))
  if (!first || others.length === 0) return `${all} would have ${first?.would}`
  const parts = [first, ...others].map((one) => `${one.calls} would have ${one.would}`)
  return `${all}: ${parts.join(', ')}, as the rule was then`
}

function wouldWords(words: string | undefined): string {
  return words === undefined ? 'been declined' : `needed ${words}`
}

const ENDINGS: Record<Exclude<WatchedEnding, 'alone'>, string> = {
  votes: 'decided by votes under other rules',
  rules: 'allowed without asking',
  unanswered: 'never answered',
  withdrawn: 'withdrawn',
  stopped: 'stopped',
  terminal: 'left to the terminal',
  open: 'still open',
}

function endingWords({ endings, people }: WatchCount, names: RuleNames): string[] {
  const byName = people.slice(0, PEOPLE_MAX)
  const rest = people.slice(PEOPLE_MAX).reduce((sum, one) => sum + one.calls, 0)
  const proven = people.reduce((sum, one) => sum + one.calls, 0)
  const nameOf = (id: PersonId) => names.get(id) ?? 'somebody who has left'
  const alone = [
    ...byName.map((one) => [one.calls, `answered by ${nameOf(one.personId)} alone`] as const),
    [rest, 'answered by one other person alone'] as const,
    [endings.alone - proven, 'answered with a button or a link'] as const,
  ]
  const others = Object.entries(ENDINGS).map(
    ([name, words]) => [endings[name as WatchedEnding], words] as const,
  )
  return [...alone, ...others]
    .filter(([calls]) => calls > 0)
    .map(([calls, words]) => `${calls} ${words}`)
}

function deciderSentence({ deciders: { yes, no, unknown } }: WatchCount): string[] {
  const all = yes + no + unknown
  if (all === 0 || (no === 0 && unknown === 0)) return []
  const could = `Of the ${all === 1 ? 'one answer' : `${all} answers`} of one person alone, ${yes} came from somebody who could have agreed, ${no} did not`
  return [unknown === 0 ? `${could}.` : `${could}; of ${unknown} it is not known.`]
}
