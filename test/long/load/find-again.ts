import type { ServerProcess } from '../../support/server-process.ts'
import { personCall, resultOf, tokenGet, toolCall } from './calls.ts'
import { answerTo } from './ground.ts'
import { type Reply, type Send, Wire } from './wire.ts'
import type { World } from './world.ts'

/** An agent and a person with one connection each. */
export function caller(server: ServerProcess, world: World, cookies: string[]) {
  const wire = new Wire(server.url)
  const token = world.tokens[0] as string
  return {
    async ask(more: object): Promise<string> {
      const args = { question: 'Go on?', wait: false, ...more }
      const reply = await wire.send(toolCall({ era: 'old', token }, 'ask_user', args))
      return String(resultOf(reply).correlationId)
    },
    async notify(args: object): Promise<Reply> {
      return await wire.send(toolCall({ era: 'old', token }, 'send_notification', args))
    },
    async answer(id: string, value: string): Promise<Reply> {
      const path = `/questions/${id}/answer`
      return await wire.send(personCall(server.url, cookies[0] ?? '', path, { value }))
    },
  }
}

const AGAIN_TOGETHER = 1_000

/** Waits for each of them again, a thousand at a time; some are answered meanwhile. */
export async function findAgain(
  ids: string[],
  answers: number,
  server: ServerProcess,
  world: World,
  cookies: string[],
  wrong: string[],
) {
  let foundAgain = 0
  let answered = 0
  const person = caller(server, world, cookies)
  const wait = async (id: string, n: number) => {
    const token = world.tokens[n % world.tokens.length] as string
    const timeoutMs = n < answers ? 20_000 : 1_000
    const overRest: Send = tokenGet(token, `/questions/${id}?timeoutMs=${timeoutMs}`)
    const args = { correlationId: id, timeoutMs }
    const wire = new Wire(server.url)
    const reply = await wire.send(
      n % 2 ? overRest : toolCall({ era: 'modern', token }, 'wait_for_answer', args),
    )
    wire.close()
    const { status, correlationId, value } = resultOf(reply)
    const wanted = n < answers ? 'answered' : 'pending'
    if (status !== wanted || correlationId !== id) {
      return void wrong.push(`${id} was found as ${reply.body.slice(0, 200)}`)
    }
    foundAgain++
    if (n < answers && value !== answerTo(id, 'confirm')) wrong.push(`${id} was told ${value}`)
    else if (n < answers) answered++
  }
  for (let at = 0; at < ids.length; at += AGAIN_TOGETHER) {
    const some = ids.slice(at, at + AGAIN_TOGETHER)
    const waits = some.map((id, n) => wait(id, at + n).catch((e) => wrong.push(`${id}: ${e}`)))
    if (at === 0) {
      for (const id of some.slice(0, answers)) await person.answer(id, answerTo(id, 'confirm'))
    }
    await Promise.all(waits)
  }
  return { foundAgain, answered }
}
