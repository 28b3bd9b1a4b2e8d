import { createHash } from 'node:crypto'
import type { Methodology } from '../records/methodology.ts'

/**
 * What a methodology says, its version aside, as a SHA-256 in hex: of the JSON with sorted keys, so
 * that comments, line ends and the order of keys do not matter.
 */
export function methodologyFingerprint({ version: _, ...content }: Methodology): string {
  return createHash('sha256').update(JSON.stringify(content, sortedKeys)).digest('hex')
}

/**
 * What is wrong with publishing it, in one sentence; nothing when all is well. `published` has the
 * fingerprint of each version that was ever published (a changed file must change its version).
 */
export function versionProblem(
  published: ReadonlyMap<string, string>,
  methodology: Methodology,
): string | undefined {
  const before = published.get(methodology.version)
  if (before === undefined || before === methodologyFingerprint(methodology)) return undefined
  return `The methodology changed and is still called ${methodology.version}: give it a new version, since grades were published under that one.`
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
