import { OutcomeUnknown } from './errors.ts'
import type { Query } from './pool.ts'
import { isTimeUp } from './retry.ts'
import { type GroupedWrite, type Ran, runTogether, WriteFailed } from './run-group.ts'

type Job = GroupedWrite & {
  /** Runs it in a transaction of its own and settles its promise. */
  alone(): Promise<void>
  resolve(value: unknown): void
  reject(error: unknown): void
}

export type GroupDeps = {
  /** Runs `work` in a transaction, as the pool does. */
  transaction(work: (query: Query) => Promise<void>, lockMs: number): Promise<void>
  /** Called after the commit, before promises are resolved; `ms` it took from its begin. */
  committed(ran: readonly Ran<unknown>[], ms: number): void
  /** Called when nobody knows whether this was committed. */
  unknown(ran: readonly Ran<unknown>[]): void
}

// While a group is under way, the next one gathers. It waits no longer than this, so that a group
// that is held up does not hold up all others.
const GATHER_MS = 50
// Limits how long the first in a group waits for the last, and how long other servers wait for rows
// that all of the group's writes hold until its commit.
const GROUP_MAX = 32
// A row that somebody else holds for longer should not hold up the others in the group.
const LOCK_MS = 250

/**
 * Group commit: writes that arrive while others are under way share a transaction. If one of them
 * fails, all is undone, it runs again alone, and the others run again without it. Writes of one name
 * are never in two groups at a time, which would wait for each other's rows.
 */
export function createWriteGroups(deps: GroupDeps) {
  let waiting: Job[] = []
  const running = new Set<Promise<void>>()
  const busy = new Set<string>()
  let isDue = false
  let patience: Timer | undefined

  function start() {
    isDue = false
    clearTimeout(patience)
    patience = undefined
    const group = take()
    if (group.length === 0) return
    const run = runGroup(deps, group).finally(() => {
      running.delete(run)
      for (const { by } of group) busy.delete(by)
      if (running.size === 0) start()
      else if (waiting.length > 0) gather()
    })
    running.add(run)
    if (waiting.length > 0) gather()
  }

  /** The next group: the first that wait, of names of which nothing is under way. */
  function take(): Job[] {
    const group: Job[] = []
    const later: Job[] = []
    for (const job of waiting) {
      const fits = group.length < GROUP_MAX && !busy.has(job.by)
      ;(fits ? group : later).push(job)
    }
    waiting = later
    for (const { by } of group) busy.add(by)
    return group
  }

  function gather() {
    patience ??= setTimeout(start, GATHER_MS)
  }

  return {
    push(job: Job): void {
      waiting.push(job)
      if (running.size > 0) gather()
      else if (!isDue) {
        isDue = true
        // One turn later, so that writes that arrived together are committed together.
        setImmediate(start)
      }
    },
    waiting: () => waiting.length,
    /** Resolves when nothing is waiting or under way. */
    async drained(): Promise<void> {
      while (waiting.length > 0 || running.size > 0) {
        await Promise.race([...running, new Promise((next) => setImmediate(next))])
      }
    },
  }
}

async function runGroup(deps: GroupDeps, jobs: Job[]): Promise<void> {
  const undone = await tryTogether(deps, jobs)
  if (!undone) return
  const others = jobs.filter((job) => job !== undone.because)
  const [again] = await Promise.all([tryTogether(deps, others), undone.because?.alone()])
  if (again) await Promise.all(others.map((job) => job.alone()))
}

/** Resolves to which write undid the group if that is known; undefined if all are settled. */
async function tryTogether(
  deps: GroupDeps,
  jobs: readonly Job[],
): Promise<{ because: Job | undefined } | undefined> {
  if (jobs.length < 2) return void (await jobs[0]?.alone())
  const began = performance.now()
  const ran: Ran<Job>[] = []
  try {
    await deps.transaction((query) => runTogether(query, jobs, ran), LOCK_MS)
  } catch (error) {
    const cause = error instanceof WriteFailed ? error.error : error
    const isUnknown = error instanceof OutcomeUnknown
    if (isUnknown) deps.unknown(ran)
    if (!isUnknown && !isTimeUp(cause, performance.now() - began)) {
      return { because: error instanceof WriteFailed ? error.write : undefined }
    }
    for (const job of jobs) job.reject(cause)
    return undefined
  }
  deps.committed(ran, performance.now() - began)
  for (const { write, value } of ran) write.resolve(value)
  return undefined
}
