/** @jsxImportSource preact */

import { Icon, type IconName } from '../../../platform/web/icon.tsx'
import { howSent, SWITCHED_OFF } from '../../inbox/pages/how-sent.tsx'
import { verdict } from '../../inbox/pages/outcome.tsx'
import { lookOf } from '../../inbox/pages/status.tsx'
import type { Notification } from '../../notifications/model/notification.ts'
import { splitName } from '../../pages/agent-name.tsx'
import { Title } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { TestMark } from '../../pages/test-mark.tsx'
import { Ago, AtClock } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import type { Question } from '../../questions/model/question.ts'
import { questionTitle, wordsBesideTitle } from '../../questions/model/title.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { ActivityItem } from '../read-activity.ts'
import { decisionWords } from './decision-words.ts'

type RowProps = {
  moment: Moment
  /**
   * The list that names who asks: in one of a session a row shows what it is about, in a group of
   * the activity who decided and the time of day.
   */
  within?: 'session' | 'group' | undefined
  /** The names of those who ended questions. */
  who?: ReadonlyMap<QuestionId, string>
}

/** One row of the activity: what, who, and its state. */
export function ActivityRow({ item, ...more }: RowProps & { item: ActivityItem }) {
  return item.kind === 'question' ? (
    <QuestionRow question={item.question} {...more} />
  ) : (
    <NotificationRow notification={item.notification} {...more} />
  )
}

function QuestionRow({ question, moment, within, who }: RowProps & { question: Question }) {
  const delivery = howSent(question, moment.now)
  const { tone, icon, status } = lookOf(question, moment.now)
  const title = questionTitle(question)
  const about = title.isCommand ? wordsBesideTitle(question) : question.detail.action
  return (
    <li
      class={question.test ? 'row test' : 'row'}
      data-key={question.id}
      data-version={status}
      data-move
    >
      <span class={`dot ${tone}`}>{icon ? <Icon name={icon} /> : <span class="pulse" />}</span>
      <a class="row-main" href={href.decide(question.id)}>
        <span class="row-title" dir="auto">
          <Title title={title} />
        </span>
        <span class="row-sub">
          {within === 'session' && <About text={about} />}
          {within === undefined && <By name={question.agentName} />}
          <About text={question.detail.notice?.title} />
          {who && <span>{decisionWords(question, who.get(question.id), moment.now)}</span>}
          {question.test && <TestMark />}
          {delivery?.short && <span class="chip">{delivery.short}</span>}
        </span>
      </a>
      <span class="row-side">
        <b class={`row-state ${tone}`}>{verdict(question, moment.now)}</b>
        <At at={question.createdAt} moment={moment} within={within} />
      </span>
    </li>
  )
}

const NOTIFICATION_ICONS: Record<string, IconName> = { task_complete: 'check', error: 'warning' }

const HELD = {
  quiet_hours: 'Quiet hours',
  switched_off: SWITCHED_OFF.short,
  collapsed: 'Told with others',
}

type NotificationProps = RowProps & { notification: Notification }

function NotificationRow({ notification, moment, within }: NotificationProps) {
  const { id, title, body, agentName, test, context, held } = notification
  const error = context?.type === 'error'
  return (
    <li class={test ? 'row test' : 'row'} data-key={id} data-version="told" data-move>
      <span class={error ? 'dot bad' : 'dot calm'}>
        <Icon name={NOTIFICATION_ICONS[context?.type ?? ''] ?? 'bell'} />
      </span>
      <a class="row-main" href={href.notification(id)}>
        <span class="row-title" dir="auto">
          {title}
        </span>
        <span class="row-sub">
          {within ? <About text={body} /> : <By name={agentName} />}
          {test && <TestMark />}
          {held && <span class="chip">{HELD[held]}</span>}
        </span>
      </a>
      <span class="row-side">
        <b class={error ? 'row-state bad' : 'row-state calm'}>{wordFor(error, held)}</b>
        <At at={notification.createdAt} moment={moment} within={within} />
      </span>
    </li>
  )
}

function wordFor(error: boolean, held: Notification['held']): string {
  if (error) return 'Error'
  return held && held !== 'collapsed' ? 'Not sent' : 'Sent'
}

/** The time of day in a list by day, otherwise how long ago. */
function At({ at, moment, within }: Pick<RowProps, 'moment' | 'within'> & { at: number }) {
  return within === 'group' ? <AtClock at={at} moment={moment} /> : <Ago at={at} moment={moment} />
}

function By({ name }: { name: string | undefined }) {
  const [agent, project] = splitName(name)
  return <span>{project ? `${agent} · ${project}` : agent}</span>
}

function About({ text }: { text: string | undefined }) {
  return text ? (
    <span class="one-line" dir="auto">
      {text}
    </span>
  ) : null
}
