import type { Read } from '../../platform/db/database.ts'
import type { CatalogSource } from '../authoring/catalog-source.ts'
import type { ChangeTimes } from '../authoring/to-change-item.ts'
import type { GradeHistoryItem } from '../records/grading.ts'
import { currentSlugs } from '../records/renames.ts'
import { historyBySlug, reviewKey, sourceFrom } from './rows.ts'
import {
  latestRevision,
  type Revision,
  readGrades,
  readRecords,
  type StoredRecord,
} from './store.ts'

/** The published catalog, read consistently. */
export type PublishedCatalog = {
  revision: Revision
  source: CatalogSource
  /** Milliseconds since 1970, by slug: when the tool, its vendor or a review of it last changed. */
  updatedAt: ReadonlyMap<string, number>
  /** When each change was first published and last changed, by its id. */
  changeTimes: ReadonlyMap<string, ChangeTimes>
  history: ReadonlyMap<string, readonly GradeHistoryItem[]>
  records: readonly StoredRecord[]
}

// Other work of the server may run between two parts of the table.
const ROWS_AT_ONCE = 100
const TRIES_MAX = 5

/**
 * Undefined while nothing was published. Starts again if something is published meanwhile. Of
 * `previous`, what has not changed is taken over: all but the history if the revision is the same, else
 * the bodies of records, so that two revisions in memory at once have them once.
 */
export async function readPublished(
  read: Read,
  previous?: PublishedCatalog,
): Promise<PublishedCatalog | undefined> {
  const bodies = new Map(previous?.records.map((one) => [nameOf(one), one]))
  for (let n = 0; n < TRIES_MAX; n++) {
    const revision = await latestRevision(read)
    if (!revision) return undefined
    // Measurements add grades to the history between two revisions.
    if (previous?.revision.sequence === revision.sequence) {
      return { ...previous, history: historyBySlug(await readGrades(read)) }
    }
    const records = await readAll(read, bodies)
    const grades = await readGrades(read)
    const after = await latestRevision(read)
    if (after?.sequence !== revision.sequence) continue
    const source = sourceFrom(records)
    if (!source) return undefined
    const updatedAt = toolTimes(source, records)
    const changeTimes = timesOfChanges(records)
    const history = historyBySlug(grades)
    return { revision, source, updatedAt, changeTimes, history, records }
  }
  throw new Error('the catalog is published faster than it can be read')
}

type ByName = ReadonlyMap<string, StoredRecord>

function nameOf({ kind, key }: Pick<StoredRecord, 'kind' | 'key'>): string {
  return `${kind} ${key}`
}

async function readAll(read: Read, byName: ByName): Promise<StoredRecord[]> {
  const all: StoredRecord[] = []
  for (;;) {
    const some = await readRecords(read, all.at(-1), ROWS_AT_ONCE)
    for (const row of some) {
      const before = byName.get(nameOf(row))
      all.push(before?.hash === row.hash ? { ...row, body: before.body } : row)
    }
    if (some.length < ROWS_AT_ONCE) return all
    await Bun.sleep(0)
  }
}

function timesOfChanges(records: readonly StoredRecord[]): Map<string, ChangeTimes> {
  return new Map(
    records.flatMap(({ kind, key, addedAt, updatedAt }) =>
      kind === 'change' ? [[key, { addedAt, updatedAt }]] : [],
    ),
  )
}

function toolTimes(
  { tools, reviews, removed }: CatalogSource,
  records: readonly StoredRecord[],
): Map<string, number> {
  const at = new Map(records.map((one) => [nameOf(one), one.updatedAt]))
  const current = currentSlugs(removed)
  const byTool = Map.groupBy(reviews, ({ tool }) => current(tool))
  return new Map(
    tools.map(({ slug, vendor }) => {
      const own = byTool.get(slug) ?? []
      const names = [
        `tool ${slug}`,
        `vendor ${vendor}`,
        ...own.map((review) => `review ${reviewKey(review)}`),
      ]
      return [slug, Math.max(...names.map((name) => at.get(name) ?? 0))]
    }),
  )
}
