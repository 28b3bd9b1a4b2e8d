import { unlessUnavailable } from '../../platform/db/storage-failure.ts'
import { wrongFields } from '../../platform/failure.ts'
import type { TaskHandle } from '../../platform/mcp/tasks.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { CallContext } from '../accounts/model/agent.ts'
import type { AskUserInput } from '../wire/ask-fields.ts'
import type { AskUserResult } from '../wire/result-fields.ts'
import { type AskDeps, type AskOutcome, askAndWait } from './ask-and-wait.ts'
import { askResult } from './ask-result.ts'
import { followOutcome } from './follow-question.ts'
import type { Question } from './model/question.ts'
import { readAsk } from './model/read-ask.ts'
import { whyNotWidened } from './model/scope-facts.ts'
import type { HowAsked } from './open-question.ts'

export type AskUserDeps = AskDeps & {
  /** Tells early which addresses can never be called back. */
  outside: Pick<GuardedFetch, 'refusal'>
}

/**
 * Asks a person and waits for the answer as long as the call may (QS-WHAT-5). Throws
 * `invalid_input` for wrong fields, `unavailable` if nothing could be recorded.
 */
export async function askUser(
  deps: AskUserDeps,
  input: AskUserInput,
  call: CallContext,
): Promise<AskUserResult> {
  const how = howOf(deps, input)
  return told(deps, askAndWait(deps, readAsk(input, call.caller), how, call), how)
}

/** As `askUser`, but a call that ends without an answer goes on as a task if its caller follows. */
export async function askOrFollow(
  deps: AskUserDeps,
  input: AskUserInput,
  call: CallContext,
): Promise<AskUserResult | TaskHandle> {
  const how = howOf(deps, input)
  const waiting = askAndWait(deps, readAsk(input, call.caller), how, call)
  // The rest is not in this function, which would keep the input in memory while the call is held.
  return call.follows ? followed(deps, waiting, how) : told(deps, waiting, how)
}

async function followed(
  deps: AskDeps,
  waiting: Promise<AskOutcome>,
  how: How,
): Promise<AskUserResult | TaskHandle> {
  const { handle, outcome } = await followOutcome(deps, await waiting)
  return handle ?? toldOf(deps, outcome, how)
}

async function told(deps: AskDeps, waiting: Promise<AskOutcome>, how: How): Promise<AskUserResult> {
  return toldOf(deps, await waiting, how)
}

/** As `askUser`, for input that was already read. */
export async function askAsRead(
  deps: AskDeps,
  asked: Question,
  how: HowAsked & { wait: boolean },
  call: CallContext,
): Promise<AskUserResult> {
  return told(deps, askAndWait(deps, asked, how, call), how)
}

type How = HowAsked & { wait: boolean }

/** Throws `invalid_input` for a `callbackUrl` that can never be reached. */
function howOf(deps: AskUserDeps, { callbackUrl, wait, timeoutMs }: AskUserInput): How {
  checkCallbackUrl(deps.outside, callbackUrl)
  return { wait: wait !== false, timeoutMs }
}

async function toldOf(deps: AskDeps, outcome: AskOutcome, how: How): Promise<AskUserResult> {
  const { wait } = how
  // For a known repetition, different wording is not reported.
  const said = how.earlier ?? outcome.asked
  const telling = { ...outcome, asked: said, wait, now: deps.clock.now(), baseUrl: deps.baseUrl }
  const refused = await unlessUnavailable(whyNotWidened(deps.db.read, outcome.question))
  return askResult(telling, refused === 'unavailable' ? undefined : refused)
}

/**
 * Refuses a `callbackUrl` that can never be reached while the caller can still correct it. Throws
 * `invalid_input`.
 */
function checkCallbackUrl(
  { refusal }: Pick<GuardedFetch, 'refusal'>,
  callbackUrl: string | undefined,
): void {
  const refused = callbackUrl === undefined ? undefined : refusal(callbackUrl)
  if (!refused) return
  const why = refused.charAt(0).toLowerCase() + refused.slice(1).replace(/\.$/, '')
  const must = `cannot be called: ${why} (the server's owner allows hosts with BECKON_ALLOW_PRIVATE_HOSTS)`
  throw wrongFields([{ field: 'callbackUrl', must }])
}
