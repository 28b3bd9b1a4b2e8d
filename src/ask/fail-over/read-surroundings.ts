import type { Db } from '../../platform/db/database.ts'
import type { AddressedRow, OutgoingMessage, Sender } from '../delivery/model/sender.ts'
import type { Question } from '../questions/model/question.ts'
import { readOwnQuietHours } from '../subscribers/model/own-quiet-store.ts'
import { quietUntil } from '../subscribers/model/quiet-hours.ts'
import { isChannel, type Recipient } from '../telling/model/recipient.ts'
import { type Recipients, readRecipients } from '../telling/read-recipients.ts'
import type { Voters } from '../votes/model/standing.ts'
import { listVotes } from '../votes/model/store.ts'
import { readVoters } from '../votes/read-voters.ts'
import type { EscalationWorld, Step } from './model/step.ts'

type Deps = { db: Db; sender: Sender }

type About = {
  question: Question
  message: OutgoingMessage
  steps: readonly Step[]
  /** Others who may be told now. */
  more: readonly Recipient[]
  now: number
  /** Of its workspace, if they were read already. */
  voters?: Voters
}

/** What a step needs to know, and the rows that tell somebody. */
export type Surroundings = {
  world: EscalationWorld
  /** One for each device of somebody that could be told, `held` ones included. */
  rows: AddressedRow[]
  nameOf(recipient: Recipient): string
}

/** Reads whom the steps of a question stand for now, and who of them can be told. */
export async function readSurroundings({ db, sender }: Deps, about: About): Promise<Surroundings> {
  const { question, message, steps, more, now } = about
  const { workspaceId, requirement, id, expiresAt: endsAt } = question
  const voters = about.voters ?? (await readVoters(db.read, workspaceId))
  const bySteps = new Map<string, Recipients>()
  for (const { tell } of steps) {
    bySteps.set(keyOf(tell), await readRecipients(db.read, tell, { workspaceId, voters, now }))
  }
  const all = [...more, ...[...bySteps.values()].flatMap(listed)]
  const among = all.filter((one) => voters.has(one))
  const people = { among, devices: all.filter(isChannel) }
  const rows = await sender.address(db.read, { ...message, targeting: {}, people })
  const reach = new Set(rows.filter(({ state }) => state === 'waiting').map(recipientOf))
  const away = new Set<Recipient>(requirement?.excluded)
  if (requirement) for (const { personId } of await listVotes(db.read, id)) away.add(personId)
  const quiet =
    requirement?.urgent === true || !requirement
      ? NO_QUIET
      : await readOwnQuietHours(db.read, workspaceId)
  return {
    rows,
    nameOf: (recipient) => voters.get(recipient)?.name ?? 'a channel',
    world: {
      endsAt,
      recipients: (tell) => listed(bySteps.get(keyOf(tell))),
      mayTell: (recipient) => reach.has(recipient) && !away.has(recipient),
      isHere: (recipient) => voters.has(recipient),
      quietUntil: (recipient) => quietUntil(quiet.get(recipient) ?? null, now),
    },
  }
}

const NO_QUIET: Awaited<ReturnType<typeof readOwnQuietHours>> = new Map()

function keyOf(tell: readonly string[]): string {
  return JSON.stringify(tell)
}

function listed(recipients: Recipients | undefined): Recipient[] {
  return recipients ? [...recipients.people, ...recipients.channels] : []
}

/** The person of a row, or its channel. */
export function recipientOf({ personId, subscriberId }: AddressedRow): Recipient {
  return personId ?? subscriberId
}
