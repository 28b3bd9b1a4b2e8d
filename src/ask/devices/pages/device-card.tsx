/** @jsxImportSource preact */

import { type Draft, FormField, type Wrong } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { href } from '../../pages/paths.ts'
import { Ago } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import { failsNow, LABEL_MAX, type Subscriber } from '../../subscribers/model/subscriber.ts'
import {
  TARGET_FIELDS,
  TargetFields,
  Targets,
  targetDraft,
} from '../../subscribers/pages/target-fields.tsx'
import type { TestPush } from '../send-test-push.ts'
import { type DeviceSignIn, RemoveDevice } from './remove-device.tsx'

/** A form that is shown again with its errors. */
export type Edited = { draft: Draft; wrong: Wrong }

type CardProps = {
  device: Subscriber
  moment: Moment
  signIn: DeviceSignIn
  /** True if the device belongs to the person who views the page. */
  isOwn: boolean
  /** The name of the person whom it belongs to, if that is somebody else. */
  owner: string | undefined
  /** True if that person may test, change and remove the device. */
  mine: boolean
  /** Why the next question would not ring there, in a sentence. */
  fault: string | undefined
  /** True if the address of the page names the device. */
  chosen: boolean
  tested: TestPush | undefined
  edited: Edited | undefined
}

/** A device as one row; what it last did, and its forms, unfold. A device that fails is unfolded. */
export function DeviceCard(props: CardProps) {
  const { device, moment, mine, owner, fault, chosen, tested, edited } = props
  const { id, kind, label, tags, externalId } = device
  const isOpen = chosen || tested !== undefined || edited !== undefined || (mine && !!fault)
  return (
    <li class="thing folded" id={`device-${id}`} data-move>
      <details open={isOpen}>
        <summary>
          <Icon name={kind} />
          <span class="thing-name">
            <b>{label}</b>
            {owner && <span class="soft"> of {owner}</span>}
          </span>
          <Evidence device={device} moment={moment} fails={fault !== undefined} />
          <Icon name="chevron" />
        </summary>
        <Targets tags={tags} externalId={externalId} />
        {fault && !(tested && !tested.accepted) && (
          <p class="bad">
            <Icon name="warning" /> {fault}
          </p>
        )}
        <DeviceFacts device={device} moment={moment} />
        {!mine && (
          <p class="soft">
            Only {owner ?? 'its person'} or an owner can test, change and remove it.
          </p>
        )}
        {tested && (
          <p class={`result ${TONES[tested.outcome]}`} role="status">
            <Icon name={tested.outcome === 'accepted' ? 'check' : 'warning'} />
            <span>{tested.said}</span>
          </p>
        )}
        {mine && <DeviceForms {...props} />}
      </details>
    </li>
  )
}

const TONES = { accepted: 'good', gone: 'bad', later: 'wait', refused: 'bad' } as const

type EvidenceProps = Pick<CardProps, 'device' | 'moment'> & { fails: boolean }

/** The strongest evidence that the device rings, in a few words. */
function Evidence({ device, moment, fails }: EvidenceProps) {
  const { lastSuccessAt, lastShownAt } = device
  if (fails) return <span class="status bad">Fails</span>
  if (lastSuccessAt === undefined) return <span class="soft">Not tried yet</span>
  const at = lastShownAt ?? lastSuccessAt
  return (
    <span class="soft">
      {lastShownAt === undefined ? 'Accepted' : 'Shown'} <Ago at={at} moment={moment} />
    </span>
  )
}

function DeviceForms({ device, edited, signIn, isOwn }: CardProps) {
  const card = `device-${device.id}`
  return (
    <div class="thing-do">
      <form
        method="post"
        action={href.testDevice(device.id)}
        hx-post={href.testDevice(device.id)}
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

/** The form behind "Edit". */
function DeviceEdit({ device, edited }: Pick<CardProps, 'device' | 'edited'>) {
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

/** What is known about a device, from the weakest evidence to the strongest, then an old error. */
function DeviceFacts({ device, moment }: Pick<CardProps, 'device' | 'moment'>) {
  const { lastSuccessAt, lastErrorAt, lastError, lastShownAt, lastOpenedAt, createdAt } = device
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
      {lastErrorAt !== undefined && (
        <li>
          {failsNow(device) ? 'Failed' : 'Last error'} <Ago at={lastErrorAt} moment={moment} />
          {!failsNow(device) && `: ${lastError ?? 'Refused.'}`}
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
