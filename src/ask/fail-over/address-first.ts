import type { Db } from '../../platform/db/database.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import type { AddressedRow, OutgoingMessage, Sender } from '../delivery/model/sender.ts'
import type { GroupId } from '../groups/model/group.ts'
import type { Plan } from '../policy/plan.ts'
import type { Question } from '../questions/model/question.ts'
import type { Recipient } from '../telling/model/recipient.ts'
import { readFirstRecipients, readViewers } from '../telling/read-recipients.ts'
import type { Requirement } from '../votes/model/requirement.ts'
import { readVoters } from '../votes/read-voters.ts'
import { anyTarget } from '../wire/targeting.ts'
import { dueAtOf, type Step, start } from './model/step.ts'
import type { Failover } from './model/store.ts'
import { readSurroundings, recipientOf } from './read-surroundings.ts'

type Deps = { db: Db; sender: Sender }

/** The rows of the first message, and who is told when nobody decides. */
export type FirstDelivery = {
  rows: AddressedRow[]
  turns: Failover | undefined
  /** Who sees it because they are told. */
  viewers?: ReadonlyArray<PersonId | GroupId>
}

/**
 * Addresses the first message of a question that `waits` until others are told. Where nobody named
 * devices, the people whose turn comes later are left out of it, unless nobody else has a device:
 * then it goes to the first of them.
 */
export async function addressFirst(
  { db, sender }: Deps,
  question: Question,
  waits: NonNullable<Plan['failover']>,
  outgoing: OutgoingMessage,
): Promise<FirstDelivery> {
  const { people, everyMs } = waits
  const turnsOf = (left: readonly PersonId[]) => turns(question, everyMs, left)
  if (anyTarget(question.targeting)) {
    const rows = await sender.address(db.read, outgoing)
    const notifiedIds = new Set(rows.map(({ personId }) => personId))
    return { rows, turns: turnsOf(people.filter((one) => !notifiedIds.has(one))) }
  }
  const others = await sender.address(db.read, { ...outgoing, people: { except: people } })
  if (others.length > 0) return { rows: others, turns: turnsOf(people) }
  for (const [at, only] of people.entries()) {
    const rows = await sender.address(db.read, { ...outgoing, people: { only } })
    if (rows.length > 0) return { rows, turns: turnsOf(people.slice(at + 1)) }
  }
  return { rows: [], turns: undefined }
}

/** One person after the other, each after the same time. */
function turns(
  { id: questionId, workspaceId, createdAt }: Question,
  everyMs: number,
  people: readonly PersonId[],
): Failover | undefined {
  if (people.length === 0) return undefined
  const steps = people.map((one): Step => ({ afterMs: everyMs, tell: [one] }))
  const stepAt = createdAt + everyMs
  return { questionId, workspaceId, steps, told: [], waiting: [], stepAt, dueAt: stepAt }
}

/**
 * Addresses the first message of a question that certain people decide: to whoever a rule tells, or
 * may decide. Those in their quiet hours are told when these end. A call adds the devices that it
 * names, and takes nobody away.
 */
export async function addressDeciders(
  deps: Deps,
  question: Question,
  requirement: Requirement,
  message: OutgoingMessage,
): Promise<FirstDelivery> {
  const { db, sender } = deps
  const { id: questionId, workspaceId, targeting, createdAt: now, expiresAt } = question
  const voters = await readVoters(db.read, workspaceId)
  const moment = { workspaceId, voters, now }
  const { people, channels } = await readFirstRecipients(db.read, requirement, moment)
  const viewers = await readViewers(db.read, requirement.tell ?? [], moment)
  const first: Recipient[] = [...people, ...channels]
  const steps = stepsOf(requirement)
  const about = { question, message, steps, more: first, now, voters }
  const { world, rows: all } = await readSurroundings(deps, about)
  const { state, ring } = start(first, steps, now, world)
  // What a person switched off is kept, to explain why nothing came.
  const isTold = (row: AddressedRow) =>
    ring.includes(recipientOf(row)) || (row.state === 'held' && first.includes(recipientOf(row)))
  const rows = all.filter(isTold)
  const dueAt = dueAtOf(state, expiresAt)
  const turns = { questionId, workspaceId, ...state, dueAt }
  if (!anyTarget(targeting)) return { rows, turns, viewers }
  const ids = new Set(rows.map(({ subscriberId }) => subscriberId))
  const others = await sender.address(db.read, message)
  const more = others.filter(({ subscriberId }) => !ids.has(subscriberId))
  return { rows: [...rows, ...more], turns, viewers }
}

/** The steps as rules have them count from the question; here each counts from the one before. */
function stepsOf({ escalate = [] }: Requirement): Step[] {
  return escalate.map(({ afterMs, tell }, at) => ({
    afterMs: afterMs - (escalate[at - 1]?.afterMs ?? 0),
    tell,
  }))
}
