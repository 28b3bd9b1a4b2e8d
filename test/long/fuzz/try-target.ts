import { inspect } from 'node:util'
import fc from 'fast-check'
import type { Became, Target } from './target.ts'
import type { Watch } from './watch.ts'

export type Budget = {
  runs: number
  /** No new input after so many seconds. */
  seconds?: number
  seed: number
  /** Each input is told to the watchdog before it is tried: slower, for a second look. */
  tellInputs?: boolean
  /** Whether memory is looked at, which takes longer than a few inputs. */
  weighs?: boolean
}

/** What was tried, and what was found. */
export type Tried = {
  name: string
  inputs: number
  taken: number
  refused: number
  seed: number
  ms: number
  /** Of one input, of what was not waited for. */
  slowestMs: number
  /** How much more memory the process holds than before. */
  grownMiB: number
  /** The shrunk input and what became of it. */
  failure?: string
}

// A counter-example may be long all the same.
const SHOWN_MOST = 6_000
// An answer that takes longer than this does not come.
const ANSWER_MS = 20_000

/** Tries `target` with inputs drawn from `seed` until something does not hold. */
export async function tryTarget(target: Target, budget: Budget, dog: Watch): Promise<Tried> {
  const { runs, seconds, tellInputs = false, weighs = false } = budget
  // Another way through each target.
  const seed = (budget.seed ^ Bun.hash.crc32(target.name)) | 0
  const { input, attempt } = await target.begin()
  const counts: Record<Became, number> = { taken: 0, refused: 0 }
  let inputs = 0
  let slowestMs = 0
  const strays: unknown[] = []
  const stray = (error: unknown) => void strays.push(error)
  process.on('uncaughtException', stray)
  process.on('unhandledRejection', stray)
  dog.about(`${target.name}, FUZZ_SEED=${budget.seed}`)
  const before = weighs ? memory() : 0
  const started = performance.now()
  const property = fc.asyncProperty(input, async (value) => {
    if (tellInputs)
      dog.about(`${target.name}: ${inspect(value, { depth: 9, maxStringLength: 4_000 })}`)
    dog.begins()
    const began = performance.now()
    try {
      counts[await attempt(value)]++
    } finally {
      slowestMs = Math.max(slowestMs, performance.now() - began)
      inputs++
    }
    if (strays.length > 0) throw strays.shift()
  })
  const limited = seconds === undefined ? {} : { interruptAfterTimeLimit: seconds * 1_000 }
  const result = await fc.check(property, {
    ...{ numRuns: runs, seed, timeout: ANSWER_MS, ...limited },
  })
  const ms = performance.now() - started
  // What was thrown behind the last input comes a turn later.
  await Bun.sleep(0)
  dog.rests()
  process.off('uncaughtException', stray)
  process.off('unhandledRejection', stray)
  const failure = result.failed && !result.interrupted ? renderFailure(result) : strayed(strays)
  return {
    ...{ name: target.name, inputs, ...counts, seed: budget.seed, ms, slowestMs },
    grownMiB: weighs ? memory() - before : 0,
    ...(failure === undefined ? {} : { failure }),
  }
}

function renderFailure<T>(result: fc.RunDetails<T>): string {
  const report = fc.defaultReportMessage(result) ?? 'failed'
  return `${report.length > SHOWN_MOST ? `${report.slice(0, SHOWN_MOST)} …` : report}\n${inspect(result.errorInstance)}`
}

function strayed(strays: unknown[]): string | undefined {
  return strays.length === 0 ? undefined : `thrown where nobody catches: ${inspect(strays[0])}`
}

function memory(): number {
  Bun.gc(true)
  return process.memoryUsage.rss() / 1024 / 1024
}
