import { dirname } from 'node:path'
import { Failure } from '../failure.ts'
import { writeRefusal } from './write-refusal.ts'

/**
 * An error of the database as `unavailable` in one sentence, however deeply it is wrapped (Drizzle
 * wraps it); any other error unchanged.
 */
export function storageFailure(thrown: unknown): unknown {
  const failure = failureIn(thrown)
  if (failure) return failure
  const kind = /^SQLITE_([A-Z]+)/.exec(codeOf(thrown))?.[1] ?? ''
  const sentence = SENTENCES[kind]
  return sentence === undefined ? thrown : new Failure('unavailable', sentence, { cause: thrown })
}

/** As `storageFailure`, for a write to the database file `path`. */
export function writeFailure(thrown: unknown, path: string): unknown {
  // When the disk turned read-only under a database, SQLite only says that there was an error.
  const isDisk =
    codeOf(thrown).startsWith('SQLITE_IOERR') && writeRefusal(dirname(path)) === 'EROFS'
  return isDisk
    ? new Failure('unavailable', READ_ONLY_DISK, { cause: thrown })
    : storageFailure(thrown)
}

/** Returns true if the storage refuses temporarily; false for any other error. */
export function isUnavailable(thrown: unknown): boolean {
  const failure = storageFailure(thrown)
  return failure instanceof Failure && failure.code === 'unavailable'
}

/** The result of `work`, or that the storage refuses for now. */
export async function unlessUnavailable<T>(work: Promise<T>): Promise<T | 'unavailable'> {
  try {
    return await work
  } catch (error) {
    if (isUnavailable(error)) return 'unavailable'
    throw error
  }
}

/** Returns true if another program holds the database. */
export function isBusy(thrown: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(thrown))
}

/** PostgreSQL's errors are `Failure`s already, wrapped by Drizzle. */
function failureIn(thrown: unknown): Failure | undefined {
  let current = thrown
  while (current instanceof Error && !(current instanceof Failure)) current = current.cause
  return current instanceof Failure ? current : undefined
}

/** The error that caused all the others; Drizzle wraps those of a driver. */
export function rootCause(thrown: unknown): unknown {
  let current: unknown = thrown
  while (current instanceof Error && current.cause instanceof Error) current = current.cause
  return current
}

/** The `code` of the root cause; empty without one. */
export function codeOf(thrown: unknown): string {
  const cause = rootCause(thrown)
  const { code } = (cause instanceof Object ? cause : {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

const REFUSED = 'The storage refused the write; nothing was recorded. Try again shortly.'
const READ_ONLY_DISK =
  'The disk of the server is read-only; nothing was recorded. Its owner makes it writable again: a disk turns read-only when its file system finds an error.'
const HELD = 'Another program holds the database; nothing was recorded. Try again shortly.'
const DAMAGED =
  'The database of the server is damaged; nothing was recorded. Its owner stops the server and restores a backup: beckon restore FILE.'
const SENTENCES: Record<string, string> = {
  FULL: 'The disk of the server is full; nothing was recorded. Free space, then try again.',
  READONLY: 'The database of the server is read-only; nothing was recorded.',
  BUSY: HELD,
  LOCKED: HELD,
  IOERR: REFUSED,
  CANTOPEN: REFUSED,
  CORRUPT: DAMAGED,
  NOTADB: DAMAGED,
}
