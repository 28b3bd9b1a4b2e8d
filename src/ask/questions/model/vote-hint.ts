import { isoTime } from '../../../platform/clock.ts'
import { cutBytes } from '../../../platform/text.ts'
import { needOf, placesWords } from '../../votes/model/requirement.ts'
import type { StoredStatus } from '../../wire/question-fields.ts'
import type { Question } from './question.ts'

// A hint costs at most 60 tokens, and a token has at least one byte.
const NAME_BYTES_MAX = 24
const NAMES_MAX = 2
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** What its agent is told of the votes on a question; undefined where one answer ends it. */
export function voteHint(
  question: Question,
  status: StoredStatus,
  now: number,
): string | undefined {
  const { requirement, detail } = question
  if (!requirement) return undefined
  if (status === 'answered') return decidedHint(question, now)
  if (status !== 'expired') return undefined
  const rule = ruleOf(question)
  if (detail.undecidable === 'owner_unknown') {
    return `Whose token this is is not known, so nobody may decide it (${rule}). Stop and tell the person.`
  }
  if (detail.undecidable) return `Nobody may decide this now (${rule}). Stop and tell the person.`
  const life = durationWords(question.expiresAt - question.createdAt)
  return `${soFar(question)} within ${life}, so ${rule} declines. No person said no. Do not do it: stop and say so.`
}

/** `1 of 2 approvals`. */
export function soFar({ requirement, detail }: Pick<Question, 'requirement' | 'detail'>): string {
  const need = requirement ? needOf(requirement) : 1
  return `${detail.agreed ?? 0} of ${need} approval${need === 1 ? '' : 's'}`
}

/** What its agent is told while it is open. */
export function openVoteHint(question: Question): string {
  const until = isoTime(question.expiresAt).slice(0, 16).replace('T', ' ')
  return `${soFar(question)} so far, not a yes. Call wait_for_answer again; it stays open until ${until} UTC.`
}

/** What the model of a hook is told while it is open, or once nobody can decide it any more. */
export function hookVoteReason(question: Question, status: StoredStatus, now: number): string {
  if (status === 'answered') return 'The approval was used before. Run it again to ask anew.'
  if (status === 'cancelled')
    return 'It was withdrawn before it was decided. Run it again to ask anew.'
  if (status === 'expired') return voteHint(question, status, now) ?? ''
  const who = question.requirement ? placesWords(question.requirement.places) : ''
  // It is read when the call has waited, and others may have agreed meanwhile.
  const before = question.detail.agreed ? ` (${soFar(question)} when you ran it)` : ''
  return `It waits for approval by ${cutBytes(who, 100)}${before}. Do not work around it. Run the same command again later: an approval given meanwhile counts once.`
}

function decidedHint(
  { type, value, requirement, detail, endedAt = 0 }: Question,
  now: number,
): string | undefined {
  const { votedBy } = detail
  if (!votedBy || !requirement || type !== 'confirm') return undefined
  const names = namesOf(votedBy)
  if (value === 'no') return `Declined by ${names}.`
  const usable = durationWords(requirement.usableMs)
  return now - endedAt > requirement.usableMs
    ? `Approved by ${names}, to be used within ${usable}. That is over. Ask again.`
    : `Approved by ${names}. Use it within ${usable}, once.`
}

/** `Ana`, `Ana and Bob`, `Ana, Bob and 2 more`. */
export function namesOf(people: ReadonlyArray<{ name: string }>): string {
  const names = people.slice(0, NAMES_MAX).map(({ name }) => cutBytes(name, NAME_BYTES_MAX))
  const more = people.length - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(' and ')
}

function ruleOf({ requirement }: Question): string {
  return `the rule for ${cutBytes(requirement?.rules[0]?.words ?? '', NAME_BYTES_MAX)}`
}

function durationWords(ms: number): string {
  if (ms >= 2 * HOUR_MS) return `${Math.round(ms / HOUR_MS)} hours`
  const minutes = Math.round(ms / MINUTE_MS)
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}
