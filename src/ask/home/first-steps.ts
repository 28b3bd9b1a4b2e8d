import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { type AgentToken, isForNobody } from '../accounts/model/agent.ts'
import { may, type Person } from '../accounts/model/person.ts'
import { listTokens } from '../accounts/model/token-store.ts'
import { acceptedCount } from '../delivery/model/channel.ts'
import { countDeliveries, listDeliveries } from '../delivery/model/store.ts'
import { hasAnswered } from '../questions/model/first-answer-store.ts'
import type { Question } from '../questions/model/question.ts'
import { listOwnSubscribers } from '../subscribers/model/page-store.ts'
import type { Subscriber } from '../subscribers/model/subscriber.ts'
import { sees } from '../visibility/model/store.ts'
import { findOwnQuestion } from './ask-me.ts'

/** How far a person is on the way to their first answered question. */
export type FirstSteps = {
  /** The person's own devices. */
  devices: Subscriber[]
  /** The token that an agent of the person used last. */
  agent: AgentToken | undefined
  /** The tokens of others with which agents ask; only for people who see none of them. */
  others: number
  /** A token of the person waits for its first call. */
  isWaiting: boolean
  /** The question that the person asked themselves, and how many of their devices took it. */
  question: { question: Question; accepted: number } | undefined
  /** The person has a device, and there is an agent that can ask. */
  isReady: boolean
  /** Nothing is left to do. */
  isOver: boolean
}

// How long the outcome of the person's own question stays in sight.
const FRESH_MS = 60 * 60_000

/** Reads the steps; the devices and agents of other people count only where it is said. */
export async function readFirstSteps(
  { db, clock }: { db: Db; clock: Clock },
  person: Person,
): Promise<FirstSteps> {
  const { id, workspaceId } = person
  const [devices, tokens] = await Promise.all([
    listOwnSubscribers(db.read, { workspaceId, personId: id }),
    listTokens(db.read, workspaceId),
  ])
  const live = tokens.filter(({ revokedAt }) => revokedAt === null)
  const question = await findOwnQuestion(db, live, person)
  // Tokens from the command line have no owner; an owner of the server made them.
  const isOwn = ({ createdBy }: AgentToken) =>
    createdBy === id || (createdBy === null && may(person, 'tokens'))
  const used = live.filter(({ lastUsedAt }) => lastUsedAt !== null)
  const [agent] = used.filter(isOwn).sort((a, b) => (b.lastUsedAt ?? 0) - (a.lastUsedAt ?? 0))
  const others = await countSeen(
    db,
    person,
    used.filter((token) => !isOwn(token)),
  )
  const isReady = devices.length > 0 && (agent !== undefined || others > 0)
  const isFresh = question !== undefined && question.createdAt > clock.now() - FRESH_MS
  return {
    devices,
    agent,
    others,
    isWaiting: live.some((token) => isOwn(token) && isUnused(token)),
    question: question && { question, accepted: await countAccepted(db, question) },
    isReady,
    isOver: isReady && !isFresh && (await hasAnswered(db.read, workspaceId, id)),
  }
}

/** How many of these tokens ask what the person sees. */
async function countSeen({ read }: Db, person: Person, tokens: AgentToken[]): Promise<number> {
  const visible = await Promise.all(tokens.map(({ id }) => sees(read, person, { tokenId: id })))
  return visible.filter(Boolean).length
}

function isUnused(token: AgentToken): boolean {
  return token.lastUsedAt === null && !isForNobody(token)
}

async function countAccepted(db: Db, { workspaceId, id }: Question): Promise<number> {
  return acceptedCount(countDeliveries(await listDeliveries(db.read, workspaceId, id)))
}
