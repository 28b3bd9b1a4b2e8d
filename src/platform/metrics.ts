/** Adds one to the series with these label values, in the order of the label names. */
type Counter = ((...values: string[]) => void) & {
  /** The series itself, for values that are counted too often to look it up each time. */
  series(...values: string[]): { count: number }
}
/** Adds a measured value, in the unit of the bounds. */
type Histogram = (value: number, ...values: string[]) => void
/** A current value: one number, or one for each set of label values. */
type Figure = number | ReadonlyArray<readonly [values: readonly string[], figure: number]>

type MetricName = {
  /** As usual in Prometheus: `_total` for counters, the unit for everything else. */
  name: string
  /** One sentence for people who read the list. */
  help: string
  labels?: readonly string[]
}

/** The server's own counters and measurements, in Prometheus's terms. */
export type Metrics = {
  counter(family: MetricName): Counter
  /** `bounds` increase; values above the last one count as `+Inf`. */
  histogram(family: MetricName & { bounds: readonly number[] }): Histogram
  /** Called for every scrape; undefined or an error leaves the family out. */
  figure(
    family: MetricName & {
      kind: 'gauge' | 'counter'
      read(): Figure | undefined | Promise<Figure | undefined>
    },
  ): void
  /** The text format, version 0.0.4. */
  text(): Promise<string>
}

/** Bounds for the duration of a service's answer, from a local one to a very slow one. */
export const SERVICE_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const EXPOSITION = 'text/plain; version=0.0.4; charset=utf-8'

// Labels come from our own lists; this limits the memory if one ever comes from outside.
const SERIES_MAX = 1_000

type Kind = 'counter' | 'gauge' | 'histogram'
type Family = { name: string; help: string; kind: Kind; lines(): Promise<string[]> }

/**
 * An empty registry; two families with one name are a bug and throw. Not `prom-client`: loading it
 * takes 17 MiB, and counting takes thirty times as long.
 */
export function createMetrics(): Metrics {
  const families = new Map<string, Family>()

  function add(family: Family) {
    if (families.has(family.name)) throw new Error(`two metrics are named ${family.name}`)
    families.set(family.name, family)
  }

  return {
    counter({ name, help, labels = [] }) {
      const all = createSeries(labels, () => ({ count: 0 }))
      add({
        name,
        help,
        kind: 'counter',
        lines: async () => all.map((label, { count }) => [line(name, label(), count)]),
      })
      const series = (...values: string[]) => all.of(values)
      const count = (...values: string[]) => void series(...values).count++
      return Object.assign(count, { series })
    },
    histogram({ name, help, bounds, labels = [] }) {
      const all = createSeries(labels, () => ({ sum: 0, buckets: bounds.map(() => 0), count: 0 }))
      add({
        name,
        help,
        kind: 'histogram',
        lines: async () =>
          all.map((label, { sum, buckets, count }) => [
            ...bounds.map((le, at) =>
              line(`${name}_bucket`, label(['le', String(le)]), buckets[at] ?? 0),
            ),
            line(`${name}_bucket`, label(['le', '+Inf']), count),
            line(`${name}_sum`, label(), sum),
            line(`${name}_count`, label(), count),
          ]),
      })
      return (value, ...values) => {
        const one = all.of(values)
        one.sum += value
        one.count++
        // A bucket includes all values below it.
        bounds.forEach((le, at) => {
          if (value <= le) one.buckets[at] = (one.buckets[at] ?? 0) + 1
        })
      }
    },
    figure({ name, help, kind, labels = [], read }) {
      add({
        name,
        help,
        kind,
        async lines() {
          const figure = (await read()) ?? []
          const all = typeof figure === 'number' ? [[[] as string[], figure] as const] : figure
          return all.map(([values, one]) => line(name, labelled(labels, values), one))
        },
      })
    },
    async text() {
      const written = await Promise.all([...families.values()].map(write))
      return written.join('')
    },
  }
}

async function write({ name, help, kind, lines }: Family): Promise<string> {
  const all = await lines().catch(() => [])
  if (all.length === 0) return ''
  return `# HELP ${name} ${escapedHelp(help)}\n# TYPE ${name} ${kind}\n${all.join('\n')}\n`
}

/** One `T` for each set of label values. A family without labels has its series from the start. */
function createSeries<T>(names: readonly string[], make: () => T) {
  const all = new Map<string, { values: readonly string[]; one: T }>()
  function of(values: readonly string[]): T {
    const key = values.join('\0')
    const entry = all.get(key)
    if (entry) return entry.one
    const other = names.map(() => 'other')
    if (all.size >= SERIES_MAX && key !== other.join('\0')) return of(other)
    const one = make()
    all.set(key, { values, one })
    return one
  }
  if (names.length === 0) of([])
  return {
    of,
    map: (lines: (label: (more?: [string, string]) => string, one: T) => string[]) =>
      [...all.values()].flatMap(({ values, one }) =>
        lines((more) => labelled(names, values, more), one),
      ),
  }
}

function labelled(
  names: readonly string[],
  values: readonly string[],
  more?: readonly [string, string],
): string {
  const pairs = names.map((name, at) => [name, values[at] ?? ''] as const)
  const all = more ? [...pairs, more] : pairs
  if (all.length === 0) return ''
  return `{${all.map(([name, value]) => `${name}="${escapedLabel(value)}"`).join(',')}}`
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels} ${Number.isFinite(value) ? value : notFinite(value)}`
}

function notFinite(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return value > 0 ? '+Inf' : '-Inf'
}

function escapedLabel(value: string): string {
  return value.replace(/[\\"\n]/g, (it) => (it === '\n' ? '\\n' : `\\${it}`)).toWellFormed()
}

function escapedHelp(text: string): string {
  return text.replace(/[\\\n]/g, (it) => (it === '\n' ? '\\n' : '\\\\'))
}
