import type { Server } from '../../../../packages/js/src/server.ts'
import { type RestWorld, restWorld } from '../../../ask/http/rest-world.ts'
import { until } from '../../../support/until.ts'

type Open = { correlationId: string; question: string; action?: string; actionBody?: string }

/** A server, how an agent reaches it, and a person who answers its questions. */
export type Person = AsyncDisposable & {
  server: Required<Pick<Server, 'url' | 'token'>>
  /** Answers this many questions, as soon as they are there, and returns them. */
  answer(value: 'yes' | 'no', note?: string, count?: number): Promise<Open[]>
  /** Answers the open question that says this, as soon as it is there, with other arguments if any. */
  say(question: string, value: string, changed?: object): Promise<void>
  /** The questions that are open. */
  open(): Promise<Open[]>
  /** What the audit trail has of this kind, once it has as many. */
  audit(kind: string, count?: number): Promise<object[]>
}

export async function person(): Promise<Person> {
  const world = await restWorld()
  const token = (world.headersOf('agent').authorization ?? '').replace('Bearer ', '')
  const open = () => openIn(world)
  return {
    server: { url: world.url, token },
    open,
    async audit(kind, count = 0) {
      let entries: object[] = []
      await until(async () => {
        const { body } = await world.call({ as: 'member', path: `/api/v1/audit?kind=${kind}` })
        entries = (body as { entries: object[] }).entries
        return entries.length >= count
      })
      return entries
    },
    async say(question, value, changed) {
      let match: Open | undefined
      await until(async () => {
        match = (await open()).find((one) => one.question === question)
        return match !== undefined
      })
      const body = changed ? { value, arguments: changed } : { value }
      await answered(world, match?.correlationId, body)
    },
    async answer(value, note, count = 1) {
      let questions: Open[] = []
      await until(async () => {
        questions = await open()
        return questions.length >= count
      })
      const body = note === undefined ? { value } : { value, note }
      for (const { correlationId } of questions) await answered(world, correlationId, body)
      return questions
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

// Below the time a test may take, so that a call without a reply is said by name.
const REPLY_MS = 20_000

async function openIn(world: RestWorld): Promise<Open[]> {
  const signal = AbortSignal.timeout(REPLY_MS)
  const { body } = await world.call({ as: 'member', path: '/api/v1/inbox', signal })
  return (body as { questions: Open[] }).questions
}

async function answered(world: RestWorld, id: string | undefined, body: object): Promise<void> {
  const path = `/api/v1/questions/${id}/answer`
  const signal = AbortSignal.timeout(REPLY_MS)
  const { status } = await world.call({ as: 'member', method: 'POST', path, body, signal })
  if (status !== 200) throw new Error(`the answer was refused: ${status}`)
}
