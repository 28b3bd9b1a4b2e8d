/** @jsxImportSource preact */

import { Failure } from '../../../platform/failure.ts'
import { shape } from '../../../platform/schema.ts'
import { Problem, readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { Empty, Pager, pagesOf } from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { may } from '../../accounts/model/person.ts'
import { listPeople } from '../../accounts/model/person-store.ts'
import { listAlarms } from '../../delivery/model/store.ts'
import { Layout } from '../../pages/layout.tsx'
import { paths } from '../../pages/paths.ts'
import { readDraft } from '../../pages/read-fields.ts'
import type { SignedIn } from '../../pages/visit.ts'
import type { Authentication } from '../../sign-in/authentication.ts'
import type { ConnectForm } from '../../subscribers/model/connect.ts'
import {
  countSubscribers,
  listSubscriberPage,
  placeOfSubscriber,
} from '../../subscribers/model/page-store.ts'
import { type SubscribeInput, subscribeInput } from '../../subscribers/model/subscribe-fields.ts'
import { failsNow, type Subscriber, type SubscriberId } from '../../subscribers/model/subscriber.ts'
import {
  readTargetChanges,
  TARGET_FIELDS,
  wrongTargets,
} from '../../subscribers/pages/target-fields.tsx'
import { type Ailing, ailingDevices } from '../ailing-devices.ts'
import { changeDevice } from '../change-device.ts'
import { ownDevice } from '../devices.ts'
import { lostDevices } from '../lost-devices.ts'
import { sendTestPush, type TestPush, type TestPushDeps } from '../send-test-push.ts'
import { type SubscribeDeps, subscribe } from '../subscribe.ts'
import { showAddDevice } from './add-device.tsx'
import { sentenceOf } from './ailing.tsx'
import { DeviceCard, type Edited } from './device-card.tsx'
import { LostDevices } from './lost-devices.tsx'
import { Removed, readDeviceSignIns } from './remove-device.tsx'
import { ThisBrowser } from './this-device.tsx'

type Deps = SubscribeDeps &
  TestPushDeps & { authentication: Pick<Authentication, 'signInFrom'>; vapidPublicKey: string }

// Each row has its own form, so more would make the page too heavy for a slow connection.
const ROWS = 20

type Tested = { id: string; result: TestPush }

/** `/settings/devices`: the connected devices. */
export function showDevices(deps: Deps, visit: SignedIn): Promise<Response> {
  return devicesPage(deps, visit)
}

/** Sends a test push to one device and shows what its push service answered. */
export async function testDevice(deps: Deps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  const id = visit.params.id as SubscriberId
  const result = await sendTestPush(deps, visit.person, id)
  return devicesPage(deps, visit, { tested: { id, result } })
}

/** Changes a device's name and what it is targeted by; errors are shown beside their fields. */
export async function editDevice(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const id = visit.params.id as SubscriberId
  try {
    await changeDevice(deps, visit.person, id, readTargetChanges(form))
    return seeOther(`${paths.devices}?at=${id}#device-${id}`)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid_input') throw error
    // Nobody sees a form for another person's device.
    await ownDevice(deps, visit.person, id)
    const wrong = wrongTargets(error.fields)
    return devicesPage(deps, visit, {
      edited: { id, draft: readDraft(form, TARGET_FIELDS), wrong },
    })
  }
}

/** Connects a device with the form of its channel; errors are shown beside the form. */
export async function connectDevice(
  deps: Deps,
  visit: SignedIn,
  form: ConnectForm,
): Promise<Response> {
  const fields = await readForm(visit.request)
  const { workspaceId, id: personId, email } = visit.person
  const by = { workspaceId, personId, email, userAgent: undefined }
  try {
    const input = shape(subscribeInput(deps.channels)).parse(form.read(fields)) as SubscribeInput
    const { device } = await subscribe(deps, input, by)
    return seeOther(`${paths.devices}?at=${device.id}#device-${device.id}`)
  } catch (error) {
    return showAddDevice(deps, visit, { form, ...form.typed(fields, error) })
  }
}

type State = { tested?: Tested; edited?: Edited & { id: SubscriberId } }

async function devicesPage(deps: Deps, visit: SignedIn, state: State = {}): Promise<Response> {
  const { tested, edited } = state
  const chosen = (tested?.id ??
    edited?.id ??
    visit.url.searchParams.get('at') ??
    '') as SubscriberId
  const { devices, total, at, place } = await readPart(deps, visit, chosen)
  const alarms = await listAlarms(deps.db.read)
  const acts = may(visit.person, 'act')
  return html(
    <Layout
      visit={visit}
      title="Devices"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
      scripts={['push.js']}
    >
      <div class="page-head">
        <h1>Devices</h1>
        <p class="sub">Each of them rings when an agent asks, unless the agent names one.</p>
      </div>
      <Removed said={visit.url.searchParams} />
      {acts && <AddDevice />}
      {acts && <ThisBrowser vapidPublicKey={deps.vapidPublicKey} />}
      {alarms.map(({ text }) => (
        <Problem>{text}</Problem>
      ))}
      <LostDevices lost={await lostDevices(deps, visit.person)} moment={visit.moment} />
      {tested && place === undefined && <Problem>{tested.result.said}</Problem>}
      <ul class="things" id="devices">
        {devices.map((row) => (
          <DeviceCard
            {...row}
            moment={visit.moment}
            chosen={row.device.id === chosen}
            tested={tested?.id === row.device.id ? tested.result : undefined}
            edited={edited?.id === row.device.id ? edited : undefined}
          />
        ))}
      </ul>
      <Pager at={at} path={paths.devices} />
      {total === 0 && (
        <div id="no-devices">
          <Empty icon="bell" title="Nothing rings yet">
            {acts && 'Connect this browser, or a phone by its camera.'}
          </Empty>
        </div>
      )}
    </Layout>,
    edited ? 422 : 200,
  )
}

/** Reads the part of the list that has `chosen`, those that fail first. */
async function readPart(deps: Deps, visit: SignedIn, chosen: SubscriberId) {
  const { read } = deps.db
  const { person } = visit
  const { workspaceId } = person
  const place = await placeOfSubscriber(read, workspaceId, chosen)
  const total = await countSubscribers(read, workspaceId)
  const at = pagesOf(total, ROWS, visit.url, place)
  const page = await listSubscriberPage(read, workspaceId, { offset: at.offset, limit: ROWS })
  const [signIns, ailing, people] = await Promise.all([
    readDeviceSignIns(deps, page, visit),
    ailingDevices(deps, person),
    listPeople(read, workspaceId),
  ])
  const devices = page.map((device) => ({
    device,
    signIn: signIns.get(device.id) ?? ('none' as const),
    isOwn: device.personId === person.id,
    owner:
      device.personId === person.id
        ? undefined
        : people.find(({ id }) => id === device.personId)?.name,
    mine: may(person, 'devices', device.personId),
    fault: faultOf(device, ailing),
  }))
  const sorted = devices.toSorted((a, b) => Number(!a.fault) - Number(!b.fault))
  return { devices: sorted, total, at, place }
}

/** Why the next question would not ring there; undefined as far as it would. */
function faultOf(device: Subscriber, ailing: readonly Ailing[]): string | undefined {
  const { id, label, silentWhy, lastError } = device
  const ailment = ailing.find((one) => one.id === id)
  if (ailment) return sentenceOf(ailment)
  if (silentWhy) return sentenceOf({ id, label, why: silentWhy, said: undefined })
  return failsNow(device) ? (lastError ?? 'The last message was refused.') : undefined
}

function AddDevice() {
  return (
    <div class="adding">
      <form method="post" action={paths.beginPairing}>
        <button type="submit" class="primary">
          <Icon name="phone" />
          Connect a phone
        </button>
      </form>
      <a class="button" href={paths.addDevice}>
        <Icon name="plus" />
        Add another way
      </a>
    </div>
  )
}
