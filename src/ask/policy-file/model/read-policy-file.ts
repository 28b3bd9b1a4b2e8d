import { redactSecrets } from '../../../platform/redact/redact.ts'
import { shape } from '../../../platform/schema.ts'
import { parseYaml, placeOfValue } from '../../../platform/yaml/parse-yaml.ts'
import type { Finding } from './finding.ts'
import { DURATION, isDuration, PolicyFile, timeText } from './policy-file.ts'
import { yamlWords } from './yaml-words.ts'

/** A file that fits the schema, with the line of each field. */
export type ReadFile = { value: PolicyFile; lineOf(field: string): number; findings: Finding[] }

const TEXT_MAX = 1_000_000
const SECRET_MAX = 1_000
const PolicyFileShape = shape(PolicyFile)

/** Reads a policy file. `value` is undefined if it does not fit; then `findings` says why. */
export function readPolicyFile(text: string): Omit<ReadFile, 'value'> & { value?: PolicyFile } {
  const lineOf = () => 0
  if (text.length > TEXT_MAX) {
    return { lineOf, findings: [error(0, '', 'must have at most a million characters')] }
  }
  const parsed = parseYaml('', text)
  if (Array.isArray(parsed)) {
    // What follows on the same line follows from the first.
    const first = parsed.filter(({ line }, at) => line !== parsed[at - 1]?.line)
    return { lineOf, findings: first.map((one) => error(one.line, one.field, yamlWords(one))) }
  }
  const place = (field: string) => placeOfValue(parsed, pointerOf(field))
  const line = (field: string) => place(field).line
  const value = withMs(parsed.value, '')
  const wrong = [...PolicyFileShape.wrong(value), ...secretsIn(value, '')]
  if (wrong.length > 0) {
    const findings = wrong.map(({ field, must }) => {
      const name = field === 'arguments' ? '' : field
      return error(line(name), name, plainMust(name, must))
    })
    return { lineOf: line, findings }
  }
  const findings = bareTimes(text, value as PolicyFile, place)
  return { value: value as PolicyFile, lineOf: line, findings }
}

/** In the words of the file where those of the schema are of JSON. */
function plainMust(name: string, must: string): string {
  if (name === '' && must === 'must be an object') return A_FILE
  if (must === 'must be an object')
    return 'must be names with values, each with a colon and a space between'
  if (must === 'must be an array') return 'must be a list, such as [one, two]'
  if (!isDurationField(name)) return must
  if (must === 'must be a whole number') return 'must be a time, such as 45s, 10m or 4h'
  return must.replace(/\d+$/, (ms) => timeText(Number(ms)))
}

const A_FILE = 'must have fields such as groups and rules, and begin with "beckon: policy/1"'

function isDurationField(field: string): boolean {
  return isDuration(field.slice(field.lastIndexOf('.') + 1))
}

function error(line: number, field: string, must: string): Finding {
  return { level: 'error', line, field, must }
}

/** `rules[0].match` → `/rules/0/match` */
function pointerOf(field: string): string {
  if (field === '') return ''
  return `/${field
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .replaceAll('/', '~1')
    .replaceAll('.', '/')}`
}

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The same value with times in milliseconds. */
function withMs(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withMs(one, key))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withMs(one, name)]))
  }
  if (typeof value !== 'string' || !isDuration(key) || !DURATION.test(value)) return value
  const [, digits, unit = ''] = /^(\d+)(\w+)$/.exec(value) ?? []
  return Number(digits) * (UNITS[unit] ?? Number.NaN)
}

/** Whoever reads the repository of the file would know them. */
function secretsIn(value: unknown, field: string): Array<{ field: string; must: string }> {
  if (typeof value === 'string') {
    const isSecret = redactSecrets(value, SECRET_MAX) !== value && value.length < SECRET_MAX
    return isSecret ? [{ field, must: 'must not be a secret; keep secrets on the server' }] : []
  }
  if (Array.isArray(value)) return value.flatMap((one, at) => secretsIn(one, `${field}[${at}]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) =>
    secretsIn(one, field === '' ? name : `${field}.${name}`),
  )
}

type PlaceOf = (field: string) => { line: number; column: number }

/** Times without quotes are numbers for programs that read YAML 1.1. */
function bareTimes(text: string, { policy }: PolicyFile, placeOf: PlaceOf): Finding[] {
  if (!policy?.quietHours) return []
  const lines = text.split('\n')
  return ['from', 'to'].flatMap((name) => {
    const field = `policy.quietHours.${name}`
    const { line, column } = placeOf(field)
    const rest = lines[line - 1]?.slice(column - 1) ?? ''
    if (!new RegExp(`^["']?${name}["']?:\\s*\\d`).test(rest)) return []
    const must = 'should have quotes: other programs read 22:00 as the number 1320'
    return [{ level: 'note' as const, line, field, must }]
  })
}
