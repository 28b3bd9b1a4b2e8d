import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { listOwners } from '../accounts/model/person-store.ts'
import type { Sender } from '../delivery/model/sender.ts'
import { questionMessage } from '../delivery/question-message.ts'
import { addressDeciders, type FirstDelivery } from '../fail-over/address-first.ts'
import { insertFailover } from '../fail-over/model/store.ts'
import type { Question } from '../questions/model/question.ts'
import { findQuestion } from '../questions/model/store.ts'
import { listUntold, markTold, type ProposedChange, takeProposal } from './model/store.ts'

export type AnnounceDeps = { db: Db; clock: Clock; sender: Sender }

const EVERY_MS = 1_000
const TAKE_MAX = 50
/** For how long a notice that owners get is worth sending. */
const NOTICE_MS = 24 * 60 * 60_000

/**
 * Tells people of what was proposed, or made without agreement, wherever that was: also a command on
 * the data folder, which sends nothing itself.
 */
export function keepAnnouncing(
  deps: AnnounceDeps,
  report: (error: unknown) => void,
): AsyncDisposable {
  return repeatEvery(deps.clock, EVERY_MS, () => announce(deps), report)
}

/** Tells of everything that nobody was told of yet; resolves to how many. */
async function announce(deps: AnnounceDeps): Promise<number> {
  const untold = await listUntold(deps.db.read, TAKE_MAX)
  for (const one of untold) await announceOne(deps, one)
  return untold.length
}

async function announceOne(deps: AnnounceDeps, of: ProposedChange): Promise<void> {
  const { db, clock, sender } = deps
  const { questionId, workspaceId, change } = of
  const question = await findQuestion(db.read, workspaceId, questionId)
  const { rows, turns } = question ? await addressed(deps, question) : NOBODY
  const messages = await db.write(async (tx) => {
    if (!(await markTold(tx, questionId, clock.now()))) return []
    // Nothing is left to do once owners are told.
    if (change === null) await takeProposal(tx, questionId)
    await sender.store(tx, rows)
    if (turns) await insertFailover(tx, turns)
    return rows
  })
  sender.send(messages)
}

const NOBODY: FirstDelivery = { rows: [], turns: undefined }

async function addressed(deps: AnnounceDeps, question: Question): Promise<FirstDelivery> {
  const { db, clock, sender } = deps
  const message = questionMessage(question)
  const { requirement } = question
  if (requirement) return await addressDeciders(deps, question, requirement, message)
  const among = await listOwners(db.read, question.workspaceId)
  const expiresAt = clock.now() + NOTICE_MS
  const people = { among, devices: [] }
  return {
    rows: await sender.address(db.read, { ...message, people, expiresAt }),
    turns: undefined,
  }
}
