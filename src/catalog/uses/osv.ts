import { record } from './packages.ts'
import { packageKey, type Use } from './use.ts'

const REGISTRIES: Record<string, string> = { npm: 'npm', PyPI: 'pypi', Go: 'go' }

type Vulnerability = { id: string; summary: string; use: Use }
type Affected = { id: string; summary: string; versions: Set<string>; ranges: Range[] }
type Range = { introduced: string; fixed?: string; last?: string }

/**
 * The entries of an OSV dump that affect locked versions. `unsure` has uses whose version the dump has
 * no list for, or that have none anywhere; `notCovered` the registries of which the dump has nothing.
 */
export function findVulnerabilities(entries: Iterable<unknown>, uses: readonly Use[]) {
  const packages = lockedUses(uses)
  const inUse = new Set(packages.map(({ registry, name }) => packageKey(registry, name)))
  const byPackage = new Map<string, Affected[]>()
  const covered = new Set<string>()
  for (const entry of entries) addEntry(record(entry), { byPackage, inUse, covered })
  const vulnerable: Vulnerability[] = []
  const unsure: Vulnerability[] = []
  for (const use of packages) {
    for (const one of byPackage.get(packageKey(use.registry, use.name)) ?? []) {
      const answer = isAffected(use.version, use.registry, one)
      const { id, summary } = one
      if (answer === undefined) unsure.push({ id, summary, use })
      else if (answer) vulnerable.push({ id, summary, use })
    }
  }
  const notCovered = [...new Set(packages.map(({ registry }) => registry))]
    .filter((registry) => !covered.has(registry))
    .sort()
  return { vulnerable, unsure, notCovered }
}

type PackageUse = Extract<Use, { kind: 'package' }>

/** Packages once by version and file; where a version is locked, without the places that name none. */
function lockedUses(uses: readonly Use[]): PackageUse[] {
  const packages = uses.filter((use): use is PackageUse => use.kind === 'package')
  const locked = new Set(
    packages.flatMap(({ registry, name, version }) =>
      version === undefined ? [] : [packageKey(registry, name)],
    ),
  )
  const byText = new Map<string, PackageUse>()
  for (const use of packages) {
    const key = packageKey(use.registry, use.name)
    if (use.version === undefined && locked.has(key)) continue
    const text = `${key} ${use.version ?? ''} ${use.file}`
    if (!byText.has(text)) byText.set(text, use)
  }
  return [...byText.values()]
}

type Dump = {
  byPackage: Map<string, Affected[]>
  inUse: ReadonlySet<string>
  covered: Set<string>
}

/** Keeps what affects a package that is in use. */
function addEntry(entry: Record<string, unknown>, { byPackage, inUse, covered }: Dump): void {
  if (entry.withdrawn) return
  const summary = String(entry.summary ?? '').slice(0, 300)
  for (const one of list(entry.affected)) {
    const { ecosystem, name } = record(record(one).package)
    const registry = REGISTRIES[String(ecosystem)]
    if (!registry || typeof name !== 'string') continue
    covered.add(registry)
    const key = packageKey(registry, name)
    if (!inUse.has(key)) continue
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
