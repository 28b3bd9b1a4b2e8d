/** @jsxImportSource preact */

import { html } from '../../platform/web/respond.ts'
import { Layout } from './layout.tsx'
import { paths } from './paths.ts'
import type { Visit } from './visit.ts'

/** The page that the service worker shows when the server cannot be reached. */
export function showOffline(_deps: unknown, visit: Visit): Response {
  const stranger: Visit = { ...visit, person: undefined, open: 0 }
  return html(
    <Layout visit={stranger} title="Offline" kind="alone">
      <div class="lonely">
        <h1>You are offline</h1>
        <p>
          Your server cannot be reached from here, so questions cannot be shown and answers would
          not arrive. Agents keep waiting until their time is up.
        </p>
        <p>
          <a class="button" href={paths.inbox}>
            Try again
          </a>
        </p>
      </div>
    </Layout>,
  )
}
