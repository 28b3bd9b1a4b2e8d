import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { addDetail } from '../questions/model/detail-store.ts'
import { withPrograms } from '../questions/model/reading.ts'
import { listOpenQuestions } from '../questions/model/store.ts'
import { type OwnProgram, type ProgramKind, whyNotOwn } from '../wire/reading/own-programs.ts'
import { PROGRAMS_MAX } from './model/policy.ts'
import { changePolicy, readPolicy } from './model/store.ts'
import { refuseBesideFile } from './only-from-file.ts'

type Deps = { db: Db; clock: Clock }

/** Statements of an owner about a program, in words that follow its name. */
export const KIND_WORDS: Record<ProgramKind, string> = {
  words: 'starts no other program, whatever words it is given',
  project: 'is a tool of the project and runs its code',
}

/**
 * Adds a program that the workspace knows, or says something else of it. Open questions that name it
 * are read again at once. Throws `invalid_input` for a name that cannot be added, and `conflict` for
 * one too many.
 */
export async function addProgram(
  deps: Deps,
  workspaceId: WorkspaceId,
  program: OwnProgram,
  by: PersonId,
): Promise<void> {
  const why = whyNotOwn(program.name)
  if (why) throw wrongFields([{ field: 'name', must: `cannot be ${program.name}: it ${why}` }])
  const what = `program ${program.name} added: it ${KIND_WORDS[program.kind]}`
  await change(deps, { workspaceId, by, what }, (before) => {
    const others = before.filter(({ name }) => name !== program.name)
    if (others.length >= PROGRAMS_MAX) throw tooMany()
    return [...others, program]
  })
}

/** Removes a program; open questions that name it are read again at once. Throws `not_found`. */
export async function removeProgram(
  deps: Deps,
  workspaceId: WorkspaceId,
  name: string,
  by: PersonId,
): Promise<void> {
  const what = `program ${name} removed`
  await change(deps, { workspaceId, by, what }, (before) => {
    const others = before.filter((one) => one.name !== name)
    if (others.length < before.length) return others
    throw new Failure('not_found', 'There is no such program here.')
  })
}

async function change(
  { db, clock }: Deps,
  { workspaceId, by, what }: { workspaceId: WorkspaceId; by: PersonId; what: string },
  to: (before: readonly OwnProgram[]) => OwnProgram[],
): Promise<void> {
  const now = clock.now()
  const stamp = auditStamp(now)
  await db.write(async (tx) => {
    await tx.lock(`policy ${workspaceId}`)
    await refuseBesideFile(tx, workspaceId)
    const programs = to((await readPolicy(tx, workspaceId)).programs)
    await recordChange(tx, stamp, {
      workspaceId,
      kind: 'policy.changed',
      personId: by,
      detail: what,
    })
    await changePolicy(tx, workspaceId, { programs }, now)
    await applyPrograms(tx, workspaceId, programs, now)
    tx.emit('policy', workspaceId)
  })
}

// More than any workspace has open.
const OPEN_MAX = 1_000

/** Reads the commands of open questions again, now that the workspace knows these programs. */
export async function applyPrograms(
  tx: Tx,
  workspaceId: WorkspaceId,
  programs: readonly OwnProgram[],
  now: number,
): Promise<void> {
  for (const question of await listOpenQuestions(tx, { workspaceId }, now, OPEN_MAX)) {
    const before = question.detail.programs ?? []
    const after = withPrograms(question, programs).detail.programs ?? []
    if (Bun.deepEquals(before, after)) continue
    await addDetail(tx, question, { programs: after })
    tx.emit('question', question.id)
  }
}

function tooMany(): Failure {
  return new Failure('conflict', `There are ${PROGRAMS_MAX} programs already; remove some first.`)
}
