/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { html } from '../../../platform/web/respond.ts'
import { Layout } from '../../pages/layout.tsx'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { InstallGuide, platformOf } from './install-guide.tsx'

type Deps = { vapidPublicKey: string }

/** `/settings/devices/this`: the remaining steps on a phone that was just signed in. */
export function showThisDevice(deps: Deps, visit: SignedIn): Response {
  return thisDevicePage(deps, visit)
}

/** With `code`, the app that is installed from here starts at that pairing link. */
export function thisDevicePage(deps: Deps, visit: SignedIn, code?: string): Response {
  const platform = platformOf(visit.request)
  const install = <InstallGuide platform={platform} {...(code && { paired: true })} />
  return html(
    <Layout
      visit={visit}
      title="This device"
      section="settings"
      back={{ to: paths.devices, name: 'All devices' }}
      scripts={['push.js']}
      {...(code === undefined ? {} : { manifest: href.manifestOf(code) })}
    >
      <div class="page-head">
        <h1>
          <span class="good signed-in">
            <Icon name="check" />
          </span>
          You are signed in
        </h1>
        <p class="sub">As {visit.person.name}. Now let questions ring here.</p>
      </div>
      {platform === 'ios' && install}
      <ThisBrowser
        vapidPublicKey={deps.vapidPublicKey}
        name="Ring on this device"
        icon={platform === 'ios' || platform === 'android' ? 'phone' : 'browser'}
      />
      {platform !== 'ios' && install}
      <p class="more">
        <a href={paths.inbox}>Go to the inbox</a>
      </p>
    </Layout>,
  )
}

type Props = { vapidPublicKey: string; name?: string; icon?: 'browser' | 'phone' }

/**
 * The words about this browser. `push.js` replaces them; they are shown if it does not run: at once
 * without scripts, otherwise after some seconds.
 */
export function PushState() {
  return (
    <p class="soft" data-push-state role="status">
      Connecting needs scripts, which are off or do not run in this browser.
    </p>
  )
}

/** Filled in by `push.js`: whether this browser is connected, can be, or why not. */
export function ThisBrowser({ vapidPublicKey, name = 'This browser', icon = 'browser' }: Props) {
  return (
    <section class="this-browser" id="this-browser" data-vapid-key={vapidPublicKey}>
      <Icon name={icon} />
      <div>
        <b>{name}</b>
        <PushState />
      </div>
      <button type="button" class="primary" data-push-connect hidden>
        Connect
      </button>
    </section>
  )
}
