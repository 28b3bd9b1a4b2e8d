import type { Id } from '../../../platform/ids.ts'
import { sha256 } from '../../../platform/signing/sha256.ts'
import { codePoints } from '../../../platform/text.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import {
  type AskDraft,
  type GrantLength,
  isPermission,
  type Question,
} from '../../questions/model/question.ts'
import { openWords, readingOf } from '../../questions/model/reading.ts'
import { isLegible, isUnseen } from '../../questions/model/shown-whole.ts'
import { looksDestructive } from '../../wire/danger/destructive.ts'
import type { ArgumentSort } from '../../wire/exact-call.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { patternOf, patternWords, type WordPattern } from '../../wire/reading/word-pattern.ts'

export type GrantId = Id<'grant'>

const MINUTE_MS = 60_000
/** A session may never report its end: after this, in milliseconds, its grants are over too. */
const SESSION_GRANT_MS = 12 * 60 * MINUTE_MS
const LENGTH_MS: Record<GrantLength, number> = {
  '15_minutes': 15 * MINUTE_MS,
  session: SESSION_GRANT_MS,
  session_words: SESSION_GRANT_MS,
}

export const GRANT_WORDS: Record<GrantLength, string> = {
  '15_minutes': 'for 15 minutes',
  session: 'for this session',
  session_words: 'for calls that begin so, in this session',
}

/** Why a grant is over. */
export type GrantEnd = 'revoked' | 'session_ended' | 'stopped' | 'expired' | 'person_gone'

/** The calls that a grant is for: every field must be equal. */
export type GrantedCall = {
  workspaceId: WorkspaceId
  tokenId: TokenId
  machineId: string
  sessionId: string
  toolName: string
  cwd: string
  /** Of the exact arguments, or of how the commands of a call begin. */
  argumentsHash: string
}

/** A yes of a person that also holds for the same call, for a while. */
export type Grant = GrantedCall & {
  id: GrantId
  length: GrantLength
  /** The question that was answered. */
  questionId: QuestionId
  personId: PersonId
  agentName: string | undefined
  /** The action, as the person read it: `go test …` for calls that begin so. */
  action: string
  createdAt: number
  /** The first instant at which it no longer holds. */
  expiresAt: number
  uses: number
  usedAt: number | undefined
  endedAt: number | undefined
  endedBecause: GrantEnd | undefined
}

/** The call of an approval; undefined if it is not known exactly. */
function grantedCall(question: AskDraft): GrantedCall | undefined {
  const { workspaceId, tokenId, machineId = '', sessionId, detail } = question
  const { exact, toolName } = detail
  if (!exact || toolName === undefined || sessionId === undefined) return undefined
  const { argumentsHash, cwd } = exact
  return { workspaceId, tokenId, machineId, sessionId, toolName, cwd, argumentsHash }
}

/** How the commands of an approval begin, if a yes may be for all calls that begin so. */
export function grantedWords(question: AskDraft): WordPattern | undefined {
  const reading = readingOf(question)
  const { exact } = question.detail
  return reading && exact && patternOf(reading, exact.cwd)
}

/** Returns the grants that would allow an approval: for this call, or for calls that begin so. */
export function grantedCalls(question: AskDraft): GrantedCall[] {
  const call = grantedCall(question)
  const words = grantedWords(question)
  return call ? [call, ...(words ? [{ ...call, argumentsHash: wordsHash(words) }] : [])] : []
}

// No hash of arguments begins so.
function wordsHash(words: WordPattern): string {
  return `words:${sha256(JSON.stringify(words))}`
}

export function newGrant(
  question: Question,
  { id, length }: NonNullable<Question['detail']['granted']>,
  by: PersonId,
  now: number,
): Grant {
  const call = grantedCall(question)
  if (!call) throw new Error('a grant of a call that is not known')
  const { action, toolName = '' } = question.detail
  const words = length === 'session_words' ? grantedWords(question) : undefined
  return {
    ...call,
    ...(words ? { argumentsHash: wordsHash(words) } : {}),
    id: id as GrantId,
    length,
    questionId: question.id,
    personId: by,
    agentName: question.agentName,
    action: words ? patternWords(words) : (action ?? toolName),
    createdAt: now,
    expiresAt: now + LENGTH_MS[length],
    uses: 0,
    usedAt: undefined,
    endedAt: undefined,
    endedBecause: undefined,
  }
}

/** Returns true if a question is about one tool call, so that people may answer with a grant. */
export function mayAskForGrant(question: AskDraft): boolean {
  return question.type === 'confirm' && question.origin === 'ask' && isPermission(question)
}

// A longer name may have been cut.
const TOOL_NAME_MAX = 100

/**
 * Why a yes to this question cannot also hold for the next such call, in a sentence; undefined if
 * it can (docs/policy.md#allowed-for-now).
 */
export function whyNoGrant(question: AskDraft): string | undefined {
  const { detail, held, test } = question
  if (!mayAskForGrant(question)) return 'Only the approval of a tool call can be given for longer.'
  if (test || held) return 'Test traffic is answered one by one.'
  if (detail.scopePath !== undefined || detail.contract) {
    return 'A yes to a path outside the scope adds this path, and nothing else.'
  }
  if (isUnseen(question)) return 'A part of it is not shown here, so it is asked every time.'
  if (!isLegible(question)) {
    return 'A secret in it is hidden, so nobody could tell that the next call is the same.'
  }
  if (looksDestructive(question)) return 'It may be hard to undo, so it is asked every time.'
  if (!grantedCall(question) || codePoints(detail.toolName ?? '') >= TOOL_NAME_MAX) {
    return 'The agent’s client does not report the exact call, its session and its folder.'
  }
  if (detail.gate && !detail.gate.confirmed) return UNCONFIRMED
  const open = openWords(question)
  if (open !== undefined) return `${open} So it is asked every time.`
  return WHY_NOT[detail.exact?.arguments ?? 'other']
}

const UNCONFIRMED = 'No owner has confirmed this tool as it is now, so it is asked every time.'

const WHY_NOT: Record<ArgumentSort | 'plain' | 'always_asked', string | undefined> = {
  command: undefined,
  none: undefined,
  plain: undefined,
  compound: undefined,
  edit: 'Changes of files are asked one by one.',
  unshown: 'It has settings beside its command, so it is asked every time.',
  always_asked: 'A rule of the workspace has it asked every time.',
  other: 'A tool that is given something is asked every time; a plain command is not.',
}
