import { type Send, senderTo } from '../support/kept-story.ts'
import type { PushServer } from '../support/push-server.ts'
import { NOTIFICATIONS, SEEDS, SESSIONS, type Seed } from './story.ts'

/** What became of a question. */
export type Result = { correlationId: string; status: string; value?: string; note?: string }

/** Fills an empty server with what a person and six agents leave in it. Throws if a call fails. */
export async function seed(agent: Send, person: Send, push: PushServer): Promise<void> {
  for (const [kind, label] of [
    ['phone', "Ada's phone"],
    ['browser', "Ada's laptop"],
  ] as const) {
    await person('/subscribers', { transport: 'webpush', kind, label, ...push.subscribe(kind) })
  }
  for (const { client, ...report } of SESSIONS) {
    await agent(`/hooks/${client}`, { event: 'session_start', ...report })
  }
  for (const { from, ...notification } of NOTIFICATIONS) {
    const { agentName, sessionId, machineId } = from
    await agent('/notifications', { ...notification, agentName, sessionId, machineId })
  }
  // A scope is in force before the open questions of its session come.
  for (const one of SEEDS.filter(({ end }) => end))
    await end(await ask(agent, one), one, agent, person)
}

/** Asks the question of a seed without waiting. */
async function ask(agent: Send, { from, by, ask }: Seed): Promise<Result> {
  const { client, machineName, branch, ...where } = from
  if (by === 'approval') {
    const report = { event: 'approval', machineName, branch, ...where }
    const { question } = await agent(`/hooks/${client}`, {
      ...report,
      ask: { ...ask, wait: false },
    })
    return question as Result
  }
  if (by === 'scope') {
    const { repoKey: _, ...proposer } = where
    return (await agent('/scopes', { ...ask, ...proposer, timeoutMs: 1_000 })) as Result
  }
  return (await agent('/questions', { ...ask, ...where, wait: false })) as Result
}

async function end({ correlationId: id }: Result, { end }: Seed, agent: Send, person: Send) {
  if (end === 'cancelled') await agent(`/questions/${id}/cancel`, {})
  else if (end === 'stopped') await person(`/questions/${id}/stop`, {})
  else if (end) await person(`/questions/${id}/answer`, end)
}

/**
 * Asks the open questions and waits for each as its agent would, until `signal`. `onEnd` is told of
 * every end; a question that nobody answered in time is asked again, so that a page that is worked
 * on never runs out of them. While the server restarts, the wait is repeated.
 */
export async function keepAsking(
  agent: Send,
  onEnd: (seed: Seed, result: Result) => void,
  signal: AbortSignal,
): Promise<void> {
  const open = SEEDS.filter(({ end }) => !end)
  const first: Array<[Seed, Result]> = []
  for (const one of open) first.push([one, await ask(agent, one)])
  for (const [one, result] of first) void wait(one, result)

  async function wait(one: Seed, { correlationId: id }: Result): Promise<void> {
    while (!signal.aborted) {
      const result = await agent(`/questions/${id}?timeoutMs=25000`).catch(() => undefined)
      if (result === undefined) await Bun.sleep(1_000)
      else if (result.status !== 'pending') {
        onEnd(one, result as Result)
        if (result.status === 'expired') return await wait(one, await ask(agent, one))
        return
      }
    }
  }
}

/** Sends as the agent whose token it is. */
export function agentAt(url: string, token: string): Send {
  return senderTo(url, { authorization: `Bearer ${token}` })
}
