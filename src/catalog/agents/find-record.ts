import { didYouMean } from '../../platform/did-you-mean.ts'
import { Failure } from '../../platform/failure.ts'
import { cutText } from '../../platform/text.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { currentSlugs } from '../records/renames.ts'
import type { ToolDetail } from '../records/tool.ts'
import { foldText } from '../search/match.ts'
import { quoteRecord } from './quoted.ts'

const NEAR_MAX = 5
const SAID_MAX = 64

/**
 * The record of a slug, also if it is written differently. Throws `gone` for a removed one, and
 * `not_found` with similar slugs.
 */
export function findRecord(snapshot: CatalogSnapshot, name: string): ToolDetail {
  const slug = slugOf(name)
  const record =
    snapshot.bySlug.get(slug) ?? snapshot.bySlug.get(currentSlugs(snapshot.removed)(slug))
  if (record) return record
  const tombstone = snapshot.removed.find((one) => one.slug === slug)
  if (tombstone) {
    const { date, reason, replacement } = tombstone
    const instead = replacement ? ` Use "${replacement}" instead.` : ''
    throw new Failure(
      'gone',
      `"${slug}" was removed on ${date}; the catalog says why: "${quoteRecord(reason, 60)}".${instead}`,
    )
  }
  const near = nearSlugs(snapshot, slug)
  const like = near.length > 0 ? ` Like it: ${near.join(', ')}.` : ''
  throw new Failure(
    'not_found',
    `There is no tool "${cutText(slug, SAID_MAX)}".${like} search_tools finds others.`,
  )
}

function slugOf(name: string): string {
  return foldText(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
}

function nearSlugs({ bySlug }: CatalogSnapshot, slug: string): string[] {
  const suggestion = didYouMean(slug, bySlug.keys())
  const parts = slug.split('-').filter((part) => part.length > 2)
  const counted = [...bySlug.keys()]
    .map((candidate) => ({
      known: candidate,
      shared: parts.filter((part) => candidate.includes(part)).length,
    }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .map(({ known: candidate }) => candidate)
  return [...new Set([...(suggestion ? [suggestion] : []), ...counted])].slice(0, NEAR_MAX)
}
