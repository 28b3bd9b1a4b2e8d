/** @jsxImportSource preact */

import { html, seeOther } from '../../../platform/web/respond.ts'
import { notFound } from '../../pages/error-page.tsx'
import { Layout } from '../../pages/layout.tsx'
import type { PageCall } from '../../pages/page.ts'
import type { Visit } from '../../pages/visit.ts'
import { stopAll, type WatchDeps } from '../change-watches.ts'
import { listWatches } from '../model/store.ts'
import { watchPaths } from '../paths.ts'
import { readStopToken } from '../stop-link.ts'

export type StopDeps = Pick<WatchDeps, 'db' | 'clock'> & { quickAnswerSecret: string }

/** The page of the link in a message: it asks first, because programs open links as well. */
export async function showStop(deps: StopDeps, visit: Visit): Promise<Response> {
  const token = visit.params.token ?? ''
  const whose = readStopToken(deps.quickAnswerSecret, token)
  if (!whose) throw notFound()
  const going = (await listWatches(deps.db.read, whose)).filter((one) => !one.stoppedAt)
  return html(
    <Layout visit={visit} title="Stop messages of watches" kind="alone">
      <div class="page-head">
        <h1>{going.length > 0 ? 'Stop messages of your watches?' : 'Your watches are stopped'}</h1>
        <p class="sub">
          {going.length > 0
            ? 'You are told nothing more of the catalog. The watches stay, and can go on later.'
            : 'You are told nothing of the catalog.'}
        </p>
      </div>
      {going.length > 0 && (
        <form method="post" action={visit.url.pathname}>
          <button type="submit" class="primary">
            Stop
          </button>
        </form>
      )}
      <p class="part">
        <a href={watchPaths.watches}>Change single watches</a>
      </p>
    </Layout>,
  )
}

/** Stops them. The token in the address is the only thing that counts. */
export async function submitStop(deps: StopDeps, { params, request }: PageCall) {
  const whose = readStopToken(deps.quickAnswerSecret, params.token ?? '')
  if (!whose) throw notFound()
  await stopAll(deps, whose)
  return seeOther(new URL(request.url).pathname)
}
