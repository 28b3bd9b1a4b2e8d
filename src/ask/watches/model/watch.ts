import type { Id } from '../../../platform/ids.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { News } from './watched-catalog.ts'

export type WatchId = Id<'wat'>

export const WATCH_KINDS = ['tool', 'category', 'capability', 'list'] as const
export type WatchKind = (typeof WATCH_KINDS)[number]

/** The sorts of news that a watch can be about, with words for people. */
export const WATCHED_NEWS = {
  endings: 'Endings: announced, near, ended',
  breaks: 'Breaks: changes that make calls fail',
  security: 'Security notes',
  tools: 'Any change of the tools it lists',
  prices: 'Prices',
  grades: 'Grades',
  versions: 'Versions',
  notices: 'Renames and notices',
} as const
export type WatchedNews = keyof typeof WATCHED_NEWS
export const WATCHED_NEWS_NAMES = Object.keys(WATCHED_NEWS) as WatchedNews[]
export const USUAL_NEWS: readonly WatchedNews[] = ['endings', 'breaks']

const SORTS: Readonly<Record<string, WatchedNews>> = {
  ended: 'endings',
  ends: 'endings',
  deprecated: 'endings',
  breaking: 'breaks',
  security: 'security',
  tools: 'tools',
  price: 'prices',
  grade: 'grades',
  version: 'versions',
}

/** What somebody watches in the catalog, and who is told: a person, or a program at `url`. */
export type Watch = {
  id: WatchId
  workspaceId: WorkspaceId
  /** Told by their channels; undefined for a program. */
  personId: PersonId | undefined
  /** The token that made it. */
  tokenId: TokenId | undefined
  kind: WatchKind
  /** A slug, a category, a capability, or the name of a list. */
  target: string
  /** The slugs of a list. */
  records: string[]
  news: WatchedNews[]
  /** Where news are posted, signed with `secret`. */
  url: string | undefined
  secret: string | undefined
  createdAt: number
  /** The number of the last news that it was told, or that was there before it. */
  upTo: number
  stoppedAt: number | undefined
  stoppedWhy: string | undefined
}

/** True if a watch is about an item. */
export function concerns(watch: Pick<Watch, 'kind' | 'target' | 'records' | 'news'>, item: News) {
  return isAbout(watch, item) && sortsOf(item).some((sort) => watch.news.includes(sort))
}

function isAbout(
  { kind, target, records }: Pick<Watch, 'kind' | 'target' | 'records'>,
  item: News,
) {
  if (kind === 'tool') return item.tool === target
  if (kind === 'category') return item.category === target
  if (kind === 'list') return records.includes(item.tool)
  return item.capabilities.some((one) => one === target || one.startsWith(`${target}.`))
}

/** A changed list of tools that breaks calls is a break, too; one of which it is not known is not. */
function sortsOf({ kind, breaking }: News): WatchedNews[] {
  const sort = SORTS[kind] ?? 'notices'
  return sort === 'tools' && breaking === true ? ['tools', 'breaks'] : [sort]
}

/** The slugs that a watch names. */
export function slugsOf({ kind, target, records }: Pick<Watch, 'kind' | 'target' | 'records'>) {
  if (kind === 'tool') return [target]
  return kind === 'list' ? records : []
}
