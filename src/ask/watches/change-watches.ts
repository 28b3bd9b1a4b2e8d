import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { cleanLine } from '../../platform/text.ts'
import type { TokenId } from '../accounts/model/ids.ts'
import { makeSecret } from '../callbacks/model/secret-store.ts'
import { lastNumber } from './model/news-store.ts'
import { deletePosts } from './model/post-store.ts'
import {
  anyWatch,
  deleteWatch,
  findWatch,
  insertWatch,
  listWatches,
  putWatch,
  stopWatches,
  type Watcher,
} from './model/store.ts'
import {
  USUAL_NEWS,
  type Watch,
  type WatchedNews,
  type WatchId,
  type WatchKind,
} from './model/watch.ts'
import type { PublishedNews, ReadPublishedNews } from './model/watched-catalog.ts'
import { noticeNews } from './notice-news.ts'

export type WatchDeps = { db: Db; clock: Clock; published: ReadPublishedNews }

/** What somebody wants to watch. */
export type WatchRequest = {
  kind: WatchKind
  target: string
  records?: readonly string[] | undefined
  news?: readonly WatchedNews[] | undefined
  url?: string | undefined
  /** The token that the request came with. */
  tokenId?: TokenId | undefined
}

const WATCHES_MAX = 200
export const RECORDS_MAX = 2_000

/**
 * Watches something, or changes the watch of the same thing. What is published already is not told.
 * `secret` is there only for a new address. Throws `invalid_input` for what the catalog does not
 * have, and `limit_reached`.
 */
export async function putOneWatch(
  deps: WatchDeps,
  of: Watcher,
  request: WatchRequest,
): Promise<{ watch: Watch; secret: string | undefined }> {
  const { db, clock } = deps
  const published = await publishedOf(deps)
  const target = checked(published, request)
  const records = [...new Set((request.records ?? []).map(published.current))]
  const unknown = records.filter((slug) => !published.has(slug))
  if (unknown.length > 0) throw noRecord('records', unknown)
  // While there are watches, one process notices news for all.
  if (!(await anyWatch(db.read))) await noticeNews(deps, published)
  const now = clock.now()
  const [id, fresh] = [newId('wat', now), request.url === undefined ? undefined : makeSecret()]
  return await db.write(async (tx) => {
    await tx.lock('watch news')
    await tx.lock(`watches ${JSON.stringify(of)}`)
    const own = await listWatches(tx, of)
    const same = own.find((one) => isSame(one, { ...request, target }))
    const upTo = await lastNumber(tx)
    const news = [...(request.news ?? same?.news ?? USUAL_NEWS)]
    if (same) {
      const going = same.stoppedAt === undefined ? {} : { upTo }
      await putWatch(tx, same.id, { records, news, ...going })
      return { watch: await mustFind(tx, same.id), secret: undefined }
    }
    if (own.length >= WATCHES_MAX) throw tooMany()
    const { kind, url } = request
    const tokenId = 'tokenId' in of ? of.tokenId : request.tokenId
    const personId = 'personId' in of ? of.personId : undefined
    const watch: Watch = {
      ...{ id, workspaceId: of.workspaceId, personId, tokenId, kind, target, records, news },
      ...{ url, secret: fresh, createdAt: now, upTo },
      ...{ stoppedAt: undefined, stoppedWhy: undefined },
    }
    await insertWatch(tx, watch)
    return { watch, secret: fresh }
  })
}

function isSame(one: Watch, { kind, target, url }: WatchRequest): boolean {
  return one.kind === kind && one.target === target && one.url === url
}

async function publishedOf({ published }: WatchDeps): Promise<PublishedNews> {
  const catalog = await published()
  if (catalog) return catalog
  throw new Failure(
    'not_found',
    'This server shows no catalog yet, so nothing can be watched. Publish or mirror one, and try again.',
  )
}

/** The target as it is stored; a renamed record by its slug of today. */
function checked(published: PublishedNews, { kind, target, records = [] }: WatchRequest): string {
  const text = cleanLine(target).trim()
  if (kind === 'tool') {
    const slug = published.current(text)
    if (!published.has(slug)) throw noRecord('tool', [text])
    return slug
  }
  if (kind === 'category' && !published.categories.some(({ id }) => id === text)) {
    throw wrongFields([{ field: 'category', must: 'must be a category of the catalog' }])
  }
  const isOf = (id: string) => id === text || id.startsWith(`${text}.`)
  if (kind === 'capability' && !published.capabilities.some(isOf)) {
    throw wrongFields([{ field: 'capability', must: 'must be a capability of the catalog' }])
  }
  if (kind === 'list' && records.length === 0) {
    throw wrongFields([{ field: 'records', must: 'must name at least one record' }])
  }
  return text
}

function noRecord(field: string, slugs: readonly string[]): Failure {
  const some = slugs.slice(0, 5).map((slug) => `"${cleanLine(slug).slice(0, 64)}"`)
  return wrongFields([{ field, must: `must be of the catalog, which has no ${some.join(', ')}` }])
}

function tooMany(): Failure {
  return new Failure(
    'limit_reached',
    `There are ${WATCHES_MAX} watches, the most there may be; this one was not added. Remove one, or watch a category or a list.`,
  )
}

async function mustFind(tx: Tx, id: WatchId): Promise<Watch> {
  const watch = await findWatch(tx, id)
  if (!watch) throw new Error('a watch vanished within its transaction')
  return watch
}

/** Removes a watch with what is still to be posted. Throws `not_found` for one of somebody else. */
export async function removeWatch({ db }: { db: Db }, of: Watcher[], id: string): Promise<void> {
  await db.write(async (tx) => {
    const lists = await Promise.all(of.map((one) => listWatches(tx, one)))
    const own = lists.flat().find((watch) => watch.id === id)
    if (!own) throw new Failure('not_found', 'There is no such watch here; nothing was removed.')
    await deletePosts(tx, own.id)
    await deleteWatch(tx, own.id)
  })
}

/** Stops every watch that tells a person; resolves to how many went on until now. */
export async function stopAll({ db, clock }: Omit<WatchDeps, 'published'>, of: Watcher) {
  const stop = { at: clock.now(), why: 'Stopped by the link in a message.' }
  return await db.write((tx) => stopWatches(tx, of, stop))
}

/** Lets stopped watches of a person go on; what came meanwhile is not told. */
export async function resumeAll({ db }: { db: Db }, of: Watcher): Promise<void> {
  await db.write(async (tx) => {
    await tx.lock('watch news')
    const upTo = await lastNumber(tx)
    for (const { id, stoppedAt } of await listWatches(tx, of)) {
      if (stoppedAt !== undefined) await putWatch(tx, id, { upTo })
    }
  })
}
