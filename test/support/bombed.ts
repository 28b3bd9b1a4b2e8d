/** Asks a bomb many times at once, and then something ordinary; says what came of it, as JSON. */
import { readFileSync } from 'node:fs'
import { createGuardedFetch, type Fetched } from '../../src/platform/outgoing/guarded-fetch.ts'

const [bomb = '', ordinary = '', times = '1'] = process.argv.slice(2)
const { fetch } = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
const outcomeOf = (fetched: Fetched) =>
  fetched.outcome === 'answered' ? String(fetched.cut) : fetched.reason

const bombs = Array.from({ length: Number(times) }, () => fetch(bomb, { timeoutMs: 8_000 }))
const beside = await fetch(ordinary, { timeoutMs: 8_000 })
const outcomes: Record<string, number> = {}
for (const one of await Promise.all(bombs))
  outcomes[outcomeOf(one)] = (outcomes[outcomeOf(one)] ?? 0) + 1
console.log(
  JSON.stringify({
    ordinary: beside.outcome === 'answered' ? Buffer.from(beside.body).toString() : beside.reason,
    outcomes,
    megabytes: Math.round(mostMemory() / 1e6),
  }),
)
process.exit(0)

/** The most memory that it ever had, in bytes; what `getrusage` says begins with the parent's. */
function mostMemory(): number {
  try {
    return 1024 * Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
  } catch {
    return process.memoryUsage.rss()
  }
}
