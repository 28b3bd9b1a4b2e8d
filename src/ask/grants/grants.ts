import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import type { Person, Viewer } from '../accounts/model/person.ts'
import type { Removal } from '../accounts/model/person-gone.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import type { Question } from '../questions/model/question.ts'
import { GRANT_WORDS, type Grant, type GrantEnd, newGrant } from './model/grant.ts'
import {
  endGrantsFor,
  endGrantsIn,
  endGrantsOfGone,
  endOverdueGrants,
  hasOverdueGrants,
  insertGrant,
  listGrants,
  readGrant,
} from './model/store.ts'

type Deps = { db: Db; clock: Clock }

/** Lists the current grants, the newest first. */
export function readGrants({ db, clock }: Deps, viewer: Viewer): Promise<Grant[]> {
  return listGrants(db.read, viewer, clock.now())
}

/** Stores what a person allowed with the yes that has just been recorded, in its transaction. */
export async function keepGrant(tx: Tx, question: Question, by: PersonId, now: number) {
  const { granted } = question.detail
  if (!granted) return
  const grant = newGrant(question, granted, by, now)
  await insertGrant(tx, grant)
  await record(tx, grant, now, 'grant.given', by, `yes ${GRANT_WORDS[grant.length]}`)
}

/**
 * Takes a grant back at once, with every other for the same call; one that is over stays so. Throws
 * `not_found`.
 */
export async function revokeGrant(
  { db, clock }: Deps,
  workspaceId: WorkspaceId,
  id: string,
  by: PersonId,
): Promise<void> {
  const grant = await readGrant(db.read, workspaceId, id)
  if (!grant) throw new Failure('not_found', 'There is no such grant here.')
  const now = clock.now()
  await db.write(async (tx) => {
    await recordEnds(tx, await endGrantsFor(tx, grant, now), now, by)
  })
}

/** The session is over, or was stopped: nothing is allowed in it any more. */
export async function endSessionGrants(
  tx: Tx,
  session: { workspaceId: WorkspaceId; machineId: string; sessionId: string },
  now: number,
  because: GrantEnd,
  by?: PersonId,
): Promise<void> {
  await recordEnds(tx, await endGrantsIn(tx, session, now, because), now, by)
}

/** Whoever gave them is removed or switched off, or the tokens that they are for. */
export async function endGrantsOf(
  tx: Tx,
  gone: Pick<Removal, 'workspaceId' | 'personId' | 'revoked' | 'at'> & { by: Person | undefined },
): Promise<void> {
  await recordEnds(tx, await endGrantsOfGone(tx, gone, gone.at), gone.at, gone.by?.id)
}

const SWEEP_EVERY_MS = 5_000

/** Records the end of grants that have run out: now and every 5 seconds, until disposed. */
export function keepEndingGrants(
  { db, clock }: Deps,
  report: (error: unknown) => void,
): AsyncDisposable {
  const sweep = async () => {
    const now = clock.now()
    if (!(await hasOverdueGrants(db.read, now))) return
    await db.write(async (tx) => recordEnds(tx, await endOverdueGrants(tx, now), now))
  }
  return repeatEvery(clock, SWEEP_EVERY_MS, sweep, report)
}

const END_WORDS: Record<GrantEnd, string> = {
  revoked: 'taken back',
  session_ended: 'the session ended',
  stopped: 'the agent was stopped',
  expired: 'its time was over',
  person_gone: 'who gave it, or who owned the token, was removed or switched off',
}

async function recordEnds(tx: Tx, ended: Grant[], now: number, by?: PersonId): Promise<void> {
  for (const grant of ended) {
    const why = END_WORDS[grant.endedBecause ?? 'expired']
    await record(tx, grant, now, 'grant.ended', by, `${why}, used ${times(grant.uses)}`)
  }
}

function times(uses: number): string {
  return uses === 1 ? 'once' : `${uses} times`
}

function record(
  tx: Tx,
  { workspaceId, id, toolName, cwd, action }: Grant,
  now: number,
  kind: 'grant.given' | 'grant.ended',
  by: PersonId | undefined,
  what: string,
): Promise<void> {
  return recordChange(tx, auditStamp(now), {
    workspaceId,
    kind,
    personId: by ?? null,
    subjectId: id,
    subjectName: `${toolName} in ${cwd}: ${action}`,
    detail: what,
  })
}
