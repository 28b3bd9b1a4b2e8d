/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import type { DeliveryState } from '../../delivery/model/channel.ts'
import type { DeviceReceipt } from '../../delivery/read-receipts.ts'
import { AtClock } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'

type Props = {
  receipts: readonly DeviceReceipt[]
  moment: Moment
  /** True if the devices are listed at once, false if behind a summary. */
  open: boolean
  /** The people who were told because nobody answered. */
  failover?: ComponentChildren
}

/** How far a message is known to have got, device by device; nothing if it was sent to none. */
export function Receipts({ receipts, moment, open, failover }: Props) {
  const all = receipts.filter(({ message }) => message !== 'outcome')
  const firstReceipts = all.filter(({ failover }) => !failover)
  const later = all.filter(({ failover }) => failover)
  const outcomes = new Map(
    receipts
      .filter(({ message }) => message === 'outcome')
      .map((outcome) => [outcome.subscriberId, outcome]),
  )
  return (
    <div id="receipts" data-live="whole" data-version={versionOf(receipts)}>
      {failover}
      {all.length > 0 && (
        <details class="receipts" open={open}>
          <summary>
            {sentenceOf(firstReceipts)}
            {later.length > 0 && ` Then: ${sentenceOf(later)}`}
          </summary>
          <ul>
            {all.map((receipt) => (
              <li>
                <b>{receipt.label ?? 'A device that was removed'}</b>{' '}
                {receipt.failover && 'later: '}
                <DeliveredReceipt receipt={receipt} moment={moment} />
                <OutcomeNotice receipt={outcomes.get(receipt.subscriberId)} moment={moment} />
              </li>
            ))}
          </ul>
          <p>
            Accepted: its push service has it. Shown: the device reported that it is on the screen;
            perhaps nobody looked. Opened: somebody tapped it.
          </p>
        </details>
      )}
    </div>
  )
}

type LineProps = { receipt: DeviceReceipt; moment: Moment }

function DeliveredReceipt({ receipt, moment }: LineProps) {
  const { state, error, acceptedAt, shownAt, openedAt } = receipt
  if (shownAt === undefined && openedAt === undefined) {
    if (acceptedAt !== undefined) return <Word word="accepted" at={acceptedAt} moment={moment} />
    return (
      <>
        {STATES[state]}
        {error && <>: {error}</>}
      </>
    )
  }
  return (
    <>
      {shownAt !== undefined && <Word word="shown" at={shownAt} moment={moment} />}
      {shownAt !== undefined && openedAt !== undefined && ', '}
      {openedAt !== undefined && <Word word="opened" at={openedAt} moment={moment} />}
    </>
  )
}

type OutcomeProps = { receipt: DeviceReceipt | undefined; moment: Moment }

/** The message that replaced the question after it had ended. */
function OutcomeNotice({ receipt, moment }: OutcomeProps) {
  if (!receipt) return null
  return (
    <>
      ; its outcome <DeliveredReceipt receipt={receipt} moment={moment} />
    </>
  )
}

function Word({ word, at, moment }: { word: ComponentChildren; at: number; moment: Moment }) {
  return (
    <>
      {word} <AtClock at={at} moment={moment} />
    </>
  )
}

const STATES = {
  held: 'not sent',
  waiting: 'on its way',
  accepted: 'accepted',
  gone: 'no longer takes messages',
  refused: 'not accepted',
  lapsed: 'not sent',
} satisfies Record<DeliveryState, string>

/** The strongest evidence, in one sentence with those that were not reached. */
function sentenceOf(receipts: readonly DeviceReceipt[]): string {
  const opened = receipts.filter(({ openedAt }) => openedAt !== undefined).length
  const displayCount = receipts.filter(({ shownAt, openedAt }) => shownAt ?? openedAt).length
  const accepted = receipts.filter(({ state }) => state === 'accepted').length
  const waiting = receipts.filter(({ state }) => state === 'waiting').length
  const failed = receipts.filter(({ state }) => FAILED.has(state)).length
  const not = failed === 0 ? '' : `; ${devices(failed)} did not get it`
  if (opened > 0) return `Opened on ${devices(opened)}${not}.`
  if (displayCount > 0) return `Shown on ${devices(displayCount)}${not}.`
  if (accepted > 0) return `Accepted for ${devices(accepted)}${not}.`
  if (waiting > 0) return `On its way to ${devices(waiting)}${not}.`
  return 'No device was reached; it is only shown here.'
}

const FAILED: ReadonlySet<DeliveryState> = new Set(['gone', 'refused', 'lapsed'])

function devices(number: number): string {
  return number === 1 ? 'one device' : `${number} devices`
}

/** Changes when anything is new, and only then. */
function versionOf(receipts: readonly DeviceReceipt[]): string {
  const marks = receipts.map(({ state, shownAt, openedAt }) =>
    [state[0], shownAt && 's', openedAt && 'o'].filter(Boolean).join(''),
  )
  return marks.join('.')
}
