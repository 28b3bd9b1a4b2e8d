import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { Question } from './question.ts'

/** Every time zone of today begins its days at a quarter of an hour. */
export const QUARTER_MS = 15 * 60_000

/** How the questions of a quarter of an hour ended. */
export type Tally = {
  workspaceId: WorkspaceId
  /** Empty: all of the workspace. */
  repoKey: string
  /** When the quarter of an hour began. */
  at: number
  byPerson: number
  /** By rules, by grants, and by programs with the session of a person. */
  byRule: number
  unanswered: number
  withdrawn: number
  /** How long people took: how many by step. */
  times: Record<string, number>
}

export type EndedQuestion = Pick<
  Question,
  'id' | 'status' | 'createdAt' | 'repoKey' | 'answeredBy' | 'answeredOn' | 'answerSource'
> & { endedAt: number }

// Each step is a tenth longer than the one before, so that a time read back from it is wrong by 5 %
// at most; all times below a second are one.
const STEP = Math.log(1.1)

function stepOf(ms: number): number {
  return ms < 1_000 ? 0 : Math.floor(Math.log(ms / 1_000) / STEP) + 1
}

/** The time in the middle of a step, in milliseconds. */
function timeOfStep(step: number): number {
  return step === 0 ? 500 : Math.round(1_000 * Math.exp((step - 0.5) * STEP))
}

/**
 * The time within which this share of all answers came, in milliseconds; undefined without answers.
 */
export function timeWithin(times: Tally['times'], share: number): number | undefined {
  const rank = Math.ceil(share * Object.values(times).reduce((sum, number) => sum + number, 0))
  let so = 0
  // Keys that are whole numbers come in their order.
  for (const [step, number] of Object.entries(times)) {
    so += number
    if (so >= rank) return timeOfStep(Number(step))
  }
  return undefined
}

export function addTimes(to: Tally['times'], more: Tally['times']): void {
  for (const key of Object.keys(more)) {
    // Properties are found twice as fast by a number.
    const step = Number(key)
    to[step] = (to[step] ?? 0) + (more[step] ?? 0)
  }
}

/**
 * The counts of these questions by quarter of an hour: for the workspace, and for each repository.
 */
export function tallyOf(workspaceId: WorkspaceId, ended: readonly EndedQuestion[]): Tally[] {
  const tallies = new Map<string, Tally>()
  for (const question of ended) {
    const at = quarterOf(question.endedAt)
    for (const repoKey of new Set(['', question.repoKey ?? ''])) {
      const key = `${at} ${repoKey}`
      const tally = tallies.get(key) ?? { workspaceId, repoKey, at, ...nothing() }
      tallies.set(key, tally)
      count(tally, question)
    }
  }
  return [...tallies.values()]
}

export function quarterOf(instant: number): number {
  return Math.floor(instant / QUARTER_MS) * QUARTER_MS
}

/** Counts that are all zero. */
export function nothing(): Omit<Tally, 'workspaceId' | 'repoKey' | 'at'> {
  return { byPerson: 0, byRule: 0, unanswered: 0, withdrawn: 0, times: {} }
}

function count(tally: Tally, question: EndedQuestion): void {
  const ending = endingOf(question)
  tally[ending]++
  if (ending !== 'byPerson') return
  addTimes(tally.times, { [stepOf(question.endedAt - question.createdAt)]: 1 })
}

/** How a question ended, as it is counted. */
export type CountedEnding = 'byPerson' | 'byRule' | 'unanswered' | 'withdrawn'

type Ended = Omit<EndedQuestion, 'id' | 'repoKey'>

/** The count that an ended question belongs to. */
export function endingOf(question: Ended): CountedEnding {
  if (question.status === 'expired') return 'unanswered'
  if (question.status === 'cancelled') return 'withdrawn'
  return isByRule(question) || isByProgram(question) ? 'byRule' : 'byPerson'
}

/** A rule or a grant answers when it is asked, and has neither an account nor a place. */
function isByRule(question: Ended): boolean {
  const { status, answeredBy, answerSource, createdAt, endedAt } = question
  const nobody = answeredBy === undefined && answerSource === undefined
  return status === 'answered' && nobody && endedAt === createdAt
}

/**
 * A program answers over REST and states no surface. Pages and chats state theirs, and buttons of
 * messages their device.
 */
function isByProgram(question: Ended): boolean {
  const { status, answeredBy, answeredOn, answerSource } = question
  const noPlace = answeredOn === undefined && answerSource === undefined
  return status === 'answered' && answeredBy !== undefined && noPlace
}
