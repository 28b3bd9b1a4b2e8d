/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { StateDot } from '../../../platform/web/page-parts.tsx'
import { SWITCHED_OFF } from '../../inbox/pages/how-sent.tsx'
import { lookOf } from '../../inbox/pages/status.tsx'
import type { Notification } from '../../notifications/model/notification.ts'
import { Title } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { TestMark } from '../../pages/test-mark.tsx'
import { AtClock } from '../../pages/time.tsx'
import { dayName } from '../../pages/times.ts'
import type { Moment } from '../../pages/visit.ts'
import { questionTitle } from '../../questions/model/title.ts'
import { type DeliverySummary, type TimelineEntry, timeOf } from '../read-timeline.ts'
import { SentSteps, Step } from './sent-steps.tsx'
import { QuestionSteps } from './timeline-question.tsx'

type Props = { entries: readonly TimelineEntry[]; moment: Moment }

/** Lists the events of a session, the latest first; each with what followed from it, in order. */
export function Entries({ entries, moment }: Props) {
  return (
    <>
      {entries.map((entry, i) => (
        <Entry entry={entry} before={entries[i - 1]} moment={moment} />
      ))}
    </>
  )
}

type EntryProps = { entry: TimelineEntry; before: TimelineEntry | undefined; moment: Moment }

function Entry({ entry, before, moment }: EntryProps) {
  const { now, zone } = moment
  const day = dayName(timeOf(entry), now, zone)
  const isNewDay = day !== dayName(before ? timeOf(before) : now, now, zone)
  const newDay = isNewDay ? day : undefined
  if (entry.kind === 'notification')
    return <NotificationEntry entry={entry} day={newDay} moment={moment} />
  if (entry.kind === 'resumed') {
    return (
      <Event id={entry.id} version="resumed" day={newDay} look={RESUMED}>
        <p class="event-name">
          <AtClock at={entry.at} moment={moment} /> Resumed{entry.who && ` by ${entry.who}`}
        </p>
        <p class="event-steps">Approvals are sent again.</p>
      </Event>
    )
  }
  const { question, sent: deliveries, callbacks, widened } = entry
  const look = lookOf(question, now)
  const { detail } = question
  const parts = [
    look.status,
    versionOf(deliveries),
    ...callbacks.map(({ state }) => state),
    widened?.at,
    detail.collectedAt,
  ]
  return (
    <Event
      id={question.id}
      version={[...parts, detail.waitsUntil, newDay].join()}
      day={newDay}
      look={look}
      test={question.test}
    >
      <p class="event-name">
        <span class="unseen">Asked at </span>
        <AtClock at={question.createdAt} moment={moment} />
        <a href={href.decide(question.id)} dir="auto">
          <Title title={questionTitle(question)} />
        </a>
        {question.test && <TestMark />}
      </p>
      <QuestionSteps entry={entry} moment={moment} />
    </Event>
  )
}

const RESUMED = { tone: 'calm', icon: 'activity', word: 'Resumed' } as const
const TOLD = { tone: 'calm', icon: 'bell', word: 'Notified' } as const
const DONE = { tone: 'calm', icon: 'check', word: 'Done' } as const
const BROKE = { tone: 'bad', icon: 'warning', word: 'Error' } as const

function lookAt({ context }: Notification) {
  if (context?.type === 'error') return BROKE
  return context?.type === 'task_complete' ? DONE : TOLD
}

const HELD = {
  quiet_hours: 'Not sent: quiet hours.',
  switched_off: SWITCHED_OFF.long,
  collapsed: 'Told together with others.',
}

type NotificationEntryProps = {
  entry: TimelineEntry & { kind: 'notification' }
  day: string | undefined
  moment: Moment
}

function NotificationEntry({
  entry: { notification, sent: deliveries },
  day,
  moment,
}: NotificationEntryProps) {
  const { id, title, body, createdAt, test, held } = notification
  const version = [versionOf(deliveries), day].join()
  return (
    <Event id={id} version={version} day={day} look={lookAt(notification)} test={test}>
      <p class="event-name">
        <span class="unseen">Told at </span>
        <AtClock at={createdAt} moment={moment} />
        <a href={href.notification(id)} dir="auto">
          {title}
        </a>
        {test && <TestMark />}
      </p>
      <ol class="event-steps">
        <Step>
          <bdi>{body}</bdi>
        </Step>
        {held && <Step>{HELD[held]}</Step>}
        {!held && !test && <SentSteps sent={deliveries} from={createdAt} moment={moment} />}
      </ol>
    </Event>
  )
}

type EventProps = {
  id: string
  version: string
  /** The name of the day, if the entry before is of another day. */
  day: string | undefined
  look: Parameters<typeof StateDot>[0]['look']
  test?: boolean
  children: ComponentChildren
}

function Event({ id, version, day, look, test, children }: EventProps) {
  return (
    <li
      class={test ? 'event test' : 'event'}
      id={`event-${id}`}
      data-key={id}
      data-version={version}
    >
      {day && <p class="event-day">{day}</p>}
      <StateDot look={look} />
      <div>{children}</div>
    </li>
  )
}

function versionOf({
  devices,
  accepted,
  waiting,
  shown: shownCount,
  opened,
}: DeliverySummary): string {
  return [devices, accepted, waiting, shownCount, opened].join('.')
}
