import { splitChanges } from '../records/split-changes.ts'
import type { BuiltDocument } from './built-site.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { publishedChanges } from './changes-by-tool.ts'
import { jsonDocument } from './json-document.ts'
import { feedMeta } from './meta.ts'

/** Dated changes, past and to come. */
export function* buildChanges(snapshot: CatalogSnapshot): Generator<BuiltDocument> {
  yield jsonDocument('/api/v1/changes.json', {
    calendar: `${snapshot.baseUrl}/sunsets.ics`,
    meta: feedMeta(snapshot),
    ...splitChanges(publishedChanges(snapshot), snapshot.today),
  })
}
