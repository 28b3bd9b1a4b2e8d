import type { Meta } from '../records/meta.ts'
import type { CatalogView } from './catalog-view.ts'

const LICENSE = 'CC-BY-4.0'

/** The block that stands in every feed. */
export function metaOf(view: CatalogView): Meta {
  const { settings, methodology, generatedAt, baseUrl } = view
  const method = `${baseUrl}/methodology`
  return {
    attribution: settings.attribution,
    docs: settings.docs ?? method,
    generatedAt,
    license: settings.license ?? LICENSE,
    method,
    methodology: methodology.version,
    openapi: `${baseUrl}/openapi.json`,
    preview: isPreview(view),
    run: settings.run.date,
    runLabel: settings.run.label,
  }
}

/** Whether nobody should rely on it: its author says so, or it is not published at all. */
export function isPreview({ settings, draft }: CatalogView): boolean {
  return draft !== undefined || (settings.preview ?? false)
}
