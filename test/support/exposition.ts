/** One line of figures. */
type Sample = { name: string; labels: Record<string, string>; value: number }
/** What one `# TYPE` begins. */
export type Family = { name: string; help: string; type: string; samples: Sample[] }

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y

/**
 * Reads the text format of Prometheus, version 0.0.4, more strictly than it has to be: each family
 * is one block with its help and type, no series comes twice, buckets add up. Throws for anything
 * else.
 */
export function readExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const families = new Map<string, Family>()
  const seen = new Set<string>()
  let family: Family | undefined
  let help: { name: string; text: string } | undefined
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line)
    if (comment?.[1] === 'HELP') {
      help = { name: String(comment[2]), text: String(comment[3]) }
      continue
    }
    if (comment) {
      const [, , name = '', type = ''] = comment
      if (!['counter', 'gauge', 'histogram'].includes(type)) throw new Error(`no type: ${line}`)
      if (families.has(name) || help?.name !== name) throw new Error(`not one block: ${line}`)
      family = { name, help: help.text, type, samples: [] }
      families.set(name, family)
      continue
    }
    const sample = readSample(line)
    const base =
      family?.type === 'histogram' ? sample.name.replace(/_(bucket|sum|count)$/, '') : sample.name
    if (!family || base !== family.name) throw new Error(`outside its family: ${line}`)
    const key = line.slice(0, line.lastIndexOf(' '))
    if (seen.has(key)) throw new Error(`twice: ${line}`)
    seen.add(key)
    family.samples.push(sample)
  }
  for (const one of families.values()) checkBuckets(one)
  return families
}

function readSample(line: string): Sample {
  const [, name = '', inside, value = ''] = SAMPLE.exec(line) ?? []
  if (!name) throw new Error(`no sample: ${line}`)
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (inside && LABEL.lastIndex < inside.length) {
    const [, label = '', value = ''] = LABEL.exec(inside) ?? []
    if (!label || label in labels) throw new Error(`no labels: ${line}`)
    labels[label] = value.replace(/\\(.)/g, (_, one) => (one === 'n' ? '\n' : one))
  }
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) }
}

function checkBuckets({ name, type, samples }: Family): void {
  if (type !== 'histogram') return
  const without = ({ labels: { le, ...others } }: Sample) => JSON.stringify(others)
  for (const [labels, all] of Map.groupBy(samples, without)) {
    const buckets = all.filter((one) => one.name.endsWith('_bucket'))
    const count = all.find((one) => one.name.endsWith('_count'))?.value
    const steps = buckets.map(({ value }) => value)
    const rises = steps.every((value, at) => at === 0 || value >= (steps[at - 1] ?? 0))
    if (!rises || buckets.at(-1)?.labels.le !== '+Inf' || steps.at(-1) !== count) {
      throw new Error(`buckets of ${name} ${labels} do not add up`)
    }
  }
}
