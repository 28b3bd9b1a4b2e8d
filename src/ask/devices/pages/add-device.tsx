/** @jsxImportSource preact */

import type { Db } from '../../../platform/db/database.ts'
import { Icon } from '../../../platform/web/icon.tsx'
import { html } from '../../../platform/web/respond.ts'
import { Layout } from '../../pages/layout.tsx'
import { paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import type { ConnectForm, DeviceChannel, TypedForm } from '../../subscribers/model/connect.ts'
import { listOwnSubscribers } from '../../subscribers/model/page-store.ts'
import { InstallGuide, platformOf } from './install-guide.tsx'
import { ThisBrowser } from './this-device.tsx'

type Deps = { db: Db; channels: readonly DeviceChannel[]; vapidPublicKey: string }

/** What a person typed into the form of a channel, with its errors. */
export type Typed = TypedForm & { form: ConnectForm }

/** The forms with which devices of the channels are connected. */
export function formsOf(channels: readonly DeviceChannel[]): ConnectForm[] {
  return channels.flatMap(({ connect }) => connect?.form ?? [])
}

/** `/settings/devices/add`: every way to be reached; one form at a time is open. */
export async function showAddDevice(deps: Deps, visit: SignedIn, typed?: Typed): Promise<Response> {
  const { channels, vapidPublicKey } = deps
  const { id: personId, workspaceId } = visit.person
  const own = await listOwnSubscribers(deps.db.read, { workspaceId, personId })
  return html(
    <Layout
      visit={visit}
      title="Add a device"
      section="settings"
      back={{ to: paths.devices, name: 'Back to the devices' }}
      scripts={['push.js']}
    >
      <div class="page-head">
        <h1>Add a device</h1>
      </div>
      <ThisBrowser vapidPublicKey={vapidPublicKey} />
      {own.map(({ id }) => (
        // By these `push.js` knows that this browser is connected.
        <span id={`device-${id}`} hidden />
      ))}
      <section class="this-browser">
        <Icon name="phone" />
        <div>
          <b>A phone</b>
          <p class="soft">Its camera reads a code that signs it in.</p>
        </div>
        <form method="post" action={paths.beginPairing}>
          <button type="submit">Connect a phone</button>
        </form>
      </section>
      {formsOf(channels).map((form) => (
        <Way form={form} typed={typed?.form === form ? typed : undefined} visit={visit} />
      ))}
      {channels.map(({ ownPage }) => ownPage && <OwnPage {...ownPage} />)}
      <InstallGuide platform={platformOf(visit.request)} />
    </Layout>,
    typed ? 422 : 200,
  )
}

type WayProps = { form: ConnectForm; typed: Typed | undefined; visit: SignedIn }

function Way({ form, typed, visit }: WayProps) {
  return (
    <details class="more-fields new" id={form.id} name="way" open={typed !== undefined}>
      <summary>
        <Icon name="chevron" />
        {form.title}
      </summary>
      <form.Form typed={typed} person={visit.person} />
    </details>
  )
}

/** Leads to the page of a channel whose devices are not connected here. */
function OwnPage({ to, name, what }: NonNullable<DeviceChannel['ownPage']>) {
  return (
    <p class="own-page">
      <a href={to}>{name}</a>
      <span class="soft">{what}</span>
    </p>
  )
}
