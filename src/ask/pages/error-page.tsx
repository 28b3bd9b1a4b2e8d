/** @jsxImportSource preact */

import { Failure } from '../../platform/failure.ts'
import { html, untilLater } from '../../platform/web/respond.ts'
import { Layout } from './layout.tsx'
import { paths } from './paths.ts'
import type { Visit } from './visit.ts'

const HEADINGS: Partial<Record<Failure['code'], string>> = {
  not_found: 'There is nothing here',
  gone: 'This link is used up',
  forbidden: 'That is not allowed',
  unavailable: 'Not available just now',
  rate_limited: 'Too many tries',
  too_large: 'That is too much',
  internal: 'Something broke here',
}

/** A failure as a page that says what happened, what it means, what to do. */
export function showFailure(failure: Failure, visit: Visit): Response {
  const heading = HEADINGS[failure.code] ?? 'That did not work'
  const page = html(
    <Layout visit={visit} title={heading}>
      <div class="lonely">
        <p class="number">{failure.status}</p>
        <h1>{heading}</h1>
        <p>{failure.message}</p>
        <p>
          <a class="button" href={visit.person ? paths.inbox : paths.home}>
            {visit.person ? 'Go to the inbox' : 'Go to the start'}
          </a>
        </p>
      </div>
    </Layout>,
    failure.status,
  )
  return untilLater(page, failure)
}

/** For an address without a page. */
export function notFound(): Failure {
  return new Failure(
    'not_found',
    'There is no page at this address: it may be mistyped, or the page was removed.',
  )
}

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
