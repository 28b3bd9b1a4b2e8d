/** @jsxImportSource preact */

import { Failure } from '../../../platform/failure.ts'
import { type Draft, readForm, type Wrong } from '../../../platform/web/form.tsx'
import { Empty } from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { Layout } from '../../pages/layout.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { paths } from '../../pages/paths.ts'
import { readDraft } from '../../pages/read-fields.ts'
import { Ago } from '../../pages/time.tsx'
import type { SignedIn } from '../../pages/visit.ts'
import { putOneWatch, removeWatch, resumeAll, type WatchDeps } from '../change-watches.ts'
import { readNewsAfter } from '../model/news-store.ts'
import { listWatches, type Watcher } from '../model/store.ts'
import {
  concerns,
  USUAL_NEWS,
  WATCH_KINDS,
  WATCHED_NEWS,
  WATCHED_NEWS_NAMES,
  type Watch,
  type WatchedNews,
  type WatchKind,
} from '../model/watch.ts'
import { watchHref, watchPaths } from '../paths.ts'
import { shownNews } from '../watch-message.ts'
import { AddWatch, type Choices } from './add-watch.tsx'

export type PageDeps = WatchDeps & { baseUrl: string }

const FINE: Wrong = new Map()
const NEWS_MAX = 30

function own({ person }: SignedIn): Extract<Watcher, { personId: string }> {
  return { workspaceId: person.workspaceId, personId: person.id }
}

/** `/settings/watches`: what the person watches in the catalog, and what was new in it. */
export function showWatches(deps: PageDeps, visit: SignedIn): Promise<Response> {
  const { searchParams } = visit.url
  const kind = WATCH_KINDS.find((one) => searchParams.has(one))
  const draft = kind ? { kind, target: searchParams.get(kind) ?? '' } : {}
  return watchesPage(deps, visit, { draft, news: USUAL_NEWS }, FINE)
}

/** Adds a watch, or changes what the watch of the same thing tells. */
export async function submitWatch(deps: PageDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const draft = readDraft(form, ['kind', 'target'])
  const news = WATCHED_NEWS_NAMES.filter((name) => form.getAll('news').includes(name))
  try {
    if (news.length === 0) throw new Failure('invalid_input', 'Choose at least one sort of news.')
    const kind = WATCH_KINDS.find((one) => one === draft.kind && one !== 'list') ?? 'tool'
    await putOneWatch(deps, own(visit), { kind, target: draft.target ?? '', news })
    return seeOther(watchPaths.watches)
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    const [wrong] = error.fields ?? []
    const sentence = wrong ? `It ${wrong.must}.` : error.message
    const field = news.length === 0 ? 'news' : 'target'
    return watchesPage(deps, visit, { draft, news }, new Map([[field, sentence]]), error.status)
  }
}

export async function submitRemove(deps: PageDeps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  await removeWatch(deps, [own(visit)], visit.params.id ?? '')
  return seeOther(watchPaths.watches)
}

export async function submitResume(deps: PageDeps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  await resumeAll(deps, own(visit))
  return seeOther(watchPaths.watches)
}

type Input = { draft: Draft; news: readonly WatchedNews[] }

async function watchesPage(
  deps: PageDeps,
  visit: SignedIn,
  input: Input,
  wrong: Wrong,
  status = 200,
): Promise<Response> {
  const { read } = deps.db
  const watches = await listWatches(read, own(visit))
  const published = await deps.published()
  const noticed = watches.length > 0 ? await readNewsAfter(read, 0) : []
  const news = noticed
    .filter(({ item }) => watches.some((watch) => concerns(watch, item)))
    .toSorted((a, b) => Date.parse(b.item.at) - Date.parse(a.item.at))
  const choices: Choices = {
    categories: published?.categories ?? [],
    capabilities: published?.capabilities ?? [],
  }
  return html(
    <Layout
      visit={visit}
      title="Watches"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Watches</h1>
        <p class="sub">You are told when tools that you use end, break or change.</p>
      </div>
      {watches.some(({ stoppedAt }) => stoppedAt !== undefined) && <Resume />}
      {published && <AddWatch {...input} choices={choices} wrong={wrong} />}
      {watches.length === 0 ? (
        <Empty icon="bell" title="No watches yet">
          {published
            ? 'Open a tool in the catalog and choose Watch, or add one here.'
            : 'This server shows no catalog of tools yet.'}
        </Empty>
      ) : (
        <ul class="things">
          {watches.map((watch) => (
            <WatchCard watch={watch} />
          ))}
        </ul>
      )}
      {watches.length > 0 && (
        <section id="news" class="part">
          <h2>What was new</h2>
          {news.length === 0 && <p class="soft">Nothing in the last two months.</p>}
          <ul class="things">
            {news.slice(0, NEWS_MAX).map(({ item }) => (
              <li class="thing">
                <div>
                  <p class="thing-name">
                    <a href={new URL(shownNews(item, deps.baseUrl).url).pathname}>
                      <SafeText text={item.title} />
                    </a>
                  </p>
                  <p class="soft">
                    <Ago at={Date.parse(item.at)} moment={visit.moment} />
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Layout>,
    status,
  )
}

function Resume() {
  return (
    <form method="post" action={watchPaths.resume} class="problem">
      <p>Messages are stopped. What came meanwhile is below.</p>
      <button type="submit" class="small">
        Go on
      </button>
    </form>
  )
}

const KIND_WORDS: Record<WatchKind, string> = {
  tool: 'Tool',
  category: 'Category',
  capability: 'Capability',
  list: 'List',
}

function addressOf({ kind, target }: Watch): string | undefined {
  if (kind === 'tool') return `/tools/${encodeURIComponent(target)}`
  if (kind === 'category') return `/tools?category=${encodeURIComponent(target)}`
  return undefined
}

function WatchCard({ watch }: { watch: Watch }) {
  const { id, kind, target, records, news, stoppedAt } = watch
  const address = addressOf(watch)
  const words = news.map((name) => WATCHED_NEWS[name].split(':')[0]).join(', ')
  return (
    <li class="thing" id={id}>
      <div>
        <p class="thing-name">
          {address ? (
            <a href={address}>
              <SafeText text={target} />
            </a>
          ) : (
            <SafeText text={target} />
          )}
        </p>
        <p class="soft">
          {KIND_WORDS[kind]}
          {kind === 'list' && ` of ${records.length} tools`} · {words}
          {stoppedAt !== undefined && ' · stopped'}
        </p>
        {kind === 'list' && (
          <details>
            <summary>Its tools</summary>
            <p>
              <SafeText text={records.join(', ')} />
            </p>
          </details>
        )}
      </div>
      <div class="thing-do">
        <form method="post" action={watchHref.remove(id)}>
          <button type="submit" class="small">
            Remove<span class="unseen"> {target}</span>
          </button>
        </form>
      </div>
    </li>
  )
}
