/** @jsxImportSource preact */

import { durationWords } from '../../../platform/duration.ts'
import type { PolicyChanges } from '../model/policy.ts'
import { readRuleChange } from '../model/rule-change.ts'
import { ruleDoes } from './policy-words.ts'
import { RuleWords } from './rule-words.tsx'

/** The detail of a row of the audit trail about a rule, in words; as it is if it has none. */
export function RuleChangeWords({ detail }: { detail: string }) {
  const change = readRuleChange(detail)
  if (!change) return <>{detail}</>
  const { now, before } = change
  return (
    <>
      {now && (
        <>
          {before ? 'Changed to: ' : 'Added: '}
          <RuleWords rule={now} />{' '}
        </>
      )}
      {before && (
        <>
          {now ? 'Before: ' : 'Removed: '}
          <RuleWords rule={before} />
        </>
      )}
    </>
  )
}

/** The same of a row about the policy. */
export function policyChangeWords(detail: string): string {
  const changes = readChanges(detail)
  if (!changes) return detail
  const parts = wordsOf(changes)
  return parts.length > 0 ? `Changed to: ${parts.join(', ')}` : detail
}

function readChanges(detail: string): PolicyChanges | undefined {
  try {
    const changes: unknown = JSON.parse(detail)
    return typeof changes === 'object' && changes !== null ? (changes as PolicyChanges) : undefined
  } catch {
    return undefined
  }
}

function wordsOf({ targeting, quietHours, programs, ...rest }: PolicyChanges): string[] {
  const { presenceMs, pauseAfterUnanswered, longLifeMs, holdMs, remindMs, ...others } = rest
  const { turnMs, chatAnswers, ...set } = others
  const { tags = [] } = targeting ?? {}
  const pause = `pause a session after ${pauseAfterUnanswered} approvals without an answer`
  return [
    Object.keys(set).length > 0 && ruleDoes({ set, decision: undefined }),
    duration(presenceMs, 'phones stay silent while you type, for'),
    pauseAfterUnanswered !== undefined && (pauseAfterUnanswered > 0 ? pause : 'never pause'),
    duration(longLifeMs, 'followed questions stay open for'),
    duration(holdMs, 'hold calls up to'),
    duration(remindMs, 'remind every'),
    duration(turnMs, 'tell the end of turns longer than'),
    chatAnswers &&
      `in chats answer${chatAnswers === 'anybody' ? 's anybody' : ' linked accounts alone'}`,
    targeting && (tags.length > 0 ? `devices tagged ${tags.join(', ')}` : 'every device'),
    quietHours && `quiet hours from ${quietHours.from} to ${quietHours.to} (${quietHours.zone})`,
    quietHours === null && 'no quiet hours',
    programs && `programs: ${programs.map(({ name }) => name).join(', ') || 'none'}`,
  ].filter((part) => typeof part === 'string')
}

/** `remind every 20 minutes`, or that it is off; nothing if it was not changed. */
function duration(ms: number | undefined, what: string): string | undefined {
  if (ms === undefined) return undefined
  return ms === 0 ? `${what} …: off` : `${what} ${durationWords(ms)}`
}
