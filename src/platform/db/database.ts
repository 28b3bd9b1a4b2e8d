import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import type { ChangeBus, Topic } from './change-bus.ts'
import type { Committed, Refusals } from './write-queue.ts'

type Builder = SqliteRemoteDatabase<Record<string, never>>

/** What a store may do to look. */
export type Read = Pick<Builder, 'select' | 'selectDistinct'> & {
  /** What stays the same from one transaction to the next: prepared queries are kept under it. */
  connection?: object
}

/** What a store may do inside `Db.write`. */
export type Tx = Read &
  Pick<Builder, 'insert' | 'update' | 'delete'> & {
    /** Tells every listener of `topic` after commit that `id` changed; forgotten on rollback. */
    emit(topic: Topic, id: string): void
    /** Serialises on `key` wherever a read decides a write. SQLite has one writer: nothing to do. */
    lock(key: string): Promise<void>
    /** Marks a claiming query so that rows locked by another process are passed over. */
    skipLocked<Q>(query: Q): Q
  }

/** The database as every store sees it. */
export type Db = {
  /** Reads what is committed. */
  read: Read
  /**
   * Runs `work` in a transaction: atomic, and durable when the promise resolves. `work` may run
   * again, so it awaits nothing but the database and makes no ids or times.
   * Throws `unavailable` when the storage refuses; whatever `work` throws undoes its writes.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  changes: ChangeBus
}

/** The database of a server or of a command. Disposing of it ends what is under way and closes it. */
export type OpenDb = Db &
  AsyncDisposable & {
    /** Drizzle for better-auth: each statement is on its own. */
    orm: SqliteRemoteDatabase
    /** Where the data is, for people: the path of a file, or a host and the name of a database. */
    place: string
    /** What the storage refused to write since it was opened. */
    refusals(): Refusals
    /**
     * Writes that wait for their commit (on PostgreSQL also reads under way), and a listener for how
     * long each commit took.
     */
    queued(): number
    onCommit(listener: Committed): void
    /** Names of the migrations that this opening applied. */
    migrated: readonly string[]
  }
