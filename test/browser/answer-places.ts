import { linkPath } from '../../src/ask/delivery/model/links.ts'
import type { Question } from '../../src/ask/questions/model/question.ts'
import type { Subscriber } from '../../src/ask/subscribers/model/subscriber.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import type { AnswerSource } from '../../src/ask/wire/question-fields.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { loadSecrets } from '../../src/platform/db/settings-store.ts'
import { connect } from '../support/devices.ts'
import type { PageWorld } from '../support/page-world.ts'
import { isLong, isWide } from '../support/share.ts'

/** A page on which a question can be answered. */
export type Place = {
  name: string
  source: AnswerSource
  /** Whether the question stands there as a card among others. */
  card: boolean
  /** Asks, and says which page shows the question. */
  open(world: PageWorld, changes: Partial<Question>): Promise<{ id: QuestionId; path: string }>
}

let sessions = 0

/** All of them. */
export const PLACES: Place[] = [
  { name: 'Home', source: 'dashboard', card: true, open: at('/') },
  { name: 'Inbox', source: 'inbox', card: true, open: at('/inbox') },
  {
    name: 'Live',
    source: 'live_page',
    card: true,
    async open(world, changes) {
      const key = { machineId: 'm1', sessionId: `asked-twice-${sessions++}` }
      const session = await world.work(key)
      return { id: await world.ask({ ...key, ...changes }), path: `/live/${session}` }
    },
  },
  {
    name: 'the page of a notification',
    source: 'decide_page',
    card: true,
    async open(world, changes) {
      const id = await world.ask(changes)
      const notification = await world.tell({ questionId: id })
      return { id, path: `/n/${notification.id}` }
    },
  },
  {
    name: 'the decide page',
    source: 'decide_page',
    card: false,
    async open(world, changes) {
      const id = await world.ask(changes)
      return { id, path: `/d/${id}` }
    },
  },
  {
    name: 'an answer link',
    source: 'answer_link',
    card: false,
    async open(world, changes) {
      const { workspaceId, db } = world
      const questionId = await world.ask(changes)
      const [phone] = (await connect(db, { workspaceId })) as [Subscriber]
      const { quickAnswerSecret } = await loadSecrets(db, systemClock)
      const of = { questionId, subscriberId: phone.id, purpose: 'page' } as const
      return { id: questionId, path: linkPath(quickAnswerSecret, of) }
    },
  },
]

/**
 * Every place in each way in the long run. CI takes half of the places in each of two ways, so that
 * it tries each place once; the quick run the first list in one way, and the pages of one question
 * in the other.
 */
export function inOneWay(places: readonly Place[], way: number): readonly Place[] {
  if (isLong) return places
  if (isWide || !places.some(({ card }) => card)) return places.filter((_, i) => i % 2 === way % 2)
  return way % 2 === 0 ? places.slice(0, 1) : places.filter(({ card }) => !card)
}

function at(path: string): Place['open'] {
  return async (world, changes) => ({ id: await world.ask(changes), path })
}
