import type { Database } from 'bun:sqlite'
import { Failure } from '../failure.ts'
import type { Change, EmittingBus } from './change-bus.ts'
import { isBusy, writeFailure } from './storage-failure.ts'

/** One unit of work: what it does on the writer connection, and the changes that it emits. */
export type Work<T> = (changed: Change[]) => Promise<T>

type Job = {
  work: Work<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** The writes that the storage refused: how many, and the latest error message. */
export type Refusals = { count: number; latest: Failure | undefined }

/**
 * The duration of a commit: milliseconds from its begin until it was on disk, and for how many
 * writes.
 */
export type Committed = (ms: number, writes: number) => void

// Limits how long the first in a group waits for the last.
const GROUP_MAX = 256

// Another program (a CLI command, a backup) may hold the database for a moment.
const BUSY_MS = 5_000
const LOOK_AGAIN_MS = 20

/**
 * Group commit: waiting writes share one transaction with a savepoint each, and one sync to disk;
 * only then does each caller's promise resolve.
 */
export function createWriteQueue(writer: Database, changes: EmittingBus) {
  const waiting: Job[] = []
  const transaction = createTransaction(writer)
  let draining = false
  let drained = Promise.resolve()
  let closed = false
  let committed: Committed = () => {}

  async function drain() {
    while (waiting.length > 0) await commitGroup(waiting.splice(0, GROUP_MAX))
    draining = false
  }

  async function commitGroup(group: Job[]) {
    const began = performance.now()
    const done = await transaction.run(group)
    if (!done) return
    committed(performance.now() - began, group.length)
    for (const { tell } of done) tell()
    changes.emit(done.flatMap(({ changed }) => changed))
  }

  return {
    /** Resolves once the commit with `work`'s writes is on disk. */
    push<T>(work: Work<T>): Promise<T> {
      if (closed) return Promise.reject(new Failure('unavailable', 'The server is closing.'))
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
      if (!draining) {
        draining = true
        // Runs one turn later, so that writes that arrived together are committed together.
        drained = new Promise((settled) => setImmediate(() => drain().finally(settled)))
      }
      return promise
    },
    /** The writes that the storage has refused since the start. */
    refusals: transaction.refusals,
    /** Writes that wait for their commit. */
    waiting: () => waiting.length,
    /** Calls `listener` after every commit from now on. */
    onCommit(listener: Committed) {
      committed = listener
    },
    /** Refuses new work and resolves when all waiting work is committed. */
    async close() {
      closed = true
      await drained
      transaction.finalize()
    },
  }
}

/**
 * A job whose savepoint was released: how to settle its promise, and the changes that it emits. A
 * failed job is also settled after the commit, because what it read of others in its group is on
 * disk only then.
 */
type Done = { tell(): void; changed: Change[] }

function createTransaction(writer: Database) {
  const savepoint = writer.prepare('savepoint job')
  const release = writer.prepare('release job')
  const undo = writer.prepare('rollback to job')
  const begin = writer.prepare('begin immediate')
  const commit = writer.prepare('commit')
  let refusals: Refusals = { count: 0, latest: undefined }

  /** The error that a caller gets for what SQLite threw. */
  function toFailure(error: unknown): unknown {
    const failure = writeFailure(error, writer.filename)
    if (failure instanceof Failure && failure !== error) {
      refusals = { count: refusals.count + 1, latest: failure }
    }
    return failure
  }

  async function runJob(job: Job): Promise<Done> {
    const changed: Change[] = []
    savepoint.run()
    try {
      const value = await job.work(changed)
      release.run()
      return { tell: () => job.resolve(value), changed }
    } catch (error) {
      // A full disk may have undone the whole transaction already: then the group fails as one.
      if (!writer.inTransaction) throw error
      undo.run()
      release.run()
      const failure = toFailure(error)
      return { tell: () => job.reject(failure), changed: [] }
    }
  }

  return {
    refusals: () => refusals,
    /**
     * Runs and commits the jobs. A job that fails is rolled back alone; if the whole transaction
     * fails, all are rejected, and nothing is returned.
     */
    async run(group: Job[]): Promise<Done[] | undefined> {
      const done: Done[] = []
      try {
        await beginWhenFree(() => begin.run())
        for (const job of group) done.push(await runJob(job))
        commit.run()
        return done
      } catch (error) {
        if (writer.inTransaction) writer.run('rollback')
        const failure = toFailure(error)
        for (const job of group) job.reject(failure)
        return undefined
      }
    },
    finalize() {
      for (const statement of [savepoint, release, undo, begin, commit]) statement.finalize()
    },
  }
}

/** SQLite's own busy timeout would block the whole process while it waits, including reads. */
async function beginWhenFree(begin: () => void): Promise<void> {
  const end = performance.now() + BUSY_MS
  for (;;) {
    try {
      return begin()
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error
      await Bun.sleep(LOOK_AGAIN_MS)
    }
  }
}
