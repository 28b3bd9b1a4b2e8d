import { hasBar } from '../../../platform/redact/bar.ts'
import { looksDestructive } from '../../wire/danger/destructive.ts'
import type { Question, QuestionDetail } from './question.ts'
import { isPermission } from './question.ts'
import { isReadWhole } from './reading.ts'
import { isUnseen } from './shown-whole.ts'

// Fields that the server notes about a question; the others of its detail describe what it asks.
const NOTED = [
  'collapsed',
  'collectedAt',
  'hookWaitsUntil',
  'notWaited',
  'phonesHeldUntil',
  'switchedOff',
  'waitsUntil',
] as const satisfies ReadonlyArray<keyof QuestionDetail>

// The target of a tool arrives shortened: one this long may be incomplete.
const TARGET_MAX = 80

/**
 * Questions with the same likeness are declined together: yes-or-no questions of one session that
 * are all approvals, all scopes, or all neither. Undefined for a question that cannot be answered
 * no.
 */
export function likenessOf(question: Question): string | undefined {
  const { type, origin, detail } = question
  if (type !== 'confirm' || question.requirement) return undefined
  const isAct = isPermission(question) || Boolean(detail.action ?? detail.actionBody)
  return JSON.stringify([whoAsks(question), origin === 'scope', isAct])
}

/** One session, or one agent if the agent names no session. */
function whoAsks({ machineId, sessionId, agentName, test }: Question): string {
  const who = sessionId === undefined ? ['', agentName] : [machineId ?? '', sessionId]
  return JSON.stringify([...who, test])
}

/**
 * Questions with the same text here are identical in everything that a person sees, so that one yes,
 * or one choice, may answer them all. Undefined for what is answered only one by one: what is hard
 * to undo, a scope or a path outside one, what was redacted or is not shown whole, what is answered
 * with a text or with several choices.
 */
export function samenessOf(question: Question): string | undefined {
  const { type, origin, question: text, detail, choices, agentName, repoKey } = question
  if (type === 'input' || detail.multiSelect || origin !== 'ask') return undefined
  if (question.requirement) return undefined
  const { contract, scopePath, isPartOnly, cut, action, actionBody, toolTarget = '' } = detail
  if (contract || scopePath !== undefined || isPartOnly || cut !== undefined) return undefined
  if (isUnseen(question) || looksDestructive(question) || !isReadWhole(question)) return undefined
  const isNamed = action !== undefined || actionBody !== undefined
  const mayBeAnything = toolTarget === '' || [...toolTarget].length >= TARGET_MAX
  if (isPermission(question) && !isNamed && mayBeAnything) return undefined
  const details = Object.entries(detail).filter(([name]) => !NOTED.some((key) => key === name))
  const who = whoAsks(question)
  const all = JSON.stringify([who, type, choices, agentName, repoKey, text, details.sort()])
  return hasBar(all) ? undefined : all
}
