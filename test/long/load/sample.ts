import { loadavg } from 'node:os'
import { processorMs, residentBytes } from '../bench/process.ts'
import { mean } from './figures.ts'

/** One second of the server, as it is seen from outside and as it says itself. */
export type Second = {
  /** Seconds since the first. */
  at: number
  /** Resident memory, MiB. */
  rss: number
  /** CPU seconds used since the start. */
  cpu: number
  /** CPU seconds that the generator used. */
  generator: number
  waits: number
  streams: number
  /** How late its event loop was at worst in this second, ms; with p99. */
  lagMax: number
  lagP99: number
  outbox: number
  load1: number
}

const MIB = 1024 * 1024

export type Sampling = { seconds: Second[]; stop(): Promise<void> }

/** Looks each second, until it is stopped. */
export function startSampling(server: { url: string; pid: number }, generator: number): Sampling {
  const seconds: Second[] = []
  const began = performance.now()
  let stopped = false

  async function look() {
    const startedAt = performance.now()
    const figures = await figuresOf(server.url)
    const at = (name: string) => figures.get(name) ?? 0
    const lag = (stat: string) => 1_000 * at(`beckon_event_loop_delay_seconds{stat="${stat}"}`)
    seconds.push({
      at: (startedAt - began) / 1_000,
      rss: (await residentBytes(server.pid)) / MIB,
      cpu: await cpuSeconds(server.pid),
      generator: await cpuSeconds(generator),
      ...{ waits: at('beckon_waits'), streams: at('beckon_event_streams') },
      ...{ lagMax: lag('max'), lagP99: lag('p99') },
      outbox: at('beckon_outbox_waiting{outbox="deliveries"}'),
      load1: loadavg()[0] ?? 0,
    })
    await Bun.sleep(Math.max(0, 1_000 - (performance.now() - startedAt)))
  }
  const looking = (async () => {
    while (!stopped) await look()
  })()
  return {
    seconds,
    async stop() {
      stopped = true
      await looking
    },
  }
}

/** What `/metrics` says, by series; nothing while it does not answer. */
export async function figuresOf(url: string): Promise<Map<string, number>> {
  const response = await fetch(`${url}/metrics`).catch(() => undefined)
  const text = (await response?.text().catch(() => '')) ?? ''
  const lines = text.matchAll(/^([a-z][^ ]*) (\S+)$/gm)
  return new Map([...lines].map(([, name, value]) => [String(name), Number(value)]))
}

/** CPU time of a process so far; 0 for one that is gone. */
async function cpuSeconds(pid: number): Promise<number> {
  return (await processorMs(pid).catch(() => 0)) / 1_000
}

/** Memory at the beginning, at its highest and at the end; with the drift from one to the other. */
export function memoryOf(seconds: readonly Second[]) {
  const rss = seconds.map((one) => one.rss)
  const minute = Math.min(60, Math.floor(rss.length / 3))
  // In a run of minutes: the second of them, when everything is under way, and the last.
  const early = mean(rss.slice(minute, 2 * minute))
  const late = mean(rss.slice(-minute))
  const [start = 0] = rss
  return { start, peak: Math.max(...rss), end: rss.at(-1) ?? 0, early, late, ratio: late / early }
}

/** How many cores each kept busy from the first second to the last. */
export function coresOf(seconds: readonly Second[]) {
  const [first] = seconds
  // Whoever has ended already has no figure any more.
  const last = seconds.findLast(({ generator }) => generator > 0)
  if (!first || !last || first === last) return { server: 0, generator: 0 }
  const per = (used: number) => used / (last.at - first.at)
  return {
    server: per(last.cpu - first.cpu),
    generator: per(last.generator - first.generator),
  }
}
