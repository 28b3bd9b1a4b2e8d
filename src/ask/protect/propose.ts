import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db, Read, Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { cleanLine } from '../../platform/text.ts'
import type { GuardedChange, Proposer } from '../accounts/model/guarded-change.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import { findPerson } from '../accounts/model/person-store.ts'
import { viewersOf } from '../asking/open-question.ts'
import { listGroups } from '../groups/model/store.ts'
import { readProtect } from '../policy/model/store.ts'
import { protectRequirement } from '../policy/protect.ts'
import { namesOf } from '../policy/requirement.ts'
import { differenceLines, differencesOf } from '../policy-file/model/difference.ts'
import { fileOf, readState } from '../policy-file/model/policy-state.ts'
import type { Question } from '../questions/model/question.ts'
import { questionBytes } from '../questions/model/question.ts'
import { findQuestion, insertQuestion } from '../questions/model/store.ts'
import { addViewers } from '../visibility/model/store.ts'
import type { Requirement } from '../votes/model/requirement.ts'
import { canBeDecided } from '../votes/model/standing.ts'
import { readVoters } from '../votes/read-voters.ts'
import { type Act, basisOf, makeChange, whyOf, wordsOf } from './changes.ts'
import { addProposal, listProposals } from './model/store.ts'
import { proposalQuestion, shortWords } from './proposal-question.ts'

export type ProposeDeps = { db: Db; clock: Clock; config: Pick<Config, 'company'> }

// More than anybody reads before a yes.
const LINES_MAX = 16_000
const OPEN_MAX = 20

/**
 * Asks those who protect who may decide to agree to a change; the same change again joins its question.
 * Throws `conflict` where nobody could agree, and what the change itself would throw.
 */
export async function propose(deps: ProposeDeps, change: GuardedChange): Promise<Question> {
  const { db, clock, config } = deps
  const { workspaceId } = change
  const at = clock.now()
  const name = await nameOf(db.read, change.by)
  const requirement = await requirementOf(db.read, change)
  const act: Act = { ...config, at, by: { workspaceId, id: change.by.id ?? '', name } }
  const lines = await linesOf(db, change, act)
  const by = change.by.id === undefined ? cleanLine(name) : name
  const words = `${by} proposes: ${shortWords(lines)}. Make this change?`
  const question = proposalQuestion({
    ...{ workspaceId, at, by, question: words, context: whyOf(change), lines, requirement },
  })
  return await db.write(async (tx) => {
    await tx.lock(`proposals ${workspaceId}`)
    const open = await listProposals(tx, workspaceId)
    const same = open.find((one) => Bun.deepEquals(one.change, stored(change)))
    const earlier = same && (await findQuestion(tx, workspaceId, same.questionId))
    if (earlier) return earlier
    if (open.length >= OPEN_MAX) throw tooMany()
    const basis = await basisOf(tx, change)
    await storeProposal(tx, question)
    await addProposal(tx, { ...of(question), change: stored(change), basis, toldAt: null })
    return question
  })
}

/** Stores a question of the policy, for those who decide it. */
export async function storeProposal(tx: Tx, question: Question): Promise<void> {
  await insertQuestion(tx, question, questionBytes(question))
  await addViewers(tx, viewersOf(question))
  tx.emit('question', question.id)
}

function of({ id: questionId, workspaceId }: Question) {
  return { questionId, workspaceId }
}

/** As the database has it. */
function stored(change: GuardedChange): GuardedChange {
  return JSON.parse(JSON.stringify(change))
}

async function nameOf(read: Read, { id, name }: Proposer): Promise<string> {
  const person = id === undefined ? undefined : await findPerson(read, id)
  return person?.name ?? name ?? 'Somebody'
}

async function requirementOf(read: Read, { workspaceId, by }: GuardedChange): Promise<Requirement> {
  const protect = await readProtect(read, workspaceId)
  if (!protect) {
    throw new Failure(
      'conflict',
      'Nothing is protected any more, so try again; nothing was changed.',
    )
  }
  if (by.maker === null) throw makerUnknown()
  const voters = await readVoters(read, workspaceId)
  const nameOfId = namesOf(await listGroups(read, workspaceId), voters)
  const excluded = [by.id, by.maker].filter((id): id is PersonId => typeof id === 'string')
  const requirement = protectRequirement(protect, nameOfId, excluded)
  if (!canBeDecided(requirement, voters)) throw undecidable()
  return requirement
}

/** Thrown to undo a change that was made to see what it does. */
class Undone extends Error {
  readonly lines: string[]
  constructor(lines: string[]) {
    super()
    this.lines = lines
  }
}

/** What the change does, line by line: it is made, compared, and undone. */
async function linesOf({ write }: Db, change: GuardedChange, act: Act): Promise<string[]> {
  const { workspaceId } = change
  try {
    await write(async (tx) => {
      const before = fileOf(await readState(tx, workspaceId))
      await makeChange(tx, change, act)
      const now = fileOf(await readState(tx, workspaceId))
      const differences = differencesOf(before, now)
      throw new Undone(differences.flatMap(differenceLines))
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
    const lines = [...error.lines, ...wordsOf(change)].map(clean)
    if (lines.join('\n').length > LINES_MAX) throw tooLong()
    return lines
  }
  throw new Error('the change was not undone')
}

/** In one line, and indented as it was. */
function clean(line: string): string {
  return `${/^ */.exec(line)?.[0] ?? ''}${cleanLine(line)}`
}

const conflict = (message: string) => new Failure('conflict', message)
const tooMany = () =>
  conflict(
    `${OPEN_MAX} proposed changes wait already, the most there may be; nothing was proposed.`,
  )
const tooLong = () =>
  conflict('This changes more than anybody would read, so it was not proposed. Change it in parts.')
const makerUnknown = () =>
  conflict(
    'It is not known who made this token, so nobody could be told not to agree to their own change. Make a new token; nothing was proposed.',
  )
const undecidable = () =>
  conflict(
    'Too few people are left who may agree to this, so it was not proposed. Whoever runs the server can still change it: beckon policy apply --break-glass.',
  )
