import type { Meta } from '../record/meta.ts'
import type { CatalogView } from './catalog-view.ts'

const LICENSE = 'CC-BY-4.0'

/** The block that stands in every feed (spec: meta). */
export function metaOf({ settings, methodology, generatedAt, baseUrl }: CatalogView): Meta {
  const method = `${baseUrl}/methodology`
  return {
    attribution: settings.attribution,
    docs: settings.docs ?? method,
    generatedAt,
    license: settings.license ?? LICENSE,
    method,
    methodology: methodology.version,
    openapi: `${baseUrl}/openapi.json`,
    preview: settings.preview ?? false,
    run: settings.run.date,
    runLabel: settings.run.label,
  }
}
