import type { Server } from '../../../../packages/js/src/server.ts'
import { type RestWorld, restWorld } from '../../../ask/http/rest-world.ts'
import { until } from '../../../support/until.ts'

type Open = { correlationId: string; question: string; action?: string; actionBody?: string }

/** A server, how an agent reaches it, and a person who answers its questions. */
export type Person = AsyncDisposable & {
  server: Required<Pick<Server, 'url' | 'token'>>
  /** Answers this many questions, as soon as they are there, and returns them. */
  answer(value: 'yes' | 'no', note?: string, count?: number): Promise<Open[]>
  /** The questions that are open. */
  open(): Promise<Open[]>
}

export async function person(): Promise<Person> {
  const world = await restWorld()
  const token = (world.headersOf('agent').authorization ?? '').replace('Bearer ', '')
  const open = () => openIn(world)
  return {
    server: { url: world.url, token },
    open,
    async answer(value, note, count = 1) {
      let found: Open[] = []
      await until(async () => {
        found = await open()
        return found.length >= count
      })
      const body = note === undefined ? { value } : { value, note }
      for (const { correlationId } of found) {
        const path = `/api/v1/questions/${correlationId}/answer`
        await world.call({ as: 'member', method: 'POST', path, body })
      }
      return found
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

async function openIn(world: RestWorld): Promise<Open[]> {
  const { body } = await world.call({ as: 'member', path: '/api/v1/inbox' })
  return (body as { questions: Open[] }).questions
}
