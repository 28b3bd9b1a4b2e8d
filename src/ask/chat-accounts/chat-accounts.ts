import type { Clock } from '../../platform/clock.ts'
import type { Db, Read } from '../../platform/db/database.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import { randomText } from '../../platform/ids.ts'
import { hashToken } from '../accounts/model/agent.ts'
import type { Person } from '../accounts/model/person.ts'
import { findActivePerson } from '../accounts/model/person-store.ts'
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
  putAccount,
  putAccountCode,
  takeAccountCode,
} from './model/store.ts'

export type ChatAccountDeps = { db: Db; clock: Clock }

const CODE_MS = 15 * 60_000
// 40 bits, which nobody guesses in a quarter of an hour, and few enough to type.
const CODE_CHARS = 8

/** A code for whoever holds an account in a chat. It must be shown to them alone. */
export async function makeAccountCode(
  { db, clock }: ChatAccountDeps,
  of: Omit<AccountCode, 'hash' | 'expiresAt'>,
): Promise<string> {
  const code = randomText(CODE_CHARS)
  const now = clock.now()
  const stored = { ...of, hash: hashToken(code), expiresAt: now + CODE_MS }
  await db.write((tx) => putAccountCode(tx, stored, now))
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

/** A signed-in person types the code of an account: from now on it is theirs. Throws `invalid_input`. */
export async function linkAccount(
  { db, clock }: ChatAccountDeps,
  person: Person,
  typed: string,
): Promise<void> {
  const { id: personId, workspaceId } = person
  const hash = hashToken(typed.toLowerCase().replace(/[^0-9a-z]/g, ''))
  const now = clock.now()
  const stamp = auditStamp(now)
  await db.write(async (tx) => {
    const code = await takeAccountCode(tx, { hash, workspaceId, now })
    if (!code) throw wrongFields([{ field: 'code', must: MUST }])
    const { service, account, label } = code
    await putAccount(tx, { service, account, label, workspaceId, personId, createdAt: now })
    await recordChange(tx, stamp, {
      ...about({ service, account, label }),
      workspaceId,
      personId,
      detail: 'linked',
    })
  })
}

const MUST =
  'is not one of this workspace, was used, or is older than 15 minutes. Ask for another one in the chat'

/** The account answers nothing any more. Throws `not_found`. */
export async function unlinkAccount(
  { db, clock }: ChatAccountDeps,
  person: Person,
  of: Pick<ChatAccount, 'service' | 'account'>,
): Promise<void> {
  const stamp = auditStamp(clock.now())
  const { id: personId, workspaceId } = person
  await db.write(async (tx) => {
    const gone = await dropAccount(tx, { ...of, personId })
    if (!gone) throw new Failure('not_found', 'This account is not linked to you.')
    await recordChange(tx, stamp, { ...about(gone), workspaceId, personId, detail: 'removed' })
  })
}

function about({ service, account, label }: Pick<ChatAccount, 'service' | 'account' | 'label'>) {
  const name = `${SERVICE_NAMES[service]} ${label}`
  return { kind: 'chat_account.changed', subjectId: account, subjectName: name } as const
}

/** The person who answers with this account; undefined if nobody has linked it, or they have left or are switched off. */
export async function personOf(
  read: Read,
  service: ChatService,
  account: string,
): Promise<Person | undefined> {
  const link = await findAccount(read, service, account)
  const person = link && (await findActivePerson(read, link.personId))
  return person?.workspaceId === link?.workspaceId ? person : undefined
}
