import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import type { ChangeBus, Topic } from './change-bus.ts'
import type { Committed, Refusals } from './write-queue.ts'

type Builder = SqliteRemoteDatabase<Record<string, never>>

/** The part of the database that reads. */
export type Read = Pick<Builder, 'select' | 'selectDistinct'> & {
  /** Stays the same from one transaction to the next; prepared queries are cached under it. */
  connection?: object
}

/** The operations of a store inside `Db.write`. */
export type Tx = Read &
  Pick<Builder, 'insert' | 'update' | 'delete'> & {
    /** After the commit, tells every listener of `topic` that `id` changed; dropped on rollback. */
    emit(topic: Topic, id: string): void
    /**
     * Serialises transactions on `key`; needed wherever a read decides a write. SQLite has one
     * writer, so it does nothing there.
     */
    lock(key: string): Promise<void>
    /** Makes a claiming query skip rows that another process has locked. */
    skipLocked<Q>(query: Q): Q
  }

/**
 * For a short write that many calls make at the same time: on PostgreSQL it may share a transaction
 * with others of its kind, which saves most of the commits (SQLite's writes always do). There this
 * process runs the writes of one name one after the other and those of different names side by side,
 * without row locks between them. So where a read, or what a statement returned, decides a write,
 * the rows must belong to the name alone, or be under a `lock`, as they must with other processes.
 */
type Grouped = { by: string }

/** The database as every store sees it. */
export type Db = {
  /** Reads committed data. */
  read: Read
  /**
   * Runs `work` in a transaction: atomic, and durable once the promise resolves. `work` may run
   * again, so it must await nothing but the database, and create no ids or times. Throws
   * `unavailable` if the storage refuses; if `work` throws, its writes are undone.
   */
  write<T>(work: (tx: Tx) => Promise<T>, grouped?: Grouped): Promise<T>
  changes: ChangeBus
}

/** The database of a server or of a command. Disposing of it finishes open work and closes it. */
export type OpenDb = Db &
  AsyncDisposable & {
    /** Drizzle for better-auth; each statement runs on its own. */
    orm: SqliteRemoteDatabase
    /** Where the data is, for people: the path of a file, or a host and the name of a database. */
    place: string
    /** The writes that the storage has refused since it was opened. */
    refusals(): Refusals
    /**
     * Writes that wait for their commit (on PostgreSQL also open reads), and a listener for the
     * duration of each commit.
     */
    queued(): number
    onCommit(listener: Committed): void
    /** Names of the migrations that this opening applied. */
    migrated: readonly string[]
  }
