import { redactSecrets } from '../../../platform/redact/redact.ts'
import { shape } from '../../../platform/schema.ts'
import { parseYaml, placeOfValue } from '../../../platform/yaml/parse-yaml.ts'
import type { Finding } from './finding.ts'
import { DURATION, isDuration, PolicyFile } from './policy-file.ts'

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
    const findings = parsed.map(({ line, field, expected, found: what }) =>
      error(line, field, `must be ${expected}, and is ${what}`),
    )
    return { lineOf, findings }
  }
  const place = (field: string) => placeOfValue(parsed, pointerOf(field))
  const line = (field: string) => place(field).line
  const value = withMs(parsed.value, '')
  const wrong = [...PolicyFileShape.wrong(value), ...secretsIn(value, '')]
  if (wrong.length > 0) {
    const findings = wrong.map(({ field, must }) => {
      const name = field === 'arguments' ? '' : field
      return error(line(name), name, isDurationField(name) ? `${must}; ${A_TIME}` : must)
    })
    return { lineOf: line, findings }
  }
  const findings = bareTimes(text, value as PolicyFile, place)
  return { value: value as PolicyFile, lineOf: line, findings }
}

const A_TIME = 'a time is written like 45s, 10m or 4h'

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
