import { MANIFEST_ROUTES } from './feeds/manifest-feeds.ts'
import { MIRROR_ROUTES } from './mirror/mirror-feeds.ts'
import { ROOMS } from './routes.ts'

/**
 * Every address of the catalog, with `:name` for one segment. Called as a macro: the list is read
 * from the feed modules while the program is built, so that it is known before they are loaded.
 */
export function catalogPaths(): string[] {
  const documents = ROOMS.flatMap(({ routes }) => routes)
  return [...new Set(['/api/v1', ...documents, ...MANIFEST_ROUTES, ...MIRROR_ROUTES])]
}
