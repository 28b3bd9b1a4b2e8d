import type { ChangeItem } from '../../records/change.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'
import { publishedChanges } from '../changes-by-tool.ts'
import { shownAddress, shownLine, shownText } from '../markdown/shown-text.ts'
import { creditLine, feedMeta } from '../meta.ts'
import {
  changedOn,
  changeText,
  changeTitle,
  changeUuid,
  newestChanges,
  startOfDay,
} from './feed-entries.ts'

export const JSON_FEED_TYPE = 'application/feed+json; charset=utf-8'

/** Changes as a JSON Feed 1.1 (jsonfeed.org), newest first. */
export function jsonFeedOf(snapshot: CatalogSnapshot): string {
  const { baseUrl, settings } = snapshot
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: shownLine(`${settings.name}: changes`),
    home_page_url: `${baseUrl}/changes`,
    feed_url: `${baseUrl}/changes.feed.json`,
    description: shownLine(creditLine(feedMeta(snapshot))),
    language: 'en',
    authors: [{ name: shownLine(settings.name), url: baseUrl }],
    items: newestChanges(publishedChanges(snapshot), snapshot).map((change) =>
      itemOf(change, snapshot),
    ),
  }
  return `${JSON.stringify(feed)}\n`
}

function itemOf(change: ChangeItem, snapshot: CatalogSnapshot) {
  const [page, source] = [shownAddress(change.url), shownAddress(change.source)]
  return {
    id: `urn:uuid:${changeUuid(change.id)}`,
    ...(page ? { url: page } : {}),
    ...(source ? { external_url: source } : {}),
    title: shownLine(changeTitle(change)),
    content_text: shownText(changeText(change)),
    ...(change.announced ? { date_published: startOfDay(change.announced) } : {}),
    date_modified: startOfDay(changedOn(change, snapshot)),
    tags: [shownLine(change.kind), change.tool],
    // Keys of our own begin with an underscore (JSON Feed 1.1, Extensions).
    _change: { id: change.id, date: change.date, kind: shownLine(change.kind), tool: change.tool },
  }
}
