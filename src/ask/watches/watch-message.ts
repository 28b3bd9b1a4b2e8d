import { cleanLine, cutText } from '../../platform/text.ts'
import type { NoticedNews } from './model/news-store.ts'
import type { ShownNews } from './model/post.ts'
import { watchPaths } from './paths.ts'

const TITLE_MAX = 100
const LINES_MAX = 6
const LINE_MAX = 160

/** The news for a watcher, and the watched records that the catalog no longer has. */
export type ToTell = { items: readonly NoticedNews[]; gone: readonly string[] }

/** One message about all of it, each with a link to its page and with the link that stops them. */
export function watchMessage({ items, gone }: ToTell, about: { baseUrl: string; stop: string }) {
  const { baseUrl, stop } = about
  const lines = [
    ...gone.map((slug) => `${slug} is no longer in the catalog; this watch has ended.`),
    ...items.map(({ item }) => {
      const { title, url } = shownNews(item, baseUrl)
      return `${cutText(cleanLine(title), LINE_MAX)}\n${url}`
    }),
  ]
  const visible = lines.slice(0, LINES_MAX)
  const more = lines.length - visible.length
  const all = `${baseUrl}${watchPaths.watches}`
  const [first] = items
  const isOne = lines.length === 1
  return {
    title: cutText(
      isOne ? titleOf(first, gone) : `${lines.length} news of tools that you watch`,
      TITLE_MAX,
    ),
    body: [
      ...visible,
      ...(more > 0 ? [`And ${more} more: ${all}`] : []),
      `Stop these messages: ${baseUrl}${stop}`,
    ].join('\n'),
    agentName: 'Catalog',
    url: isOne && first ? shownNews(first.item, baseUrl).url : all,
  }
}

function titleOf(first: NoticedNews | undefined, gone: readonly string[]): string {
  return first ? cleanLine(first.item.title) : `${gone[0]} is no longer in the catalog`
}

/** An item with its page on this server. */
export function shownNews(item: NoticedNews['item'], baseUrl: string): ShownNews {
  const { category: _, capabilities: __, ...rest } = item
  return { ...rest, url: `${baseUrl}/tools/${encodeURIComponent(item.tool)}` }
}
