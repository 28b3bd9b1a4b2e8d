import { record } from './packages.ts'
import { packageKey, type Use } from './use.ts'

const REGISTRIES: Record<string, string> = { npm: 'npm', PyPI: 'pypi', Go: 'go' }

type Vulnerability = { id: string; summary: string; use: Use }
type Affected = { id: string; summary: string; versions: Set<string>; ranges: Range[] }
type Range = { introduced: string; fixed?: string; last?: string }

/**
 * The vulnerabilities of an OSV dump (an entry, a list, or an entry a line) that affect locked
 * versions. `unsure` has uses whose version the dump has no list for, or that have none.
 */
export function findVulnerabilities(dump: string, uses: readonly Use[]) {
  const byPackage = new Map<string, Affected[]>()
  for (const entry of entriesIn(dump)) addEntry(byPackage, record(entry))
  const vulnerable: Vulnerability[] = []
  const unsure: Vulnerability[] = []
  for (const use of uses) {
    if (use.kind !== 'package') continue
    for (const one of byPackage.get(packageKey(use.registry, use.name)) ?? []) {
      const answer = isAffected(use.version, use.registry, one)
      const { id, summary } = one
      if (answer === undefined) unsure.push({ id, summary, use })
      else if (answer) vulnerable.push({ id, summary, use })
    }
  }
  return { vulnerable, unsure }
}

function entriesIn(dump: string): unknown[] {
  const text = dump.trim()
  if (text.startsWith('[')) return JSON.parse(text)
  try {
    return [JSON.parse(text)]
  } catch {
    return text.split('\n').flatMap((line) => (line.trim() ? [JSON.parse(line)] : []))
  }
}

function addEntry(byPackage: Map<string, Affected[]>, entry: Record<string, unknown>): void {
  if (entry.withdrawn) return
  const summary = String(entry.summary ?? '').slice(0, 300)
  for (const one of list(entry.affected)) {
    const { ecosystem, name } = record(record(one).package)
    const registry = REGISTRIES[String(ecosystem)]
    if (!registry || typeof name !== 'string') continue
    const key = packageKey(registry, name)
    const affected = {
      id: String(entry.id),
      summary,
      versions: new Set(list(record(one).versions).map(String)),
      ranges: list(record(one).ranges).flatMap(rangesIn),
    }
    byPackage.set(key, [...(byPackage.get(key) ?? []), affected])
  }
}

function rangesIn(value: unknown): Range[] {
  if (record(value).type === 'GIT') return []
  const ranges: Range[] = []
  for (const event of list(record(value).events).map(record)) {
    const last = ranges.at(-1)
    if (typeof event.introduced === 'string') ranges.push({ introduced: event.introduced })
    else if (last && typeof event.fixed === 'string') last.fixed = event.fixed
    else if (last && typeof event.last_affected === 'string') last.last = event.last_affected
  }
  return ranges
}

/** Undefined if it is not known: no version, or one that cannot be compared. */
function isAffected(version: string | undefined, registry: string, { versions, ranges }: Affected) {
  if (version === undefined) return undefined
  if (versions.has(version)) return true
  if (ranges.length === 0) return false
  if (ranges.some(({ introduced, fixed, last }) => introduced === '0' && !fixed && !last))
    return true
  // Versions of Python have an order of their own; the dump lists them.
  if (registry === 'pypi') return versions.size > 0 ? false : undefined
  if (!/^\d+\.\d+\.\d+/.test(version)) return undefined
  const order = (a: string, b: string) => Bun.semver.order(a, b)
  return ranges.some(
    ({ introduced, fixed, last }) =>
      (introduced === '0' || order(version, introduced) >= 0) &&
      (fixed === undefined || order(version, fixed) < 0) &&
      (last === undefined || order(version, last) <= 0),
  )
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
