import type { Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { inSeconds } from '../../platform/http/limits.ts'
import type { NotificationId } from '../wire/ids.ts'
import type { TokenId, WorkspaceId } from './model/ids.ts'
import { secondsToLeak, TOKEN_LIMITS, type TokenLimits } from './model/token-limits.ts'
import { addUsage, type TokenUsage } from './model/usage-store.ts'

/** The limits in force, what frees room for a token, and who is told when a limit is reached. */
export type Limited = {
  limits: TokenLimits
  makeRoom: MakeRoom
  refused?(limit: 'open_questions' | 'bytes_an_hour' | 'kept_bytes'): void
  /** This many pushes were combined with others into one. */
  collapsed?(pushes: number): void
}

/**
 * Deletes finished things of a token until it keeps at most `most` bytes, as far as there are any;
 * resolves to how many were deleted, and how many bytes are left.
 */
export type MakeRoom = (
  tx: Tx,
  usage: TokenUsage,
  room: { most: number; told: NotificationId | undefined; at: number },
) => Promise<{ gone: number; left: number }>

/** The usual limits, where nothing is deleted to make room. */
export const USUAL: Limited = {
  limits: TOKEN_LIMITS,
  makeRoom: async (_, { keptBytes }) => ({ gone: 0, left: keptBytes }),
}

/** The amount that a call adds to the usage of its token. */
export type Charge = {
  tokenId: TokenId
  workspaceId: WorkspaceId
  openQuestions: 0 | 1
  /** The notification that is being sent: it must not be deleted to make room for itself. */
  told?: NotificationId
  bytes: number
  /** Bytes that are written but not kept, such as those of a session. */
  beside?: number
  at: number
}

// A row of a session and one of its hook, with names of the greatest length.
const SESSION_BYTES = 2_000

/** Returns the charge for a session or machine that is seen for the first time. */
export function seenCharge(of: Pick<Charge, 'tokenId' | 'workspaceId' | 'at'>): Charge {
  const { tokenId, workspaceId, at } = of
  return { tokenId, workspaceId, at, openQuestions: 0, bytes: 0, beside: SESSION_BYTES }
}

type OpenedQuestion = {
  tokenId: TokenId
  workspaceId: WorkspaceId
  createdAt: number
  status: string
}

/** Returns the charge for a new question, with its deliveries in `bytes`. */
export function openedCharge(question: OpenedQuestion, bytes: number): Charge {
  const { tokenId, workspaceId, createdAt: at, status } = question
  return { tokenId, workspaceId, bytes, at, openQuestions: status === 'pending' ? 1 : 0 }
}

// Somewhat more is freed than needed, so that not every call makes room.
const SPARE = 0.01

/**
 * Counts what a call adds, in the call's transaction: of two calls at the limit one is refused.
 * When the limit of kept bytes is reached, the token's oldest finished notifications are deleted;
 * resolves to how many. Throws `limit_reached`, and `rate_limited` with its `retryAfter`: then
 * nothing is recorded.
 */
export async function chargeToken(tx: Tx, limited: Limited, charge: Charge): Promise<number> {
  return holdToLimits(tx, limited, charge, await countCharge(tx, limited, charge))
}

/** The first half of `chargeToken`: one statement, which may go together with others. */
export function countCharge(tx: Tx, { limits }: Limited, charge: Charge): Promise<TokenUsage> {
  return addUsage(tx, { ...charge, bytesAnHour: limits.bytesAnHour })
}

/** The second half: refuses, or makes room, where `usage` is above the limits. */
export async function holdToLimits(
  tx: Tx,
  { limits, makeRoom, refused }: Limited,
  charge: Charge,
  usage: TokenUsage,
): Promise<number> {
  const refuse = (limit: Parameters<NonNullable<typeof refused>>[0], failure: Failure) => {
    refused?.(limit)
    return failure
  }
  if (charge.openQuestions > 0 && usage.openQuestions > limits.openQuestions) {
    throw refuse('open_questions', tooManyOpen(limits))
  }
  if (usage.recentBytes > limits.bytesAnHour) {
    throw refuse('bytes_an_hour', tooFast(usage, limits))
  }
  if (usage.keptBytes <= limits.keptBytes) return 0
  const { told: notificationId, at } = charge
  const most = limits.keptBytes * (1 - SPARE)
  const { gone, left } = await makeRoom(tx, usage, { most, told: notificationId, at })
  if (left > limits.keptBytes) throw refuse('kept_bytes', tooMuch(limits))
  return gone
}

const tooManyOpen = ({ openQuestions }: TokenLimits) =>
  new Failure(
    'limit_reached',
    `This token has ${openQuestions.toLocaleString('en')} open questions, the most it may have; this one was not asked. Withdraw those that nobody waits for with cancel_question, or wait until some are answered or expire.`,
  )

function tooFast({ recentBytes }: TokenUsage, limits: TokenLimits): Failure {
  const retryAfter = secondsToLeak(recentBytes - limits.bytesAnHour, limits)
  return new Failure(
    'rate_limited',
    `This token has written ${inMegabytes(limits.bytesAnHour)} within an hour, the most it may; nothing was recorded. Send less and shorter texts, and try again in ${inSeconds(retryAfter)}.`,
    { retryAfter },
  )
}

const tooMuch = ({ keptBytes }: TokenLimits) =>
  new Failure(
    'limit_reached',
    `This token keeps ${inMegabytes(keptBytes)}, the most it may, and has no notification left that could be removed; nothing was recorded. Ask the person to empty it under Settings, Agent tokens.`,
  )

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000).toLocaleString('en')} MB`
}
