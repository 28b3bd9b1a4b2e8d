/** @jsxImportSource preact */
import type { Db } from '../../../platform/db/database.ts'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { type SiteName, siteOf } from '../../../platform/web/site-name.ts'
import { notificationPath } from '../../delivery/model/links.ts'
import { notFound } from '../../pages/error-page.tsx'
import { Layout } from '../../pages/layout.tsx'
import { ownPath } from '../../pages/paths.ts'
import type { Visit } from '../../pages/visit.ts'
import { readLeavingAddress } from '../read-notification.ts'

type Deps = { db: Db; baseUrl: string }

/**
 * `/n/ID/go`: shows where a notification's link leads before it is opened. Only recipients of the
 * notification have its id, so no sign-in is needed, and nothing but the address is shown.
 */
export async function showLeaving(deps: Deps, visit: Visit): Promise<Response> {
  const id = visit.params.id ?? ''
  const target = await readLeavingAddress(deps, id)
  if (!target) throw notFound()
  const site = target.url === undefined ? undefined : siteOf(target.url)
  if (!site) return seeOther(notificationPath(target.id))
  const here = new URL(deps.baseUrl)
  const there = new URL(site.address)
  if (there.origin === here.origin) {
    return seeOther(ownPath(there.pathname + there.search + there.hash))
  }
  const response = leavingPage(visit, site, notificationPath(target.id))
  response.headers.set('referrer-policy', 'no-referrer')
  response.headers.set('x-robots-tag', 'noindex, nofollow')
  return response
}

function leavingPage(visit: Visit, site: SiteName, back: string): Response {
  const { host, written, mixed, disguised, address } = site
  const isIn = visit.person !== undefined
  return html(
    <Layout
      visit={isIn ? visit : { ...visit, plain: true }}
      title={`A link to ${host}`}
      {...(isIn
        ? { section: 'activity', back: { to: back, name: 'Back to the notification' } }
        : { kind: 'alone' })}
    >
      <div class="leaving">
        <h1>This link leads to another site</h1>
        <p class="host">
          <Icon name="link" />
          <b>{host}</b>
        </p>
        {written && (
          <p class="soft">
            In its own script ({written.scripts.join(', ')}): <bdi>{written.text}</bdi>
          </p>
        )}
        {mixed && (
          <p class="warn">
            <Icon name="warning" />
            <span>The name mixes alphabets, as names that imitate another site do.</span>
          </p>
        )}
        {disguised && (
          <p class="warn">
            <Icon name="warning" />
            <span>What comes before the @ is not the site; {host} is.</span>
          </p>
        )}
        <p class="soft">An agent sent it. The whole address:</p>
        <p>
          <code>{address}</code>
        </p>
        <p>
          <a class="button primary" href={address} rel="noreferrer noopener nofollow">
            Go on to {host}
          </a>
        </p>
        {isIn && (
          <p>
            <a href={back}>Look at the notification</a>
          </p>
        )}
      </div>
    </Layout>,
  )
}
