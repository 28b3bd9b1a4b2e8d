/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Icon } from '../../../platform/web/icon.tsx'
import { StateMark } from '../../../platform/web/page-parts.tsx'
import { html } from '../../../platform/web/respond.ts'
import { siteOf } from '../../../platform/web/site-name.ts'
import { readReceipts } from '../../delivery/read-receipts.ts'
import { NoticeDetails } from '../../inbox/pages/notice.tsx'
import { QuestionCard } from '../../inbox/pages/question-card.tsx'
import { Receipts } from '../../inbox/pages/receipts.tsx'
import { readQuestion } from '../../inbox/read-questions.ts'
import { AgentName } from '../../pages/agent-name.tsx'
import { notFound } from '../../pages/error-page.tsx'
import { Layout } from '../../pages/layout.tsx'
import { paths } from '../../pages/paths.ts'
import { TestMark } from '../../pages/test-mark.tsx'
import { Ago } from '../../pages/time.tsx'
import type { SignedIn } from '../../pages/visit.ts'
import { type Notification, subjectOf } from '../model/notification.ts'
import { readNotification } from '../read-notification.ts'

type Deps = { db: Db; clock: Clock }

const KINDS = {
  task_complete: { icon: 'check', word: 'Finished', tone: 'good' },
  error: { icon: 'warning', word: 'Error', tone: 'bad' },
  info: { icon: 'bell', word: 'News', tone: 'calm' },
} as const

/** `/n/ID`: a notification with all its details, and its question if it has one. */
export async function showNotification(deps: Deps, visit: SignedIn): Promise<Response> {
  const { workspaceId } = visit.person
  const notification = await readNotification(deps, visit.person, visit.params.id ?? '')
  if (!notification) throw notFound()
  const linked =
    notification.questionId && (await readQuestion(deps, visit.person, notification.questionId))
  const receipts = await readReceipts(deps, workspaceId, subjectOf(notification))
  const summary = howReached(notification, receipts)
  return html(
    <Layout
      visit={visit}
      title={notification.title}
      section="activity"
      back={{ to: paths.activity, name: 'Back to the activity' }}
    >
      <article class={notification.test ? 'told-page test' : 'told-page'}>
        <p class="ask-head">
          <StateMark look={KINDS[notification.context?.type ?? 'info']} />
          <AgentName name={notification.agentName} />
          {notification.test && <TestMark />}
          <span class="left">
            <Ago at={notification.createdAt} moment={visit.moment} />
          </span>
        </p>
        <h1 class="question" dir="auto">
          {notification.title}
        </h1>
        <p class="lead" dir="auto">
          {notification.body}
        </p>
        {notification.context && <NoticeDetails context={notification.context} />}
        <Links notification={notification} />
        {summary && <p class="reach">{summary}</p>}
        <Receipts receipts={receipts} moment={visit.moment} open={!linked} />
      </article>
      {linked && (
        <div id="questions" class="cards" data-live="keyed">
          <QuestionCard question={linked} besideNotice from="decide_page" moment={visit.moment} />
        </div>
      )}
    </Layout>,
  )
}

/** Urls come from agents: only web addresses become links, and they show where they lead. */
function Links({ notification: { url, imageUrl } }: { notification: Notification }) {
  const links = [url, imageUrl].filter((link) => link !== undefined && /^https?:\/\//i.test(link))
  if (links.length === 0) return null
  return (
    <ul class="links">
      {links.map((link) => (
        <li>
          <Icon name="link" />
          <a href={link} rel="noreferrer noopener nofollow" target="_blank">
            {siteOf(link ?? '')?.address ?? link}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Says what the list of devices does not show. */
function howReached({ test, held, groupSize = 1 }: Notification, receipts: unknown[]) {
  if (test) return 'Test traffic: recorded here, sent to nobody.'
  if (held === 'quiet_hours') return 'Quiet hours: recorded here, sent to nobody.'
  if (held === 'collapsed') return 'Too many came in that minute: one push announced them together.'
  if (receipts.length === 0) return 'No device was reached; it is only shown here.'
  if (groupSize === 1) return null
  const before = groupSize === 2 ? 'the one' : `the ${groupSize - 1}`
  return `On devices it took the place of ${before} before it.`
}
