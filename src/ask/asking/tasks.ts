import type { Task } from '../../platform/mcp/result.ts'
import { succeeded } from '../../platform/mcp/result.ts'
import { cutBytes, quotedJson } from '../../platform/text.ts'
import type { CallContext } from '../accounts/model/agent.ts'
import { cancelQuestion } from '../answering/cancel-question.ts'
import { countDeliveries, listDeliveries } from '../delivery/model/store.ts'
import { type EndQuestionDeps, settled } from '../questions/end-question.ts'
import { findForAgent } from '../questions/find-visible.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import type { Question } from '../questions/model/question.ts'
import { TASK_WITHDRAWN } from '../questions/model/result.ts'
import { whyNotWidened } from '../questions/model/scope-facts.ts'
import { whoEnded } from '../questions/who-ended.ts'
import type { Tasks } from '../tools/tool.ts'
import { waitForEnd } from '../waiting/call-wait.ts'
import type { QuestionId } from '../wire/ids.ts'
import type { AskDeps } from './ask-and-wait.ts'
import { askResult } from './ask-user.ts'
import { stateOf } from './follow-question.ts'

export type TaskDeps = AskDeps & EndQuestionDeps

// A hint costs at most 60 tokens, and a token has at least one byte.
const WHO_BYTES_MAX = 24
// Proxies cut silent requests after 30 s, and clients after 60.
const HELD_MS = 25_000

/** Questions whose agent follows them, as tasks of MCP. The id of the task is the question's. */
export function questionTasks(deps: TaskDeps): Tasks {
  const { db, clock } = deps

  async function followed(taskId: string, { caller }: CallContext) {
    const question = await findForAgent(db.read, caller, taskId as QuestionId)
    return question?.detail.followedAt === undefined ? undefined : question
  }

  return {
    async get(taskId, call) {
      const question = await followed(taskId, call)
      if (!question) return undefined
      if (statusAt(question, clock.now()) !== 'pending') return endedTask(deps, question)
      const until = Math.min(call.caller.arrivedAt + HELD_MS, question.expiresAt)
      using waiter = deps.waiters.add(question.id, until, call.signal)
      const end = await waitForEnd(deps, waiter, question)
      if (end.because === 'ended') return endedTask(deps, end.question)
      return stateOf(end.question, clock.now(), end.because === 'closing')
    },
    // The server never asks the client for input during a task, so it accepts none.
    update: async (taskId, call) => (await followed(taskId, call)) !== undefined,
    async cancel(taskId, call) {
      if (!(await followed(taskId, call))) return false
      await cancelQuestion(deps, { correlationId: taskId, reason: TASK_WITHDRAWN }, call)
      return true
    },
  }
}

/** With the result that a call that waited until now would have returned. */
async function endedTask(deps: TaskDeps, read: Question): Promise<Task> {
  const { db, clock, baseUrl } = deps
  const now = clock.now()
  const question = await settled(deps, read, now)
  const state = stateOf(question, now)
  if (state.status !== 'completed') return state
  const rows = await listDeliveries(db.read, question.workspaceId, question.id)
  const telling = {
    opened: { fresh: false, question, counts: countDeliveries(rows) },
    question,
    callState: 'ended',
    unmatched: undefined,
    asked: question,
    wait: true,
    now,
    baseUrl,
  } as const
  const { hint, ...result } = askResult(telling, await whyNotWidened(db.read, question))
  const decided = await decidedWords(deps, question)
  const hintText = [decided, hint].filter(Boolean).join(' ')
  return { ...state, result: succeeded({ ...result, ...(hintText ? { hint: hintText } : {}) }) }
}

/**
 * Says what was decided, by whom and when: hours later the model may not remember what it asked,
 * and its client tells it that the text is not user input.
 */
async function decidedWords({ db }: TaskDeps, question: Question): Promise<string | undefined> {
  const { status, value, endedAt } = question
  if (status !== 'answered' || value === undefined || endedAt === undefined) return undefined
  const who = (await whoEnded({ db }, question)) ?? 'Somebody'
  const at = new Date(endedAt).toISOString().slice(0, 16).replace('T', ' ')
  return `${quotedJson(cutBytes(who, WHO_BYTES_MAX))} decided this at ${at} UTC: act on value. It answers what you asked.`
}
