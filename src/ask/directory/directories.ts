import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import { type Id, newId, randomText } from '../../platform/ids.ts'
import { cleanLine } from '../../platform/text.ts'
import { wrongName } from '../../platform/wrong-name.ts'
import { hashToken } from '../accounts/model/agent.ts'
import { withSecret } from '../accounts/model/guarded-change.ts'
import { must, type Person } from '../accounts/model/person.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { guardAlways } from '../policy/guard.ts'
import {
  addDirectory,
  addDirectoryToken,
  type Directory,
  type DirectoryToken,
  dropDirectoryToken,
  listDirectories,
  listDirectoryTokens,
} from './model/store.ts'
import { readRefusal } from './refusal.ts'

/** Where directories push people and groups to. */
export const SCIM_PATH = '/scim/v2'

type Deps = { db: Db; clock: Clock }

// 200 random bits cannot be guessed, so a plain hash is enough.
const TOKEN_CHARS = 40
const NAME_MAX = 40
const DIRECTORIES_MAX = 20
/** One in use, and one that replaces it. */
const TOKENS_MAX = 2

/** The directories of a workspace. Throws `forbidden`. */
export async function readDirectories({ db }: Pick<Deps, 'db'>, by: Person) {
  must(by, 'companySignIn')
  const all = await listDirectories(db.read, by.workspaceId)
  return await Promise.all(
    all.map(async (directory) => ({
      directory,
      tokens: await listDirectoryTokens(db.read, directory.id),
      refusal: await readRefusal(db.read, directory.id),
    })),
  )
}

/**
 * Makes a directory with its first token, which is in the result and nowhere else. Throws
 * `forbidden`, `invalid_input`, and `conflict` for a name that is taken.
 */
export async function makeDirectory(
  { db, clock }: Deps,
  by: Person,
  typed: string,
): Promise<{ directory: Directory; token: string }> {
  must(by, 'companySignIn')
  const name = cleanLine(typed)
  const wrong = wrongName(name, NAME_MAX)
  if (wrong.length > 0) throw wrongFields(wrong)
  const now = clock.now()
  const { workspaceId } = by
  const directory: Directory = { id: newId('dir', now), workspaceId, name, createdAt: now }
  const { token, row } = newToken(directory.id, now)
  const input = { directory, row }
  const change = { workspaceId, by, kind: 'directory.add', input }
  const act = { by, at: now }
  const done = db.write((tx) => guardAlways(tx, change, () => writeDirectory(tx, act, input)))
  await withSecret({ name: 'The token', value: token }, done)
  return { directory, token }
}

export type DirectoryAct = { by: Pick<Person, 'workspaceId' | 'id' | 'name'>; at: number }

/** Adds a directory with a token. Throws before it writes anything. */
export async function writeDirectory(
  tx: Tx,
  { by, at }: DirectoryAct,
  { directory, row }: { directory: Directory; row: DirectoryToken },
): Promise<void> {
  const { workspaceId, name } = directory
  await tx.lock(`directories of ${workspaceId}`)
  const all = await listDirectories(tx, workspaceId)
  if (all.some((one) => one.name === name)) throw taken(name)
  if (all.length >= DIRECTORIES_MAX) throw full()
  await addDirectory(tx, directory)
  await addDirectoryToken(tx, row)
  const detail = 'added, with a token'
  await recordChange(tx, auditStamp(at), { ...about(by, directory), detail })
}

/** A second token, to replace the first. Throws `forbidden`, `not_found`, and `conflict`. */
export async function makeDirectoryToken(
  { db, clock }: Deps,
  by: Person,
  id: string,
): Promise<{ directory: Directory; token: string }> {
  must(by, 'companySignIn')
  const at = clock.now()
  const { token, row } = newToken(id as Id<'dir'>, at)
  const { workspaceId } = by
  const change = { workspaceId, by, kind: 'directory.token', input: row }
  const done = db.write((tx) =>
    guardAlways(tx, change, () => writeDirectoryToken(tx, { by, at }, row)),
  )
  const directory = await withSecret({ name: 'The token', value: token }, done)
  return { directory, token }
}

/** Adds a token. Throws before it writes anything. */
export async function writeDirectoryToken(
  tx: Tx,
  { by, at }: DirectoryAct,
  row: DirectoryToken,
): Promise<Directory> {
  await tx.lock(`directories of ${by.workspaceId}`)
  const own = (await listDirectories(tx, by.workspaceId)).find(({ id }) => id === row.directoryId)
  if (!own) throw nothing()
  if ((await listDirectoryTokens(tx, own.id)).length >= TOKENS_MAX) throw twoTokens()
  await addDirectoryToken(tx, row)
  const detail = `token …${row.tail} made`
  await recordChange(tx, auditStamp(at), { ...about(by, own), detail })
  return own
}

/** Revokes a token: the directory is refused with it at once. Throws `forbidden`, `not_found`. */
export async function revokeDirectoryToken(
  { db, clock }: Deps,
  by: Person,
  { id, tokenId }: { id: string; tokenId: string },
): Promise<void> {
  must(by, 'companySignIn')
  const stamp = auditStamp(clock.now())
  await db.write(async (tx) => {
    const own = (await listDirectories(tx, by.workspaceId)).find((one) => one.id === id)
    if (!own || !(await dropDirectoryToken(tx, own.id, tokenId as Id<'dtk'>))) throw nothing()
    await recordChange(tx, stamp, { ...about(by, own), detail: 'token revoked' })
  })
}

function newToken(directoryId: Id<'dir'>, now: number) {
  const token = `bs_${randomText(TOKEN_CHARS)}`
  const row = {
    ...{ id: newId('dtk', now), directoryId, hash: hashToken(token), tail: token.slice(-4) },
    ...{ createdAt: now, lastUsedAt: null },
  }
  return { token, row }
}

function about(by: DirectoryAct['by'], { id, name }: Directory) {
  const { workspaceId, id: personId, name: personName } = by
  const kind = 'directory.changed' as const
  return { workspaceId, kind, personId, personName, subjectId: id, subjectName: name }
}

const conflict = (sentence: string) => new Failure('conflict', sentence)
const taken = (name: string) => conflict(`There is a directory ${name} already; nothing was made.`)
const full = () => conflict(`There are ${DIRECTORIES_MAX} directories, the most there may be.`)
const twoTokens = () => conflict('A directory has two tokens at most. Revoke one first.')
const nothing = () => new Failure('not_found', 'There is no such directory or token here.')
