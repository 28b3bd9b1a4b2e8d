import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import { findToken } from '../accounts/model/token-store.ts'
import { type SendNotificationDeps, sendNotification } from '../notifications/send-notification.ts'
import { isQuiet } from '../subscribers/model/quiet-hours.ts'
import { type NoticedNews, readNewsAfter } from './model/news-store.ts'
import { postOf } from './model/post.ts'
import { insertPost } from './model/post-store.ts'
import { advance, anyWatch, deleteWatch, listBehind, listNaming, putWatch } from './model/store.ts'
import { concerns, slugsOf, type Watch, type WatchId } from './model/watch.ts'
import type { PublishedNews, ReadPublishedNews } from './model/watched-catalog.ts'
import { noticeNews } from './notice-news.ts'
import { watchToken } from './own-token.ts'
import { stopPath } from './stop-link.ts'
import { shownNews, type ToTell, watchMessage } from './watch-message.ts'

export type TellDeps = SendNotificationDeps & {
  db: Db
  clock: Clock
  published: ReadPublishedNews
  baseUrl: string
  quickAnswerSecret: string
  /** Called with what went wrong for one watcher; the others are told all the same. */
  report(error: unknown): void
}

/** Somebody took part of the news meanwhile: another process, or they changed their watches. */
class Overtaken extends Error {}

/**
 * Tells each watcher in one message what is new in what they watch. The number up to which a watch
 * was told moves in the transaction that stores the message, so that nothing is told twice or lost.
 */
export async function tellWatchers(deps: TellDeps): Promise<void> {
  if (!(await anyWatch(deps.db.read))) return
  const published = await deps.published()
  if (!published) return
  const number = await noticeNews(deps, published)
  const behind = await listBehind(deps.db.read, number)
  const gone = goneOf(await listNaming(deps.db.read), published)
  const toTell = [
    ...behind,
    ...gone.keys().filter((one) => !behind.some(({ id }) => id === one.id)),
  ]
  if (toTell.length === 0) return
  const news = await readNewsAfter(deps.db.read, Math.min(...toTell.map(({ upTo }) => upTo)))
  for (const watches of Map.groupBy(toTell, watcherOf).values()) {
    try {
      await tellOne(deps, watches, { news, number, gone, published })
    } catch (error) {
      if (!(error instanceof Overtaken)) deps.report(error)
    }
  }
}

function watcherOf({ id, workspaceId, personId, url }: Watch): string {
  return url === undefined ? `${workspaceId} ${personId}` : id
}

/** By watch the slugs that it names and that the catalog no longer has, or has under another slug. */
type Gone = ReadonlyMap<Watch, ReadonlyArray<{ slug: string; to: string | undefined }>>

function goneOf(watches: readonly Watch[], { has, current }: PublishedNews): Gone {
  const all = watches.map((watch) => {
    const missing = slugsOf(watch).filter((slug) => !has(slug))
    return [watch, missing.map((slug) => ({ slug, to: renamed(slug, has, current) }))] as const
  })
  return new Map(all.filter(([, missing]) => missing.length > 0))
}

function renamed(slug: string, has: PublishedNews['has'], current: PublishedNews['current']) {
  const now = current(slug)
  return now !== slug && has(now) ? now : undefined
}

type Round = {
  news: readonly NoticedNews[]
  number: number
  gone: Gone
  published: PublishedNews
}

async function tellOne(deps: TellDeps, watches: readonly Watch[], round: Round): Promise<void> {
  const [first] = watches
  if (!first) return
  const { policy } = await deps.policies.of(first.workspaceId)
  const isPerson = first.url === undefined
  if (isPerson && isQuiet(policy.quietHours, deps.clock.now())) return
  const missing = watches.flatMap((watch) => goneFor(round.gone, watch))
  const gone = [...new Set(missing.flatMap(({ slug, to }) => (to === undefined ? slug : [])))]
  const items = round.news.filter(({ number, item }) =>
    watches.some((watch) => number > watch.upTo && concerns(watch, item)),
  )
  const move = async (tx: Tx) => {
    const moved = await advance(tx, watches, round.number)
    if (moved.length < watches.length) throw new Overtaken()
    for (const watch of watches) await withoutGone(tx, watch, goneFor(round.gone, watch))
  }
  if (items.length === 0 && gone.length === 0) return await deps.db.write(move)
  if (isPerson) return await tellPerson(deps, first, { items, gone }, move)
  return await tellProgram(deps, first, { items, gone }, move)
}

function goneFor(gone: Gone, { id }: Watch) {
  return [...gone].flatMap(([watch, missing]) => (watch.id === id ? missing : []))
}

/** A watch follows a renamed record, and ends with the last one that is gone. */
async function withoutGone(
  tx: Tx,
  watch: Watch,
  missing: ReadonlyArray<{ slug: string; to: string | undefined }>,
): Promise<void> {
  if (missing.length === 0) return
  const to = new Map(missing.map((one) => [one.slug, one.to]))
  const left = slugsOf(watch).flatMap((slug) => (to.has(slug) ? (to.get(slug) ?? []) : [slug]))
  const [target] = left
  if (target === undefined) await deleteWatch(tx, watch.id as WatchId)
  else
    await putWatch(
      tx,
      watch.id,
      watch.kind === 'tool' ? { target } : { records: [...new Set(left)] },
    )
}

async function tellPerson(
  deps: TellDeps,
  { workspaceId, personId = '' }: Watch,
  toTell: ToTell,
  move: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { baseUrl, quickAnswerSecret } = deps
  const whose = { workspaceId, personId: personId as PersonId }
  const stop = stopPath(quickAnswerSecret, whose)
  const token = await watchToken(deps, whose)
  const caller = {
    ...{ tokenId: token.id, tokenName: token.name, workspaceId, test: false },
    ...{ client: undefined, testConnection: false, arrivedAt: deps.clock.now() },
  }
  const { signal } = new AbortController()
  const message = watchMessage(toTell, { baseUrl, stop })
  await sendNotification(
    deps,
    message,
    { caller, talk() {}, signal },
    { opensUrl: true, only: whose.personId, stop, together: move },
  )
}

async function tellProgram(
  { db, clock, baseUrl }: TellDeps,
  watch: Watch,
  { items, gone }: ToTell,
  move: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { url, tokenId } = watch
  if (url === undefined) return
  const now = clock.now()
  const id = newId('wp', now)
  const news = items.map(({ item }) => shownNews(item, baseUrl))
  const post = postOf({ ...watch, url }, { news, gone }, id, now)
  await db.write(async (tx) => {
    const token = tokenId && (await findToken(tx, tokenId))
    await move(tx)
    if (!token || token.revokedAt !== null) return void (await deleteWatch(tx, watch.id))
    await insertPost(tx, post)
    tx.emit('watchPost', id)
  })
}
