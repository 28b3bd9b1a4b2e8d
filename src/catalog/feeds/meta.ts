import type { Meta } from '../records/meta.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'

const LICENSE = 'CC-BY-4.0'

/** The block of every feed. */
export function feedMeta(snapshot: CatalogSnapshot): Meta {
  const { settings, methodology, generatedAt, baseUrl } = snapshot
  const method = `${baseUrl}/methodology`
  return {
    attribution: settings.attribution,
    docs: settings.docs ?? method,
    generatedAt,
    license: settings.license ?? LICENSE,
    method,
    methodology: methodology.version,
    openapi: `${baseUrl}/openapi.json`,
    preview: isPreview(snapshot),
    run: settings.run.date,
    runLabel: settings.run.label,
  }
}

/** True if the catalog must not be relied on: its author says so, or it is not published. */
export function isPreview({ settings, draft }: CatalogSnapshot): boolean {
  return draft !== undefined || (settings.preview ?? false)
}

/** The credit line with the licence, which it often names itself. */
export function creditLine({
  attribution,
  license,
}: Pick<Meta, 'attribution' | 'license'>): string {
  const credit = attribution.replace(/\.\s*$/u, '')
  return credit.includes(license) ? credit : `${credit} (${license})`
}
