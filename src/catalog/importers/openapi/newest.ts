import type { ReadApi } from './api-facts.ts'

const PREVIEW = /alpha|beta|preview|rc|dev/i

/** Whether the first is the one to keep: the preferred one, else the higher version, else the later file. */
export function isNewer(a: ReadApi, b: ReadApi): boolean {
  if (a.isPreferred !== b.isPreferred) return a.isPreferred
  return (compareVersions(a.version, b.version) || compareVersions(a.suffix, b.suffix)) >= 0
}

/** Numbers in their order, whatever is between them; a preview is older than what it leads to. */
function compareVersions(a: string, b: string): number {
  const [ours, theirs] = [numbersIn(a), numbersIn(b)]
  for (let i = 0; i < Math.max(ours.length, theirs.length); i++) {
    const difference = (ours[i] ?? 0) - (theirs[i] ?? 0)
    if (difference !== 0) return difference
  }
  return Number(PREVIEW.test(b)) - Number(PREVIEW.test(a))
}

function numbersIn(version: string): number[] {
  return (version.match(/\d+/g) ?? []).map(Number)
}
