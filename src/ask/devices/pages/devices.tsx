/** @jsxImportSource preact */

import { Failure } from '../../../platform/failure.ts'
import { shape } from '../../../platform/schema.ts'
import {
  type Draft,
  FormField,
  Problem,
  readForm,
  type Wrong,
} from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { Empty, Pager, pagesOf } from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { may } from '../../accounts/model/person.ts'
import { listAlarms } from '../../delivery/model/store.ts'
import { Layout } from '../../pages/layout.tsx'
import { href, paths } from '../../pages/paths.ts'
import { readDraft } from '../../pages/read-fields.ts'
import { Ago } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import type { Authentication } from '../../sign-in/authentication.ts'
import type { ConnectForm, DeviceChannel, TypedForm } from '../../subscribers/model/connect.ts'
import {
  countSubscribers,
  listSubscriberPage,
  placeOfSubscriber,
} from '../../subscribers/model/page-store.ts'
import { type SubscribeInput, subscribeInput } from '../../subscribers/model/subscribe-fields.ts'
import {
  LABEL_MAX,
  type Subscriber,
  type SubscriberId,
} from '../../subscribers/model/subscriber.ts'
import {
  readTargetChanges,
  TARGET_FIELDS,
  TargetFields,
  Targets,
  targetDraft,
  wrongTargets,
} from '../../subscribers/pages/target-fields.tsx'
import { changeDevice } from '../change-device.ts'
import { ownDevice } from '../devices.ts'
import { sendTestPush, type TestPush, type TestPushDeps } from '../send-test-push.ts'
import { type SubscribeDeps, subscribe } from '../subscribe.ts'
import { readAiling } from './ailing.tsx'
import { InstallGuide, platformOf } from './install-guide.tsx'
import { type DeviceSignIn, RemoveDevice, Removed, readDeviceSignIns } from './remove-device.tsx'
import { ThisBrowser } from './this-device.tsx'

type Deps = SubscribeDeps &
  TestPushDeps & { authentication: Pick<Authentication, 'signInFrom'>; vapidPublicKey: string }

// Each row has its own form, so more would make the page too heavy for a slow connection.
const ROWS = 22

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
    return devicesPage(deps, visit, { typed: { form, ...form.typed(fields, error) } })
  }
}

type State = {
  tested?: Tested
  typed?: TypedForm & { form: ConnectForm }
  edited?: Edited & { id: SubscriberId }
}

/** The connect forms on the devices page. */
export function formsOf(channels: readonly DeviceChannel[]): ConnectForm[] {
  return channels.flatMap(({ connect }) => connect?.form ?? [])
}

async function devicesPage(deps: Deps, visit: SignedIn, state: State = {}): Promise<Response> {
  const { tested, typed, edited } = state
  const { read } = deps.db
  const { workspaceId } = visit.person
  const alarms = await listAlarms(read)
  const deviceId = (tested?.id ??
    edited?.id ??
    visit.url.searchParams.get('at') ??
    '') as SubscriberId
  const place = await placeOfSubscriber(read, workspaceId, deviceId)
  const total = await countSubscribers(read, workspaceId)
  const at = pagesOf(total, ROWS, visit.url, place)
  const devices = await listSubscriberPage(read, workspaceId, { offset: at.offset, limit: ROWS })
  const signIns = await readDeviceSignIns(deps, devices, visit)
  const isRemoved = tested && place === undefined
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
      {await readAiling(deps, visit)}
      <Removed said={visit.url.searchParams} />
      <ThisBrowser vapidPublicKey={deps.vapidPublicKey} />
      <form class="connect-phone" method="post" action={paths.beginPairing}>
        <button type="submit">
          <Icon name="phone" />
          Connect a phone
        </button>
      </form>
      {alarms.map(({ text }) => (
        <Problem>{text}</Problem>
      ))}
      {isRemoved && <Problem>{tested.result.said}</Problem>}
      <ul class="things" id="devices">
        {devices.map((device) => (
          <DeviceCard
            device={device}
            moment={visit.moment}
            signIn={signIns.get(device.id) ?? 'none'}
            isOwn={device.personId === visit.person.id}
            mine={may(visit.person, 'devices', device.personId)}
            tested={tested?.id === device.id ? tested.result : undefined}
            edited={edited?.id === device.id ? edited : undefined}
          />
        ))}
      </ul>
      <Pager at={at} path={paths.devices} />
      {total === 0 && (
        <div id="no-devices">
          <Empty icon="bell" title="Nothing rings yet">
            Connect this browser, or a phone by its camera.
          </Empty>
        </div>
      )}
      <InstallGuide platform={platformOf(visit.request)} />
      {formsOf(deps.channels).map((form) => (
        <form.Form typed={typed?.form === form ? typed : undefined} person={visit.person} />
      ))}
      {deps.channels.map(({ ownPage }) => ownPage && <OwnPage {...ownPage} />)}
    </Layout>,
    typed || edited ? 422 : 200,
  )
}

/** Leads to the page of a channel whose devices are not connected here. */
function OwnPage({ to, name, what }: NonNullable<DeviceChannel['ownPage']>) {
  return (
    <section class="part new">
      <h2>{name}</h2>
      <p class="soft">{what}</p>
      <p>
        <a class="button" href={to}>
          {name}
        </a>
      </p>
    </section>
  )
}

type CardProps = {
  device: Subscriber
  moment: Moment
  signIn: DeviceSignIn
  /** True if the device belongs to the person who views the page. */
  isOwn: boolean
  /** True if that person may test, change and remove the device. */
  mine: boolean
  tested: TestPush | undefined
  edited: Edited | undefined
}

function DeviceCard({ device, moment, signIn, isOwn, mine, tested, edited }: CardProps) {
  const { id, kind, label, tags, externalId } = device
  const card = `device-${id}`
  return (
    <li class="thing" id={card} data-move>
      <Icon name={kind} />
      <div>
        <p class="thing-name">
          <b>{label}</b>
        </p>
        <Targets tags={tags} externalId={externalId} />
        <DeviceFacts device={device} moment={moment} tested={tested} />
        {!mine && (
          <p class="soft">
            It belongs to somebody else: only they or an owner can test, change and remove it.
          </p>
        )}
        {tested && (
          <p class={`result ${TONES[tested.outcome]}`} role="status">
            <Icon name={tested.outcome === 'accepted' ? 'check' : 'warning'} />
            <span>{tested.said}</span>
          </p>
        )}
      </div>
      {mine && <DeviceForms device={device} edited={edited} signIn={signIn} isOwn={isOwn} />}
    </li>
  )
}

type FormsProps = Pick<CardProps, 'device' | 'edited' | 'signIn' | 'isOwn'>

function DeviceForms({ device, edited, signIn, isOwn }: FormsProps) {
  const { id } = device
  const card = `device-${id}`
  return (
    <div class="thing-do">
      <form
        method="post"
        action={href.testDevice(id)}
        hx-post={href.testDevice(id)}
        hx-target={`#${card}`}
        hx-select={`#${card}`}
        hx-swap="outerHTML"
        hx-disabled-elt="find button"
      >
        <button type="submit" class="small">
          Send test
        </button>
      </form>
      <DeviceEdit device={device} edited={edited} />
      <RemoveDevice device={device} signIn={signIn} isOwn={isOwn} />
    </div>
  )
}

const TONES = { accepted: 'good', gone: 'bad', later: 'wait', refused: 'bad' } as const

/** A form that is shown again with its errors. */
type Edited = { draft: Draft; wrong: Wrong }

/** The form behind "Edit". */
function DeviceEdit({ device, edited }: { device: Subscriber; edited: Edited | undefined }) {
  const now = targetDraft(device)
  const { draft, wrong } = edited ?? { draft: now, wrong: new Map<string, string>() }
  return (
    <details class="removing" open={edited !== undefined}>
      <summary aria-label={`Edit ${device.label}`}>Edit</summary>
      <form method="post" action={href.changeDevice(device.id)} class="device-edit">
        {TARGET_FIELDS.map((name) => (
          <input type="hidden" name={`was-${name}`} value={now[name]} />
        ))}
        <FormField
          name="label"
          id={`label-${device.id}`}
          label="Name"
          maxLength={LABEL_MAX}
          draft={draft}
          wrong={wrong}
        />
        <TargetFields of={device.id} draft={draft} wrong={wrong} />
        <button type="submit" class="small">
          Save
        </button>
      </form>
    </details>
  )
}

type FactsProps = Pick<CardProps, 'device' | 'moment' | 'tested'>

/** Shows the evidence about a device, from the weakest to the strongest, then its last error. */
function DeviceFacts({ device, moment, tested }: FactsProps) {
  const { lastSuccessAt, lastErrorAt, lastError, lastShownAt, lastOpenedAt, createdAt } = device
  const failsNow = lastErrorAt !== undefined && lastErrorAt > (lastSuccessAt ?? 0)
  // The result of the test stands below.
  const isSaid = tested !== undefined && !tested.accepted
  return (
    <ul class="device-facts">
      {lastSuccessAt === undefined ? (
        <li>
          Connected <Ago at={createdAt} moment={moment} />,{' '}
          {lastErrorAt === undefined ? 'nothing sent yet' : 'nothing accepted yet'}
        </li>
      ) : (
        <Last word="accepted" at={lastSuccessAt} moment={moment} />
      )}
      <Last word="shown" at={lastShownAt} moment={moment} />
      <Last word="opened" at={lastOpenedAt} moment={moment} />
      {lastErrorAt !== undefined && !isSaid && (
        <li class={failsNow ? 'bad' : undefined}>
          {failsNow && <Icon name="warning" />}
          {failsNow ? 'Failed' : 'Last error'} <Ago at={lastErrorAt} moment={moment} />:{' '}
          {lastError ?? 'Refused.'}
        </li>
      )}
    </ul>
  )
}

type LastProps = { word: string; at: number | undefined; moment: Moment }

function Last({ word, at, moment }: LastProps) {
  if (at === undefined) return null
  return (
    <li>
      Last {word} <Ago at={at} moment={moment} />
    </li>
  )
}
