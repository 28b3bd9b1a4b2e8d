import { loadavg } from 'node:os'
import { DOCUMENTED, type Documented } from './classes.ts'
import { TIMED, type Timed } from './ground.ts'
import type { Report } from './run.ts'
import type { StormRow } from './storms.ts'

const ms = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
const mib = (value: number) => `${Math.round(value)} MiB`

/** Everything that was counted and measured, as rows of a table in Markdown. */
export function tableOf(report: Report): string {
  const { amounts, traffic, memory, cores, pushes, seconds, wrong } = report
  const limits = Object.keys(DOCUMENTED) as Documented[]
  const counts = Object.entries(traffic.counts).filter(([name]) => !(name in DOCUMENTED))
  const most = (of: (second: Report['seconds'][number]) => number) =>
    Math.max(0, ...seconds.map(of))
  const rows: Array<[what: string, figure: string]> = [
    ['calls held at once', `${most(({ waits }) => waits)} of ${amounts.held}`],
    ['pages that follow', `${most(({ streams }) => streams)} of ${amounts.pages}`],
    ['devices', `${amounts.subscribers}`],
    ...counts.map(([name, count]) => [name, `${count}`] as [string, string]),
    ['pushes', `${pushes.received}, of which ${pushes.decrypted} were decrypted`],
    ...limits.map(
      (name) => [`limit: ${DOCUMENTED[name]}`, `${traffic.counts[name] ?? 0}`] as [string, string],
    ),
    ['errors that no document speaks of', `${wrong.length}`],
    ...Object.entries(TIMED).map(
      ([name, words]) => [words, spread(traffic.times[name as Timed])] as [string, string],
    ),
    [
      'server, memory',
      `${mib(memory.empty)} empty, ${mib(memory.start)} when all were there, peak ${mib(memory.peak)}, ${mib(memory.end)} at the end`,
    ],
    [
      'memory, mean of the last part beside the second',
      `${mib(memory.late)} beside ${mib(memory.early)}: ${memory.ratio.toFixed(2)}`,
    ],
    ['event loop late, p99 of the seconds', ms(most(({ lagP99 }) => lagP99))],
    ['event loop late, at most', ms(most(({ lagMax }) => lagMax))],
    ['cores kept busy', `server ${cores.server.toFixed(2)}, load ${cores.generator.toFixed(2)}`],
    [
      'load average of the machine',
      loadavg()
        .map((one) => one.toFixed(1))
        .join(' '),
    ],
    ['exit code of the server', `${report.exitCode}`],
  ]
  return ['| what | figure |', '|---|---|', ...rows.map(([a, b]) => `| ${a} | ${b} |`)].join('\n')
}

function spread({ count, p50, p99, max }: Report['traffic']['times'][Timed]): string {
  return count === 0 ? '–' : `p50 ${ms(p50)}, p99 ${ms(p99)}, at most ${ms(max)} (${count})`
}

/** Resident memory, second by second. */
export function seriesOf({ seconds }: Report): string {
  return `Memory each second, MiB: ${seconds.map(({ rss }) => Math.round(rss)).join(' ')}`
}

// A process that keeps a core busy can make no more load.
const WHOLE_CORE = 0.9

/** What has to be known to read the figures. */
export function caveatsOf({ cores }: Report): string[] {
  const machine = navigator.hardwareConcurrency
  const both = cores.server + cores.generator
  return [
    ...(cores.generator > WHOLE_CORE
      ? ['The load generator kept its core busy: it, and not the server, is the limit here.']
      : []),
    ...(both > machine * WHOLE_CORE
      ? [
          `Server and load shared ${machine} cores and filled them: the times include waiting for each other.`,
        ]
      : []),
  ]
}

/** One row for each storm. */
export function stormTable(rows: readonly StormRow[]): string {
  const lines = rows.map(({ name, connections, seconds, memory, others, wrong }) => {
    const { before, peak, after } = memory
    const times = `p50 ${ms(others.p50)}, p99 ${ms(others.p99)} (${others.count})`
    const grown = `${mib(before)}, peak ${mib(peak)}, ${mib(after)} after`
    return `| ${name} | ${connections} | ${Math.round(seconds)} s | ${grown} | ${times} | ${wrong.length} |`
  })
  const head = '| storm | connections | in | memory of the server | what others waited | wrong |'
  const load = `Load average of the machine: ${loadavg()
    .map((one) => one.toFixed(1))
    .join(' ')}`
  return [head, '|---|---|---|---|---|---|', ...lines, '', load].join('\n')
}
