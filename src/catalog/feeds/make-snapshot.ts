import { toChangeItem } from '../authoring/to-change-item.ts'
import { type ReviewStates, recordContext, toToolDetail } from '../authoring/to-tool-record.ts'
import type { PublishedCatalog } from '../publishing/read-published.ts'
import type { ChangeItem } from '../records/change.ts'
import type { Grading } from '../records/grading.ts'
import { type LiveBySlug, notMeasured } from '../records/live.ts'
import { currentSlugs } from '../records/renames.ts'
import type { ToolDetail } from '../records/tool.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { byText, listingOrder } from './listing-order.ts'

export type SnapshotInput = {
  published: Pick<PublishedCatalog, 'source' | 'updatedAt'> &
    Partial<Pick<PublishedCatalog, 'changeTimes'>>
  revision: { revision: string; sequence: number }
  gradings: ReadonlyMap<string, Grading>
  live: LiveBySlug
  /** UTC day, `YYYY-MM-DD`. */
  today: string
  /** The results of checking the signatures of reviews. */
  states: ReviewStates
  /** The server's address; that of `catalog.yaml` wins. */
  baseUrl: string
}

/** Makes the snapshot of the catalog for a day, one tool at a time, so that other work can run. */
export function* snapshotSteps(input: SnapshotInput): Generator<undefined, CatalogSnapshot> {
  const { published, revision, today } = input
  const { source } = published
  const baseUrl = (source.settings.baseUrl ?? input.baseUrl).replace(/\/+$/, '')
  const tools = (yield* toolsOf(input, baseUrl)).sort(listingOrder(source.methodology.bands))
  const bySlug = new Map(tools.map((tool) => [tool.slug, tool]))
  return {
    settings: source.settings,
    revision: revision.revision,
    sequence: revision.sequence,
    generatedAt: today,
    today,
    baseUrl,
    tools,
    bySlug,
    changedAt: published.updatedAt,
    changes: changesOf(published, bySlug, baseUrl),
    removed: [...source.removed].sort((a, b) => byText(a.slug, b.slug)),
    methodology: source.methodology,
    ...(source.keys ? { keys: source.keys } : {}),
  }
}

function* toolsOf(
  { published, gradings, live, states, today }: SnapshotInput,
  baseUrl: string,
): Generator<undefined, ToolDetail[]> {
  const { source, updatedAt } = published
  const context = recordContext(source, baseUrl, states, today)
  const tools: ToolDetail[] = []
  for (const tool of source.tools) {
    const { slug } = tool
    const grading = gradings.get(slug)
    if (!grading) throw new Error(`no grading of ${slug}`)
    const detail = toToolDetail(tool, context, live.get(slug) ?? notMeasured(slug), grading)
    const at = updatedAt.get(slug)
    tools.push(at ? { ...detail, updated: dayOf(at) } : detail)
    yield
  }
  return tools
}

function changesOf(
  { source, changeTimes }: SnapshotInput['published'],
  bySlug: ReadonlyMap<string, ToolDetail>,
  baseUrl: string,
): ChangeItem[] {
  const today = currentSlugs(source.removed)
  return source.changes
    .map((change) => {
      const { name } = bySlug.get(today(change.tool)) ?? {}
      return toChangeItem(change, name, baseUrl, changeTimes?.get(change.id))
    })
    .sort((a, b) => byText(b.date, a.date) || byText(a.id, b.id))
}

/** The UTC day of an instant. */
export function dayOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}
