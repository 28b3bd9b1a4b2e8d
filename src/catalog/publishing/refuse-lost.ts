import type { Read } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import type { CatalogSource } from '../authoring/catalog-source.ts'
import type { CatalogSettings } from '../records/authored.ts'
import { readHashes, readRecords } from './store.ts'
import type { RecordKind } from './table.ts'

const NAMED_MAX = 5

/**
 * Refuses what would break the addresses or the order of a published catalog: a record that vanishes
 * without an entry in removed.yaml, an entry that was dropped from it, and a run before the last
 * one. A published preview binds nobody. Throws `conflict`.
 */
export async function refuseLost(read: Read, next: CatalogSource): Promise<void> {
  const settings = await publishedSettings(read)
  if (!settings || settings.preview) return
  const rows = await readHashes(read)
  const before = (of: RecordKind) => rows.flatMap(({ kind, key }) => (kind === of ? [key] : []))
  const removed = new Set(next.removed.map(({ slug }) => slug))
  const tools = new Set(next.tools.map(({ slug }) => slug))
  const lost = before('tool').filter((slug) => !tools.has(slug) && !removed.has(slug))
  if (lost.length > 0) throw new Failure('conflict', removalSentence(lost))
  const dropped = before('removed').filter((slug) => !removed.has(slug))
  if (dropped.length > 0) {
    throw new Failure(
      'conflict',
      `removed.yaml no longer lists ${sample(dropped)}. A removed slug is never used again, and its readers are told where to go: put the entry back.`,
    )
  }
  const [was, is] = [settings.run.date, next.settings.run.date]
  if (is >= was) return
  throw new Failure(
    'conflict',
    `The run of ${is} is before the published one, of ${was}: runs go forward. Set run.date in catalog.yaml.`,
  )
}

async function publishedSettings(read: Read): Promise<CatalogSettings | undefined> {
  const [row] = await readRecords(read, { kind: 'settings', key: '' }, 1)
  return row?.kind === 'settings' ? (row.body as CatalogSettings) : undefined
}

function removalSentence(slugs: readonly string[]): string {
  const entry = `- {slug: ${slugs[0]}, date: YYYY-MM-DD, reason: "…"}`
  return `removed.yaml says nothing of ${sample(slugs)}, which ${slugs.length === 1 ? 'is' : 'are'} published and not in the folder. Add an entry for each, such as: ${entry}`
}

function sample(slugs: readonly string[]): string {
  const some = slugs.slice(0, NAMED_MAX).join(', ')
  const more = slugs.length - NAMED_MAX
  return more > 0 ? `${some} and ${more} more` : some
}
