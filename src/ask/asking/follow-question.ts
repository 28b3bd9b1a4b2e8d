import { isoTime } from '../../platform/clock.ts'
import { unlessUnavailable } from '../../platform/db/storage-failure.ts'
import type { TaskHandle, TaskState } from '../../platform/mcp/result.ts'
import type { OutgoingMessage } from '../delivery/model/sender.ts'
import { listDeliveries, prolongDeliveries } from '../delivery/model/store.ts'
import { questionMessage } from '../delivery/question-message.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import { TASK_KEPT_MS } from '../questions/model/purge-store.ts'
import type { Question } from '../questions/model/question.ts'
import { TASK_WITHDRAWN } from '../questions/model/result.ts'
import { readScopeFacts } from '../questions/model/scope-facts.ts'
import { findQuestion, followQuestion } from '../questions/model/store.ts'
import { planReminders } from '../reminders/remind.ts'
import type { AskDeps, AskOutcome } from './ask-and-wait.ts'

// A held `tasks/get` says everything at once, so clients may come back soon.
const POLL_MS = 1_000
// Longer than a restart takes: clients give up a server that refuses them for 20 s.
const RESTART_POLL_MS = 30_000

/**
 * If its caller can follow a task, a call that ends without an answer goes on as one: the question
 * lives as long as the policy's `longLifeMs` says, and devices that have not had the push get it
 * again without a sound. Returns undefined if the call returns its result as usual. The question in
 * the task is the current one.
 */
export async function followOutcome(
  deps: AskDeps,
  outcome: AskOutcome,
): Promise<{ handle: TaskHandle | undefined; outcome: AskOutcome }> {
  if (!mayBeFollowed(outcome)) return { handle: undefined, outcome }
  const followed = await unlessUnavailable(follow(deps, outcome.question))
  if (followed === 'unavailable') return { handle: undefined, outcome }
  const { question } = followed
  const now = deps.clock.now()
  if (statusAt(question, now) !== 'pending') {
    return { handle: undefined, outcome: { ...outcome, question, callState: 'ended' } }
  }
  const isClosing = outcome.callState === 'closing'
  return { handle: handleOf(question, now, isClosing), outcome: { ...outcome, question } }
}

/**
 * If a rule says what happens without an answer, that happens after the call's wait, not hours
 * later.
 */
function mayBeFollowed({ callState: situation, question }: AskOutcome): boolean {
  const { detail, status } = question
  if (situation !== 'timeout' && situation !== 'closing') return false
  return status === 'pending' && !detail.paused && detail.onTimeout === undefined
}

async function follow(deps: AskDeps, draft: Question): Promise<{ question: Question }> {
  const { db, clock, sender, policies } = deps
  const { policy } = await policies.of(draft.workspaceId)
  const facts = await readScopeFacts(db.read, draft, clock.now())
  const until = draft.createdAt + policy.longLifeMs
  const followed = await db.write(async (tx) => {
    const question = await followQuestion(tx, draft, clock.now(), until)
    if (!question) return undefined
    tx.emit('question', question.id)
    await planReminders(tx, question, policy, clock.now())
    if (question.expiresAt === draft.expiresAt) return { question, rows: [] }
    await prolongDeliveries(tx, question, question.expiresAt)
    const sentRows = await listDeliveries(tx, question.workspaceId, question.id)
    const unseen = sentRows.filter(
      ({ state, message, shownAt }) =>
        state === 'accepted' && message.kind === 'question' && shownAt === null,
    )
    if (unseen.length === 0) return { question, rows: [] }
    const ids = unseen.map(({ subscriberId }) => subscriberId)
    const rows = await sender.address(tx, repeatedMessage(questionMessage(question, facts), ids))
    await sender.store(tx, rows)
    return { question, rows }
  })
  if (followed) {
    if (followed.rows.length > 0) sender.send(followed.rows)
    return followed
  }
  return { question: (await findQuestion(db.read, draft.workspaceId, draft.id)) ?? draft }
}

/** Replaces the push, which its service drops after the question's first ten minutes. */
function repeatedMessage(
  outgoing: OutgoingMessage,
  subscriberIds: OutgoingMessage['targeting']['subscriberIds'] & object,
): OutgoingMessage {
  const message = { ...outgoing.message, quiet: true, again: true } as const
  return { ...outgoing, targeting: { subscriberIds }, message }
}

function handleOf(question: Question, now: number, isClosing: boolean): TaskHandle {
  const note = `Question ${question.id} is with the person until ${untilWords(question)}. Do what does not depend on it, else end your turn: you are told when it is answered. Do not ask again.`
  return {
    resultType: 'task',
    ...stateOf(question, now, isClosing),
    // Claude Code shows it to the model in place of the result.
    _meta: { 'com.anthropic/agent-task': { modelImmediateResponse: note } },
  }
}

/** The state of a followed question as its task. It never fails: that would end it for good. */
export function stateOf(question: Question, now: number, isClosing = false): TaskState {
  const { id, createdAt, expiresAt, endedAt, detail, endReason } = question
  const times = {
    taskId: id,
    createdAt: isoTime(createdAt),
    lastUpdatedAt: isoTime(endedAt ?? detail.followedAt ?? createdAt),
    ttlMs: expiresAt - createdAt + TASK_KEPT_MS,
    pollIntervalMs: isClosing ? RESTART_POLL_MS : POLL_MS,
  }
  const status = statusAt(question, now)
  if (status === 'cancelled' && endReason === TASK_WITHDRAWN) {
    return { ...times, status: 'cancelled', statusMessage: TASK_WITHDRAWN }
  }
  if (status !== 'pending') return { ...times, status: 'completed' }
  const statusMessage = `Waiting for an answer, open until ${untilWords(question)}`
  return { ...times, status: 'working', statusMessage }
}

/** Like `18:30 UTC`, with the day where it is not today’s. */
function untilWords({ createdAt, expiresAt }: Question): string {
  const [day, time = ''] = isoTime(expiresAt).split('T')
  const clock = `${time.slice(0, 5)} UTC`
  return isoTime(createdAt).startsWith(`${day}T`) ? clock : `${day} ${clock}`
}
