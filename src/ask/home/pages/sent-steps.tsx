/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { AtClock } from '../../pages/time.tsx'
import { measuredTime } from '../../pages/times.ts'
import type { Moment } from '../../pages/visit.ts'
import type { DeliverySummary } from '../read-timeline.ts'

type Props = { sent: DeliverySummary; from: number; moment: Moment }

/** How far a message got: to which devices, when it was shown, when it was opened. */
export function SentSteps({ sent: summary, from, moment }: Props) {
  const { devices, accepted, waiting, shown: shownCount, opened } = summary
  const { firstAcceptedAt, firstShownAt, firstOpenedAt } = summary
  if (devices === 0) return <Step>Sent to no device; it was on these pages only.</Step>
  return (
    <>
      <Step at={firstAcceptedAt} from={from} moment={moment}>
        <b>
          Sent to {accepted} of {of(devices)}
        </b>
        {accepted > 0 && ` by ${waysOf(summary)}`}
        {waiting > 0 && `, ${waiting} on the way`}
      </Step>
      {shownCount > 0 && (
        <Step at={firstShownAt} from={from} moment={moment}>
          <b>Shown</b> on {of(shownCount)}
        </Step>
      )}
      {opened > 0 && (
        <Step at={firstOpenedAt} from={from} moment={moment}>
          <b>Opened</b> on {of(opened)}
        </Step>
      )}
    </>
  )
}

type StepProps = {
  children: ComponentChildren
  at?: number | undefined
  /** The start of the durations. */
  from?: number
  moment?: Moment
}

/** One step, with its time and how long after the start it came. */
export function Step({ children, at, from, moment }: StepProps) {
  return (
    <li>
      {children}
      {at !== undefined && moment && (
        <>
          {' '}
          at <AtClock at={at} moment={moment} />
          {from !== undefined && `, after ${measuredTime(at - from)}`}
        </>
      )}
    </li>
  )
}

function of(devices: number): string {
  return devices === 1 ? '1 device' : `${devices} devices`
}

const WAYS: Record<string, string> = {
  webpush: 'Web Push',
  slack: 'Slack',
  email: 'e-mail',
  telegram: 'Telegram',
}

function waysOf({ by, accepted }: DeliverySummary): string {
  const ways = Object.entries(by).sort(([a], [b]) => (a < b ? -1 : 1))
  const [only] = ways
  if (ways.length === 1 && only && only[1] === accepted) return WAYS[only[0]] ?? only[0]
  return ways.map(([way, number]) => `${WAYS[way] ?? way} (${number})`).join(', ')
}
