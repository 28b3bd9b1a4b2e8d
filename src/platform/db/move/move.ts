import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isoTime, systemClock } from '../../clock.ts'
import { restoreAlone } from '../backup.ts'
import { openKnownFolder, requireKnownFolder } from '../data-folder.ts'
import { DATABASE_FILE } from '../find-database.ts'
import { serveAlone } from '../only-server.ts'
import { type Address, opening } from '../postgres/cannot-open.ts'
import { migratePostgres } from '../postgres/migrate.ts'
import { openSqlite } from '../sqlite.ts'
import { copyFromPostgres, copyToPostgres, type Moved, type OnProgress } from './copy.ts'
import { openSqliteSide } from './sqlite-side.ts'

export type { Moved, OnProgress } from './copy.ts'

// The folder will contain secrets.
const OWNER_ONLY = 0o700

type Move = {
  folder: string
  /** Address of the PostgreSQL database. */
  url: string
  onProgress: OnProgress
}

/**
 * Copies the database of a data folder to PostgreSQL, completely or not at all. Both are migrated
 * first; the folder's data stays. Throws `not_found` without a database, `conflict` while a server
 * uses either, or if PostgreSQL holds rows that may not be replaced.
 */
export async function moveToPostgres(move: Move & { replace: boolean }): Promise<Moved> {
  requireKnownFolder(move.folder)
  using _alone = serveAlone(move.folder)
  const { place } = await upToDate(move.folder)
  using sqlite = openSqliteSide(place, { readonly: true })
  return await opening({ url: move.url, setting: '--to' }, async () => {
    await migratePostgres(move.url)
    return await copyToPostgres({ ...move, sqlite })
  })
}

/**
 * Copies the database in PostgreSQL to a data folder, completely or not at all; the folder's old
 * database is kept under the name that is returned. Throws `conflict` while a server uses either,
 * `not_found` if PostgreSQL holds no data of Beckon.
 */
export async function moveToFolder(move: Move): Promise<Moved & { kept: string | undefined }> {
  const { folder, url } = move
  const file = join(folder, `${DATABASE_FILE}.moving`)
  const forget = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  }
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })
  // A server that starts meanwhile would remove the file as what a killed move left.
  using _alone = serveAlone(folder)
  forget()
  try {
    await openSqlite(file)[Symbol.asyncDispose]()
    const from: Address = { url, setting: '--from' }
    const moved = await opening(from, async () => {
      await migratePostgres(url, from)
      using sqlite = openSqliteSide(file, { readonly: false })
      return await copyFromPostgres({ ...move, sqlite })
    })
    return { ...moved, kept: restoreAlone(folder, file, isoTime(systemClock.now())) }
  } finally {
    forget()
  }
}

async function upToDate(folder: string): Promise<{ place: string }> {
  await using db = openKnownFolder(folder)
  return { place: db.place }
}
