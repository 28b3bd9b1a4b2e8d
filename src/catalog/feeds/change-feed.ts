import { splitChanges } from '../records/split-changes.ts'
import type { BuiltDocument } from './built-site.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { toldChanges } from './changes-by-tool.ts'
import { jsonDocument } from './json-document.ts'
import { metaOf } from './meta.ts'

/** Dated changes, past and to come. */
export function* buildChanges(snapshot: CatalogSnapshot): Generator<BuiltDocument> {
  yield jsonDocument('/api/v1/changes.json', {
    calendar: `${snapshot.baseUrl}/sunsets.ics`,
    meta: metaOf(snapshot),
    ...splitChanges(toldChanges(snapshot), snapshot.today),
  })
}
