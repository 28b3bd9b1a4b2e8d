import { Failure } from '../../failure.ts'
import type { Change, EmittingBus } from '../change-bus.ts'
import type { OpenDb, Tx } from '../database.ts'
import { storageFailure } from '../storage-failure.ts'
import type { Committed, Refusals } from '../write-queue.ts'
import type { Builders } from './builders.ts'
import { OutcomeUnknown, postgresFailure } from './errors.ts'
import type { Pool } from './pool.ts'
import { tried } from './retry.ts'
import type { Ran } from './run-group.ts'
import { createWriteGroups } from './write-groups.ts'

export type WriteParts = {
  pool: Pool
  changes: EmittingBus
  /** Tells the other processes; listeners in this one already know. */
  announce(changes: readonly Change[]): void
  perform: Builders['perform']
}

type Work<T> = (tx: Tx) => Promise<T>

export type Writes = Pick<OpenDb, 'write' | 'refusals' | 'onCommit'> & {
  /** Grouped writes that wait for their transaction. */
  waiting(): number
  /** Resolves when no grouped write is waiting or under way. */
  drained(): Promise<void>
}

/** Runs writes, each in a transaction of its own or in one of a group. */
export function createWrites({ pool, changes, announce, perform }: WriteParts): Writes {
  let refusals: Refusals = { count: 0, latest: undefined }
  let committed: Committed = () => {}

  function tell(changed: readonly Change[]) {
    if (changed.length === 0) return
    changes.emit(changed)
    announce(changed)
  }

  /** The error that the caller gets. */
  function toFailure(error: unknown): unknown {
    const failure = storageFailure(postgresFailure(error))
    if (failure instanceof Failure && failure.code === 'unavailable') {
      refusals = { count: refusals.count + 1, latest: failure }
    }
    return failure
  }

  async function attempt<T>(work: Work<T>): Promise<T> {
    const changed: Change[] = []
    const began = performance.now()
    try {
      const value = await pool.transaction((query) => perform(query, work, changed))
      committed(performance.now() - began, 1)
      tell(changed)
      return value
    } catch (error) {
      // The changes may be stored; listeners that are told will look.
      if (error instanceof OutcomeUnknown) tell(changed)
      throw error
    }
  }

  async function alone<T>(work: Work<T>): Promise<T> {
    try {
      return await tried(() => attempt(work))
    } catch (error) {
      throw toFailure(error)
    }
  }

  const publishAll = (ran: ReadonlyArray<Ran<unknown>>) =>
    tell(ran.flatMap(({ changed }) => changed))
  const groups = createWriteGroups({
    transaction: pool.transaction,
    committed(ran, ms) {
      committed(ms, ran.length)
      publishAll(ran)
    },
    unknown: publishAll,
  })

  function inGroup<T>(work: Work<T>, by: string): Promise<T> {
    return new Promise((resolve, reject) => {
      groups.push({
        by,
        run: (query, changed, beforeLock) => perform(query, work, changed, beforeLock),
        alone: () => alone(work).then(resolve, reject),
        resolve: (value) => resolve(value as T),
        reject: (error) => reject(toFailure(error)),
      })
    })
  }

  return {
    write: (work, grouped) => (grouped ? inGroup(work, grouped.by) : alone(work)),
    refusals: () => refusals,
    onCommit(listener) {
      committed = listener
    },
    waiting: groups.waiting,
    drained: groups.drained,
  }
}
