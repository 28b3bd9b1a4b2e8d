import { oncePer } from '../../../platform/once.ts'
import type { ChangeItem } from '../../records/change.ts'
import type { AppliedGate, CatalogBlock } from '../../records/grading.ts'
import type { NewsItem, NewsKind } from '../../records/news.ts'
import { currentSlugs, firstSlugs } from '../../records/renames.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { startOfDay } from '../calendar/feed-entries.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'
import { historyOf } from '../history.ts'
import { byText } from '../listing-order.ts'
import { changeNews } from './from-changes.ts'
import { historyNews } from './from-history.ts'
import { type Draft, itemOf } from './item.ts'

const DAYS = 60
// Enough for a large catalog, and little enough to be read in a moment.
const ITEMS_MAX = 5_000
const DAY_MS = 86_400_000

type News = { days: number; items: readonly NewsItem[] }

/** The news of the last days, newest first, one item of each subject. */
export const latestNews = oncePer((snapshot: CatalogSnapshot): News => {
  const end = Date.parse(startOfDay(snapshot.today))
  const since = new Date(end - DAYS * DAY_MS).toISOString()
  const items = snapshot.tools.flatMap((tool) =>
    newestOf(toolNews(snapshot, tool)).filter(({ at }) => Date.parse(at) >= Date.parse(since)),
  )
  return { days: DAYS, items: items.sort(newestFirst).slice(0, ITEMS_MAX) }
})

/** All news of a tool, those that were replaced too. */
export function toolNews(snapshot: CatalogSnapshot, tool: ToolDetail): NewsItem[] {
  const own = changesOf(snapshot).get(tool.slug) ?? []
  const dated = own.map((change) => changeNews(change, snapshot))
  const drafts = [
    ...dated,
    ...judgementNews(tool, dated),
    ...historyNews(tool.name, historyOf(snapshot, tool)),
  ]
  const root = rootOf(snapshot)(tool.slug)
  return drafts.map((draft) => itemOf(tool, root, draft))
}

const rootOf = oncePer(({ removed }: CatalogSnapshot) => firstSlugs(removed))

const changesOf = oncePer(
  ({ changes, removed }: CatalogSnapshot): ReadonlyMap<string, readonly ChangeItem[]> => {
    const current = currentSlugs(removed)
    return Map.groupBy(changes, ({ tool }) => current(tool))
  },
)

const SECURITY: ReadonlySet<string> = new Set([
  'breach',
  'open-vulnerability',
  'expired-tls',
  'clear-text-credentials',
])
const BY_GATE: Readonly<Record<string, NewsKind>> = {
  'shut-down': 'ended',
  withdrawn: 'ended',
  archived: 'deprecated',
  'expired-tls': 'security',
  'clear-text-credentials': 'security',
}

/** What the grade says of security, and of an end without a dated change. */
function judgementNews({ name, catalog }: ToolDetail, dated: readonly Draft[]): Draft[] {
  const isDated = dated.some(({ kind }) => kind === 'ended')
  const gates = (catalog.gates ?? []).flatMap((gate) => {
    const kind = BY_GATE[gate.code]
    if (kind === undefined || (kind === 'ended' && isDated)) return []
    return [gateNews(name, catalog, gate, kind)]
  })
  const notes = (catalog.negatives ?? []).filter(({ code }) => SECURITY.has(code))
  return [
    ...gates,
    ...notes.map(({ code, date, reason, source }): Draft => {
      const [subject, at] = [['note', code, date], startOfDay(date)]
      return { subject, state: '', kind: 'security', at, title: `${name}: ${reason}`, source }
    }),
  ]
}

function gateNews(
  name: string,
  { run }: CatalogBlock,
  { code, date, reason }: AppliedGate,
  kind: NewsKind,
): Draft {
  const at = startOfDay(date ?? run)
  return { subject: ['gate', code, date ?? ''], state: '', kind, at, title: `${name}: ${reason}` }
}

/** Of each subject the newest item; of several at once the last. */
function newestOf(items: readonly NewsItem[]): NewsItem[] {
  const bySubject = new Map<string, NewsItem>()
  for (const item of items) {
    const other = bySubject.get(item.subject)
    if (!other || Date.parse(other.at) <= Date.parse(item.at)) bySubject.set(item.subject, item)
  }
  return [...bySubject.values()]
}

/** By time, newest first; those of one moment by id. */
function newestFirst(a: NewsItem, b: NewsItem): number {
  return Date.parse(b.at) - Date.parse(a.at) || byText(a.id, b.id)
}
