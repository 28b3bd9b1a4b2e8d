import type { Clock } from '../../platform/clock.ts'
import type { Db, Read, Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { randomText } from '../../platform/ids.ts'
import { hashToken } from '../accounts/model/agent.ts'
import { may, type Person } from '../accounts/model/person.ts'
import { findActivePerson, findPerson } from '../accounts/model/person-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import {
  type AccountCode,
  type ChatAccount,
  type ChatService,
  SERVICE_NAMES,
} from './model/account.ts'
import {
  dropAccount,
  findAccount,
  findAccountCode,
  putAccount,
  putAccountCode,
  takeAccountCode,
} from './model/store.ts'
import { linkAccountPath } from './paths.ts'

export type ChatAccountDeps = { db: Db; clock: Clock }

const LINK_MS = 10 * 60_000
// 160 bits; it is never typed.
const CODE_CHARS = 32

/**
 * The path of a page that links an account to the person who opens it, once, for ten minutes. It must
 * be shown to the holder of the account alone. An earlier link for the account ends.
 */
export async function makeAccountLink(
  { db, clock }: ChatAccountDeps,
  of: Omit<AccountCode, 'hash' | 'expiresAt'>,
): Promise<string> {
  const code = randomText(CODE_CHARS)
  const now = clock.now()
  const stored = { ...of, hash: hashToken(code), expiresAt: now + LINK_MS }
  await db.write((tx) => putAccountCode(tx, stored, now))
  return linkAccountPath(code)
}

/**
 * The account that a link is for. Throws `gone` for a link that is not good, `forbidden` if it is for
 * somebody else, and `conflict` if the account is linked to somebody else.
 */
export async function readAccountLink(
  { db, clock }: ChatAccountDeps,
  person: Person,
  code: string,
): Promise<AccountCode> {
  const of = { hash: hashToken(code), workspaceId: person.workspaceId }
  const accountCode = await findAccountCode(db.read, of, clock.now())
  if (!accountCode) throw new Failure('gone', NOT_GOOD)
  await mustBeFor(db.read, accountCode, person)
  const existing = await findAccount(db.read, accountCode.service, accountCode.account)
  if (existing && existing.personId !== person.id) throw await takenBy(db.read, existing, person)
  return accountCode
}

/** A signed-in person confirms a link: from now on the account is theirs. Throws as `readAccountLink`. */
export async function linkAccount(
  { db, clock }: ChatAccountDeps,
  person: Person,
  code: string,
): Promise<void> {
  const { id: personId, workspaceId } = person
  const hash = hashToken(code)
  const now = clock.now()
  const stamp = auditStamp(now)
  await db.write(async (tx) => {
    const accountCode = await takeAccountCode(tx, { hash, workspaceId }, now)
    if (!accountCode) throw new Failure('gone', NOT_GOOD)
    await mustBeFor(tx, accountCode, person)
    const { service, account, label } = accountCode
    const theirs = { service, account, label, workspaceId, personId, createdAt: now }
    if (!(await putAccount(tx, theirs))) {
      throw await takenBy(tx, await findAccount(tx, service, account), person)
    }
    await recordChange(tx, stamp, {
      ...about({ service, account, label }),
      workspaceId,
      personId,
      detail: 'linked',
    })
  })
}

const NOT_GOOD =
  'This link was used, is older than 10 minutes, or is of another workspace. Nothing was linked. Ask for another one in the chat.'

async function mustBeFor(read: Read, { personId, label }: AccountCode, person: Person) {
  if (personId === null || personId === person.id) return
  const other = await findPerson(read, personId)
  const name = other?.workspaceId === person.workspaceId ? other.name : 'somebody else'
  throw new Failure(
    'forbidden',
    `This link is for ${name}: it was sent to their chat, ${label}. You are signed in as ${person.name}. Nothing was linked.`,
  )
}

async function takenBy(read: Read, account: ChatAccount | undefined, person: Person) {
  const isHere = account?.workspaceId === person.workspaceId
  const other = isHere ? await findPerson(read, account.personId) : undefined
  const name = other?.name ?? 'somebody in another workspace'
  return new Failure(
    'conflict',
    `${account?.label ?? 'The account'} is linked to ${name} already, so nothing was linked. They remove it under Settings, Answer in chats, or an owner does.`,
  )
}

/** The account answers nothing any more. Owners may do it for others. Throws `not_found`. */
export async function unlinkAccount(
  { db, clock }: ChatAccountDeps,
  person: Person,
  of: Pick<ChatAccount, 'service' | 'account'>,
): Promise<void> {
  const stamp = auditStamp(clock.now())
  const { id: personId, workspaceId } = person
  await db.write(async (tx) => {
    const whose = may(person, 'people') ? undefined : personId
    const gone = await dropAccount(tx, { ...of, workspaceId }, whose)
    if (!gone) throw new Failure('not_found', 'This account is not linked to you.')
    const other = gone.personId === personId ? undefined : await findPerson(tx, gone.personId)
    const detail = other ? `removed from ${other.name}` : 'removed'
    await recordChange(tx, stamp, { ...about(gone), workspaceId, personId, detail })
  })
}

function about({ service, account, label }: Pick<ChatAccount, 'service' | 'account' | 'label'>) {
  const name = `${SERVICE_NAMES[service]} ${label}`
  return { kind: 'chat_account.changed', subjectId: account, subjectName: name } as const
}

/** Whose account it is. `off`: of somebody who was switched off, or is no member any more. */
export type Holder = { is: 'person'; person: Person } | { is: 'nobody' } | { is: 'off' }

export async function findHolder(
  read: Read,
  service: ChatService,
  account: string,
): Promise<Holder> {
  const link = await findAccount(read, service, account)
  if (!link) return { is: 'nobody' }
  const person = await findActivePerson(read, link.personId, link.workspaceId)
  return person ? { is: 'person', person } : { is: 'off' }
}

/**
 * What an answer in a chat checks again in its transaction: the account is still this person's, and
 * they were not switched off. Throws `forbidden`.
 */
export function stillHeld(service: ChatService, account: string, by: Person) {
  return async (tx: Tx): Promise<void> => {
    const holder = await findHolder(tx, service, account)
    if (holder.is === 'person' && holder.person.id === by.id) return
    throw new Failure('forbidden', 'This account was unlinked, or its person switched off.')
  }
}
