import type { ToolDetail } from '../../records/tool.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'
import { shownAddress, shownLine } from '../markdown/shown-text.ts'
import { feedMeta } from '../meta.ts'

/**
 * The record as schema.org JSON-LD for the `<script type="application/ld+json">` of its page,
 * escaped so that nothing ends the element.
 */
export function jsonLd(tool: ToolDetail, snapshot: CatalogSnapshot): string {
  const { catalog } = tool
  const isService = ['http-api', 'model'].includes(tool.kind)
  const publisher = { '@type': 'Organization', name: shownLine(snapshot.settings.name) }
  const data = {
    '@context': 'https://schema.org',
    '@type': isService ? 'WebAPI' : 'SoftwareApplication',
    '@id': `${tool.url}#tool`,
    name: shownLine(tool.name),
    description: shownLine(tool.summary),
    url: tool.url,
    identifier: tool.slug,
    keywords: [...tool.capabilities, ...tool.tags].map(shownLine).join(', ') || undefined,
    [isService ? 'category' : 'applicationCategory']: shownLine(tool.category),
    provider: providerOf(tool),
    [isService ? 'documentation' : 'softwareHelp']: shownAddress(tool.docsUrl),
    sameAs: shownAddress(tool.repo),
    review:
      catalog.graded && catalog.score !== null
        ? {
            '@type': 'Review',
            name: `Grade ${shownLine(catalog.grade ?? '')}`,
            author: publisher,
            datePublished: catalog.assessment.date ?? catalog.run,
            reviewRating: {
              '@type': 'Rating',
              ratingValue: catalog.score,
              worstRating: 0,
              bestRating: 100,
            },
          }
        : undefined,
    subjectOf: {
      '@type': 'Dataset',
      name: `${shownLine(tool.name)}: record`,
      description: shownLine(tool.summary),
      url: tool.url,
      license: shownLine(feedMeta(snapshot).license),
      creator: publisher,
      distribution: {
        '@type': 'DataDownload',
        contentUrl: tool.jsonUrl,
        encodingFormat: 'application/json',
      },
    },
  }
  return JSON.stringify(data).replace(/[<>&\u2028\u2029]/gu, asEscape)
}

/** Undefined if the vendor is unknown. */
function providerOf({ vendor, vendorUrl }: ToolDetail) {
  const name = shownLine(vendor)
  return name === '' ? undefined : { '@type': 'Organization', name, url: shownAddress(vendorUrl) }
}

function asEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
