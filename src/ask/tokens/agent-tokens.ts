import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { cleanLine } from '../../platform/text.ts'
import {
  type AgentToken,
  makeToken,
  type Ownership,
  wrongTokenName,
} from '../accounts/model/agent.ts'
import type { PersonId, TokenId, WorkspaceId } from '../accounts/model/ids.ts'
import { isAuditor, may, must, type Person } from '../accounts/model/person.ts'
import { findRole } from '../accounts/model/person-store.ts'
import {
  addToken,
  countLiveTokens,
  findToken,
  listLiveTokens,
  listTokens,
  revoke,
  type TokensOf,
} from '../accounts/model/token-store.ts'
import { findWorkspace, homeWorkspace } from '../accounts/model/workspace-store.ts'
import { type AuditStamp, auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'

type Deps = { db: Db; clock: Clock }

/** The tokens that `person` may see, newest first, revoked ones too. */
export async function readTokens({ db }: Pick<Deps, 'db'>, person: Person): Promise<AgentToken[]> {
  const tokens = await listTokens(db.read, person.workspaceId)
  return tokens.filter(({ createdBy }) => seesAll(person) || may(person, 'tokens', createdBy))
}

/** How many unrevoked tokens `person` may see. */
export function countTokens({ db }: Pick<Deps, 'db'>, person: Person): Promise<number> {
  return countLiveTokens(db.read, seenBy(person))
}

/** The tokens of `countTokens` from index `offset` on, newest first. */
export function readTokenPage(
  { db }: Pick<Deps, 'db'>,
  person: Person,
  page: { offset: number; limit: number },
): Promise<AgentToken[]> {
  return listLiveTokens(db.read, seenBy(person), page)
}

/** Owners and auditors see the tokens of everybody. */
export function seesAll(person: Person): boolean {
  return may(person, 'tokens') || isAuditor(person)
}

function seenBy(person: Person): TokensOf {
  const { workspaceId, id } = person
  return seesAll(person) ? { workspaceId } : { workspaceId, createdBy: id }
}

/**
 * Makes a token for agents, which belongs to `by`, or to `owner`. The token itself is in the result and nowhere else: it is shown once.
 * With `replacesUnused` it replaces those of the same maker and name that no agent has used. Throws
 * `invalid_input` for a name that is empty or over 100 characters.
 */
export async function createToken(
  { db, clock }: Deps,
  input: {
    workspaceId: WorkspaceId
    name: string
    test?: boolean
    by?: PersonId
    owner?: Ownership
    replacesUnused?: true
  },
): Promise<{ token: string; record: AgentToken }> {
  const name = cleanLine(input.name)
  const wrong = wrongTokenName(name)
  if (wrong.length > 0) throw wrongFields(wrong)

  const now = clock.now()
  const id = newId('key', now)
  const { token, hash, tail } = makeToken()
  const stamp = auditStamp(now)
  const owner = input.owner ?? { createdBy: input.by ?? null, ownerGroup: null }
  const record = await db.write(async (tx) => {
    if (owner.createdBy !== null) await mustBeHere(tx, input.workspaceId, owner.createdBy)
    if (input.by !== undefined && input.replacesUnused) {
      await revokeUnused(tx, { ...input, by: input.by, name }, now)
    }
    await recordChange(tx, stamp, {
      workspaceId: input.workspaceId,
      kind: 'token.created',
      personId: input.by ?? null,
      subjectId: id,
      subjectName: name,
      detail: input.test ? 'test token' : null,
    })
    return await addToken(tx, {
      id,
      workspaceId: input.workspaceId,
      name,
      hash,
      tail,
      test: input.test ?? false,
      createdAt: now,
      ...owner,
    })
  })
  return { token, record }
}

async function revokeUnused(
  tx: Tx,
  of: { workspaceId: WorkspaceId; name: string; by: PersonId },
  now: number,
): Promise<void> {
  const { workspaceId, name, by } = of
  for (const token of await listLiveTokens(tx, { workspaceId, createdBy: by })) {
    if (token.name !== name || token.lastUsedAt !== null || token.clientId !== null) continue
    await recordRevoked(tx, await revoke(tx, token.id, now), by, auditStamp(now))
  }
}

async function recordRevoked(
  tx: Tx,
  token: AgentToken | undefined,
  personId: PersonId | null,
  stamp: AuditStamp,
): Promise<void> {
  if (!token) return
  const { workspaceId, id: subjectId, name: subjectName } = token
  const what = { kind: 'token.revoked', subjectId, subjectName } as const
  await recordChange(tx, stamp, { workspaceId, personId, ...what })
}

/** Throws `unauthenticated` for somebody who was removed while they asked for a token. */
async function mustBeHere(tx: Tx, workspaceId: WorkspaceId, personId: PersonId): Promise<void> {
  await tx.lock(`owners of ${workspaceId}`)
  const role = await findRole(tx, workspaceId, personId)
  if (role) return must({ id: personId, role }, 'act')
  throw new Failure('unauthenticated', 'You are no longer in this workspace; nothing was made.')
}

/**
 * Revokes a token; calls with it are refused from now on. Revoking it again changes nothing. Throws
 * `not_found` for an unknown id or a token of another workspace, and `forbidden` for a token that
 * the person may not revoke.
 */
export async function revokeToken(
  { db, clock }: Deps,
  { id, person }: { id: string; person?: Person },
): Promise<AgentToken> {
  const now = clock.now()
  const stamp = auditStamp(now)
  return await db.write(async (tx) => {
    const token = await findToken(tx, id as TokenId)
    if (!token || (person && token.workspaceId !== person.workspaceId)) {
      throw new Failure('not_found', `There is no token ${cleanLine(id)}; nothing was revoked.`)
    }
    if (person) must(person, 'tokens', token.createdBy)
    const revoked = await revoke(tx, token.id, now)
    await recordRevoked(tx, revoked, person?.id ?? null, stamp)
    return revoked ?? token
  })
}

/**
 * The workspace with this name or id; throws `not_found` if no workspace has it. If `nameOrId` is
 * undefined: the oldest workspace. If the database has no workspace yet, creates one, so that a
 * token can be made before anybody has signed in.
 */
export async function chooseWorkspace(
  { db, clock }: { db: Db; clock: Clock },
  nameOrId: string | undefined,
): Promise<WorkspaceId> {
  const now = clock.now()
  const id = newId('ws', now)
  if (nameOrId === undefined) return await db.write((tx) => homeWorkspace(tx, id, now))
  const workspace = await findWorkspace(db.read, nameOrId)
  if (workspace) return workspace.id
  throw new Failure('not_found', `There is no workspace "${cleanLine(nameOrId)}".`)
}
