import type { Clock } from '../../platform/clock.ts'
import type { Db, Read, Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import type { PersonId, TokenId, WorkspaceId } from '../accounts/model/ids.ts'
import { isAuditor, must, type Person } from '../accounts/model/person.ts'
import type { Absence, PersonGone, Whose } from '../accounts/model/person-gone.ts'
import {
  anyOwnerBeside,
  type ListedPerson,
  listPeople,
  putOff,
} from '../accounts/model/person-store.ts'
import { listLiveTokens, putTokenOff } from '../accounts/model/token-store.ts'
import { type AuditStamp, auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'

type Deps = { db: Db; clock: Clock; personGone: () => readonly PersonGone[] }

/** Who switches whom: an owner, or a directory by its name. */
export type Switch = {
  workspaceId: WorkspaceId
  personId: PersonId
  by: Person | undefined
  /** For the audit trail: `by directory Acme`; null for an owner. */
  how: string | null
}

/**
 * Switches a person off or on. Off, they are signed out everywhere, their tokens are refused, and
 * nothing acts in their name; all that is theirs stays. Throws `forbidden`, `not_found`, and
 * `conflict` for the only owner.
 */
export async function switchPerson(
  deps: Deps,
  by: Person,
  personId: PersonId,
  isOn: boolean,
): Promise<void> {
  must(by, 'people')
  const of = { workspaceId: by.workspaceId, personId, by, how: null }
  const stamp = auditStamp(deps.clock.now())
  const after = await deps.db.write(async (tx) => {
    await tx.lock(`owners of ${by.workspaceId}`)
    if (isOn) return await switchOn(tx, of, stamp)
    return await switchOff(tx, deps.personGone(), of, stamp)
  })
  after()
}

/**
 * As `switchPerson`, in a transaction that holds the lock of the owners. What it resolves to is
 * called once that is committed.
 */
export async function switchOff(
  tx: Tx,
  parts: readonly PersonGone[],
  { workspaceId, personId, by, how }: Switch,
  stamp: AuditStamp,
): Promise<() => void> {
  const { at } = stamp
  const person = await requireMember(tx, workspaceId, personId)
  await requireOtherOwner(tx, person, 'nobody was switched off')
  if (!(await putOff(tx, { workspaceId, personId }, at))) return () => {}
  const whose = { workspaceId, personId, personName: person.name, by, at }
  const after = await endActing(tx, parts, { ...whose, is: 'off' })
  const subject = { subjectId: personId, subjectName: person.name, detail: how }
  await recordChange(tx, stamp, {
    workspaceId,
    kind: 'person.switched_off',
    ...who(by),
    ...subject,
  })
  tx.emit('sign_in', personId)
  return after
}

/**
 * Ends what acts in the name of somebody who takes no part from now on: their tokens are refused. What
 * it resolves to is called once that is committed.
 */
export async function endActing(
  tx: Tx,
  parts: readonly PersonGone[],
  whose: Omit<Absence, 'tokens'>,
): Promise<() => void> {
  const { at } = whose
  const tokens = await switchTokens(tx, whose, at)
  const afterwards: Array<(() => void) | undefined> = []
  for (const part of parts) afterwards.push(await part.off?.(tx, { ...whose, tokens }))
  return () => {
    for (const after of afterwards) after?.()
  }
}

/** Has a person's tokens refused since `offAt`, or accepted. */
export async function switchTokens(
  tx: Tx,
  { workspaceId, personId }: Whose,
  offAt: number | null,
): Promise<TokenId[]> {
  const tokens = await listLiveTokens(tx, { workspaceId, createdBy: personId })
  for (const { id } of tokens) await putTokenOff(tx, id, offAt)
  return tokens.map(({ id }) => id)
}

/** Switches somebody on: their tokens (unless they are an auditor) and devices work again; what ended stays ended. */
export async function switchOn(
  tx: Tx,
  { workspaceId, personId, by, how }: Switch,
  stamp: AuditStamp,
): Promise<() => void> {
  const person = await requireMember(tx, workspaceId, personId)
  if (!(await putOff(tx, { workspaceId, personId }, null))) return () => {}
  if (!isAuditor(person)) await switchTokens(tx, { workspaceId, personId }, null)
  const subject = { subjectId: personId, subjectName: person.name, detail: how }
  await recordChange(tx, stamp, { workspaceId, kind: 'person.switched_on', ...who(by), ...subject })
  tx.emit('subscriber', workspaceId)
  return () => {}
}

/** Somebody of the workspace, also if they are switched off. Throws `not_found`. */
export async function requireMember(
  read: Read,
  workspaceId: WorkspaceId,
  personId: PersonId,
): Promise<ListedPerson> {
  const [person] = await listPeople(read, workspaceId, [personId])
  if (person) return person
  throw new Failure('not_found', 'Nobody here has this id; nothing was changed.')
}

function who(by: Person | undefined) {
  return by ? { personId: by.id, personName: by.name } : {}
}

/** Throws `conflict` for the only owner, and says of what was asked for: `nobody was removed`. */
export async function requireOtherOwner(
  read: Read,
  { workspaceId, id, name, role }: Person,
  outcome: string,
): Promise<void> {
  if (role !== 'owner' || (await anyOwnerBeside(read, workspaceId, id))) return
  throw new Failure(
    'conflict',
    `${name} is the only owner; ${outcome}. Make somebody else an owner first.`,
  )
}
