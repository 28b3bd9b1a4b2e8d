import { splitChanges } from '../records/split-changes.ts'
import type { CatalogView } from './catalog-view.ts'
import { toldChanges } from './changes-by-tool.ts'
import { jsonDocument } from './json-document.ts'
import { metaOf } from './meta.ts'
import type { Built } from './site.ts'

/** Dated changes, past and to come. */
export function* buildChanges(view: CatalogView): Generator<Built> {
  yield jsonDocument('/api/v1/changes.json', {
    calendar: `${view.baseUrl}/sunsets.ics`,
    meta: metaOf(view),
    ...splitChanges(toldChanges(view), view.today),
  })
}
