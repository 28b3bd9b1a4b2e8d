import type { Tombstone } from '../records/change.ts'

const OF_A_TOOL: ReadonlyArray<(slug: string) => string> = [
  (slug) => `/api/v1/tools/${slug}.json`,
  (slug) => `/tools/${slug}`,
  (slug) => `/tools/${slug}.atom`,
  (slug) => `/tools/${slug}.json`,
  (slug) => `/tools/${slug}.md`,
  (slug) => `/tools/${slug}.min.md`,
]

/** Every address of tools that were removed or renamed. */
export function deadAddresses(removed: readonly Tombstone[]): string[] {
  return removed.flatMap(({ slug }) => OF_A_TOOL.map((address) => address(slug)))
}
