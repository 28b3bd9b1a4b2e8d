import type { ChangeItem } from '../../records/change.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'
import { shownAddress, xmlLine, xmlText } from '../markdown/shown-text.ts'
import { creditLine, feedMeta } from '../meta.ts'
import {
  changedOn,
  changeText,
  changeTitle,
  changeUuid,
  lastChangedOn,
  newestChanges,
  startOfDay,
} from './feed-entries.ts'

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8'

/** The subject of a feed and its address. */
export type FeedPlace = {
  title: string
  /** The feed's own path, like `/changes.atom`. */
  path: string
  /** The path of the page for people. */
  page: string
}

/**
 * Changes as an Atom feed (RFC 4287), newest first. Not `feedsmith`, which takes three to seven
 * times as long and 16 MiB of memory, and indents the text of entries.
 */
export function atomOf(
  snapshot: CatalogSnapshot,
  changes: readonly ChangeItem[],
  { title, path, page }: FeedPlace,
): string {
  const address = xmlLine(`${snapshot.baseUrl}${path}`)
  const updated = startOfDay(lastChangedOn(changes, snapshot))
  return `${[
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    `  <id>${address}</id>`,
    `  <title>${xmlLine(title)}</title>`,
    `  <updated>${updated}</updated>`,
    `  <link rel="self" type="application/atom+xml" href="${address}"/>`,
    `  <link rel="alternate" type="text/html" href="${xmlLine(`${snapshot.baseUrl}${page}`)}"/>`,
    `  <author><name>${xmlLine(snapshot.settings.name)}</name></author>`,
    `  <rights>${xmlLine(creditLine(feedMeta(snapshot)))}</rights>`,
    '  <generator>Beckon</generator>',
    ...newestChanges(changes, snapshot).map((change) => entryOf(change, snapshot)),
    '</feed>',
  ].join('\n')}\n`
}

function entryOf(change: ChangeItem, snapshot: CatalogSnapshot): string {
  const [page, source] = [shownAddress(change.url), shownAddress(change.source)]
  return [
    '  <entry>',
    `    <id>urn:uuid:${changeUuid(change.id)}</id>`,
    `    <title>${xmlLine(changeTitle(change))}</title>`,
    `    <updated>${startOfDay(changedOn(change, snapshot))}</updated>`,
    ...(change.announced ? [`    <published>${startOfDay(change.announced)}</published>`] : []),
    ...(page ? [`    <link rel="alternate" type="text/html" href="${xmlLine(page)}"/>`] : []),
    ...(source ? [`    <link rel="related" href="${xmlLine(source)}"/>`] : []),
    `    <category term="${xmlLine(change.kind)}"/>`,
    `    <content type="text">${xmlText(changeText(change))}</content>`,
    '  </entry>',
  ].join('\n')
}
