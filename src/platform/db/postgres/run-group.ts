import type { Change } from '../change-bus.ts'
import type { Query } from './pool.ts'

/** A write that may share its transaction with others. */
export type GroupedWrite = {
  /** Writes of one name run one after the other. */
  by: string
  /**
   * Runs it over `query`; `beforeLock` resolves when it may take a lock. Puts into `changed` what is
   * told after the commit.
   */
  run(query: Query, changed: Change[], beforeLock: () => Promise<void>): Promise<unknown>
}

/** A write that ran, and whose commit is due. */
export type Ran<W> = { write: W; value: unknown; changed: Change[] }

/** A write of a group failed, so that the group has to be undone. */
export class WriteFailed<W> extends Error {
  readonly write: W
  readonly error: unknown

  constructor(write: W, error: unknown) {
    super('a write of a group failed', { cause: error })
    this.write = write
    this.error = error
  }
}

/**
 * Runs the writes of a group over one connection: those of one name one after the other, those of
 * different names at the same time, so that their statements go together. They start in the order
 * of their names, so that groups on different connections take rows in the same order. Throws
 * `WriteFailed` after none of them runs any more.
 */
export async function runTogether<W extends GroupedWrite>(
  query: Query,
  writes: readonly W[],
  ran: Ran<W>[],
): Promise<void> {
  let failed: WriteFailed<W> | undefined
  const turns = createTurns()
  const unlessFailed: Query = (text, params) =>
    failed ? Promise.reject(failed) : query(text, params)

  async function runInTurn(group: readonly W[]) {
    for (const write of group) {
      if (failed) return
      const turn = turns()
      const changed: Change[] = []
      try {
        const value = await write.run(unlessFailed, changed, turn.begin)
        ran.push({ write, value, changed })
      } catch (error) {
        failed ??= new WriteFailed(write, error)
      } finally {
        turn.end()
      }
    }
  }

  const byName = [...Map.groupBy(writes, ({ by }) => by)]
  byName.sort(([a], [b]) => (a < b ? -1 : 1))
  await Promise.all(byName.map(([, group]) => runInTurn(group)))
  if (failed) throw failed
}

/**
 * Within a transaction PostgreSQL's own locks keep nobody out, so only one write at a time may have
 * any: it has its turn from its first lock to its end. One turn for all keys cannot deadlock.
 */
function createTurns() {
  let last: Promise<void> | undefined
  return () => {
    let own: PromiseWithResolvers<void> | undefined
    return {
      async begin() {
        if (own) return
        const before = last
        own = Promise.withResolvers()
        last = own.promise
        await before
      },
      end: () => own?.resolve(),
    }
  }
}
