import type { Read } from '../../platform/db/database.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { isAuditor } from '../accounts/model/person.ts'
import { listPeople } from '../accounts/model/person-store.ts'
import { type Crew, planOf, shiftsFrom } from './model/on-call.ts'
import { findRotaByName, listOverrides } from './model/store.ts'

/** Who is on call; `until` is when that changes, undefined if it does not. */
export type OnCall =
  | { kind: 'person'; personId: PersonId; until: number | undefined }
  | { kind: 'nobody'; reason: string }
  | { kind: 'unknown'; reason: string }

/**
 * Reads who is on call in a rota at a time, in milliseconds. Nobody, and not knowing, have a reason
 * that is a sentence without its end.
 */
export async function readOnCall(
  read: Read,
  workspaceId: WorkspaceId,
  name: string,
  at: number,
): Promise<OnCall> {
  const rota = await findRotaByName(read, workspaceId, name)
  if (!rota) return { kind: 'unknown', reason: `There is no rota ${name}` }
  const overrides = await listOverrides(read, [rota.id], at)
  const crew = await readCrew(read, workspaceId)
  const [shift] = shiftsFrom(planOf(rota), overrides, crew, at, 1)
  if (shift?.standing.kind === 'person') {
    return { kind: 'person', personId: shift.standing.personId, until: shift.to }
  }
  return shift?.standing ?? { kind: 'unknown', reason: 'The rota is empty' }
}

/** The people of a workspace by id, and who of them may not answer. */
export async function readCrew(read: Read, workspaceId: WorkspaceId): Promise<Crew> {
  const people = await listPeople(read, workspaceId)
  return new Map(
    people.map((one) => {
      const isAbsent = one.offAt !== null || isAuditor(one)
      return [one.id, { id: one.id, name: one.name, email: one.email, isAbsent }]
    }),
  )
}
