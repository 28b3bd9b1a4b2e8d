/** @jsxImportSource preact */
import { Icon } from '../../../platform/web/icon.tsx'
import { html } from '../../../platform/web/respond.ts'
import { Layout } from '../../pages/layout.tsx'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { InstallGuide, platformOf } from './install-guide.tsx'
import { ThisBrowser } from './this-browser.tsx'

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
