import { Failure } from '../../platform/failure.ts'
import type { Tombstone } from '../records/change.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'

// The two kinds of address of a tool, with the suffix after the slug.
const OF_A_TOOL = /^(\/api\/v1\/tools\/|\/tools\/)([a-z0-9-]+)((?:\.[a-z]+)*)$/
// Renames may form a circle.
const RENAMES_MAX = 16

/**
 * The new address of a renamed tool. Throws `gone` for a removed one, `not_found` for one that
 * never existed.
 */
export function movedTo(snapshot: CatalogSnapshot, path: string): string {
  const [, folder = '', slug = '', suffix = ''] = OF_A_TOOL.exec(path) ?? []
  const bySlug = new Map(snapshot.removed.map((one) => [one.slug, one]))
  const tombstone = bySlug.get(slug)
  if (!tombstone) {
    throw new Failure(
      'not_found',
      slug ? `There is no tool "${slug.slice(0, 64)}" here.` : 'There is nothing at this address.',
    )
  }
  const to = lastName(tombstone, bySlug)
  if (to) return `${snapshot.baseUrl}${folder}${to}${suffix}`
  throw gone(snapshot, tombstone)
}

function lastName(
  tombstone: Tombstone,
  bySlug: ReadonlyMap<string, Tombstone>,
): string | undefined {
  let to = tombstone.renamedTo
  for (let n = 0; n < RENAMES_MAX; n++) {
    const next = to && bySlug.get(to)
    if (!next) return to
    // Renamed, and removed after that.
    if (!next.renamedTo) return undefined
    to = next.renamedTo
  }
  return undefined
}

function gone({ baseUrl }: CatalogSnapshot, tombstone: Tombstone): Failure {
  const { slug, date, reason, replacement } = tombstone
  const instead = replacement ? ` Use ${replacement} instead: ${baseUrl}/tools/${replacement}` : ''
  const said = reason.replace(/\.?$/, '.')
  return new Failure('gone', `"${slug}" was removed on ${date}: ${said}${instead}`, {
    ...(replacement ? { replacement } : {}),
  })
}
