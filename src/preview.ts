import { openApi } from './ask/rest/openapi.ts'
import { catalogOpenApi } from './catalog/openapi/description.ts'
import { createPreview, ENTRY, type FolderState } from './catalog/preview.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { onPort, type PreviewConfig } from './platform/config/config.ts'
import type { Listener } from './platform/http/listener.ts'
import type { Log } from './platform/log.ts'

export type PreviewOptions = {
  log: Log
  folder: string
  looked(found: FolderState): void
  listener: Listener
  clock?: Clock
}

// Nobody has anything to lose here but the rest of a page.
const GRACE_MS = 500

/** Shows a folder as it is, at `listener`, which it owns from now on; no data folder is opened. */
export async function startPreview(given: PreviewConfig, options: PreviewOptions) {
  const { log, folder, looked, listener, clock = systemClock } = options
  const { baseUrl } = onPort(given, listener.port)
  const preview = await createPreview({ folder, clock, log, baseUrl, looked })
  const description = openApi([], baseUrl, catalogOpenApi())
  listener.answerWith(
    (request) => preview.answer(request) ?? besides(new URL(request.url).pathname, description),
  )
  return {
    url: listener.url,
    baseUrl,
    async stop() {
      await preview[Symbol.asyncDispose]()
      await listener.stop(GRACE_MS)
    },
  }
}

/** What pages of the catalog lead to, and another part of a whole server has. */
function besides(path: string, description: object): Response {
  if (path === '/') return new Response(null, { status: 302, headers: { location: ENTRY } })
  if (path === '/openapi.json') return Response.json(description)
  if (path === '/favicon.ico') return new Response(null, { status: 204 })
  const text = `Nothing is here: a preview has the pages and feeds of a catalog alone. See ${ENTRY}\n`
  return new Response(text, { status: 404, headers: { 'content-type': 'text/plain' } })
}
