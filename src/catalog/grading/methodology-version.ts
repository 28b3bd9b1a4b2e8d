import { sha256 } from '../../platform/signing/sha256.ts'
import type { Methodology } from '../records/methodology.ts'

/**
 * A hash of a methodology without its version: SHA-256 in hex of the JSON with sorted keys, so that
 * comments, line ends and the order of keys do not matter.
 */
export function methodologyFingerprint({ version: _, ...content }: Methodology): string {
  return sha256(JSON.stringify(content, sortedKeys))
}

/**
 * Why it must not be published, in one sentence; undefined if it may. `published` has the
 * fingerprint of each published version (a changed file must change its version).
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
