/** @jsxImportSource preact */
import type { ActivityItem } from '../../flows/read-activity.ts'
import type { Notification } from '../../notifications/notification.ts'
import type { Question } from '../../questions/question.ts'
import { href } from '../routes.ts'
import type { Moment } from '../visit.ts'
import { splitName } from './agent-name.tsx'
import { Icon, type IconName } from './icon.tsx'
import { verdict } from './outcome.tsx'
import { lookOf, TestMark } from './status.tsx'
import { Ago } from './time.tsx'

/** One line of what happened: what, who, how it stands. */
export function ActivityRow({ item, moment }: { item: ActivityItem; moment: Moment }) {
  return item.kind === 'question' ? (
    <QuestionRow question={item.question} moment={moment} />
  ) : (
    <NotificationRow notification={item.notification} moment={moment} />
  )
}

function QuestionRow({ question, moment }: { question: Question; moment: Moment }) {
  const { tone, icon, status } = lookOf(question, moment.now)
  return (
    <li
      class={question.test ? 'row test' : 'row'}
      data-key={question.id}
      data-version={status}
      data-move
    >
      <span class={`dot ${tone}`}>{icon ? <Icon name={icon} /> : <span class="pulse" />}</span>
      <a class="row-main" href={href.decide(question.id)}>
        <span class="row-title">{question.question}</span>
        <span class="row-sub">
          <By name={question.agentName} />
          {question.test && <TestMark />}
        </span>
      </a>
      <span class="row-side">
        <b class={`row-state ${tone}`}>{verdict(question, moment.now)}</b>
        <Ago at={question.createdAt} moment={moment} />
      </span>
    </li>
  )
}

const NOTIFICATION_ICONS: Record<string, IconName> = { task_complete: 'check', error: 'warning' }

function NotificationRow({ notification, moment }: { notification: Notification; moment: Moment }) {
  const { id, title, agentName, test, context } = notification
  const error = context?.type === 'error'
  return (
    <li class={test ? 'row test' : 'row'} data-key={id} data-version="told" data-move>
      <span class={error ? 'dot bad' : 'dot calm'}>
        <Icon name={NOTIFICATION_ICONS[context?.type ?? ''] ?? 'bell'} />
      </span>
      <a class="row-main" href={href.notification(id)}>
        <span class="row-title">{title}</span>
        <span class="row-sub">
          <By name={agentName} />
          {test && <TestMark />}
        </span>
      </a>
      <span class="row-side">
        <b class={error ? 'row-state bad' : 'row-state calm'}>{error ? 'Error' : 'Told you'}</b>
        <Ago at={notification.createdAt} moment={moment} />
      </span>
    </li>
  )
}

function By({ name }: { name: string | undefined }) {
  const [agent, project] = splitName(name)
  return <span>{project ? `${agent} · ${project}` : agent}</span>
}
