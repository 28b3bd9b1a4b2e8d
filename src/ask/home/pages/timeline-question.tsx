/** @jsxImportSource preact */

import { howSent } from '../../inbox/pages/how-sent.tsx'
import { verdict } from '../../inbox/pages/outcome.tsx'
import { lookOf } from '../../inbox/pages/status.tsx'
import { href, paths } from '../../pages/paths.ts'
import { AtClock } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import { didNotComeBack } from '../../questions/model/came-back.ts'
import { SOURCE_WORDS } from '../../questions/model/question.ts'
import { questionTitle, wordsBesideTitle } from '../../questions/model/title.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { TimelineEntry } from '../read-timeline.ts'
import { SentSteps, Step } from './sent-steps.tsx'

type QuestionEntry = TimelineEntry & { kind: 'question' }
type Props = { entry: QuestionEntry; moment: Moment }

/** Shows the steps of a question, each with how long after the ask it came. */
export function QuestionSteps({ entry, moment }: Props) {
  const { question, sent: deliveries } = entry
  const { detail, test } = question
  const action = questionTitle(question).isCommand ? undefined : detail.action
  const words = wordsBesideTitle(question)
  const from = question.createdAt
  const status = lookOf(question, moment.now).status
  const why = howSent(question, moment.now)
  const isOwnWindow = status === 'terminal' || status === 'notified'
  return (
    <ol class="event-steps">
      {action && (
        <Step>
          <code>{action}</code>
        </Step>
      )}
      {detail.notice && (
        <Step>
          <bdi>
            {detail.notice.title}: {detail.notice.body}
          </bdi>
        </Step>
      )}
      {words && (
        <Step>
          <bdi>{words}</bdi>
        </Step>
      )}
      {test && <Step>Test traffic: sent to nobody.</Step>}
      {why && !test && <Step>{status === 'pending' ? why.long : `${why.short ?? why.long}.`}</Step>}
      {(deliveries.devices > 0 || !(why || detail.byRule || isOwnWindow)) && (
        <SentSteps sent={deliveries} from={from} moment={moment} />
      )}
      {isOwnWindow && <Step>The agent asks in its own window.</Step>}
      <Ended entry={entry} moment={moment} />
      <ScopeSteps entry={entry} moment={moment} />
      <Returned entry={entry} moment={moment} />
    </ol>
  )
}

function Ended({ entry: { question, who }, moment }: Props) {
  const { createdAt, endedAt, expiresAt, answerSource, note, endReason, detail } = question
  const { status } = lookOf(question, moment.now)
  if (status === 'pending') {
    return (
      <Step>
        <b>Waiting for an answer</b> until <AtClock at={expiresAt} moment={moment} />
      </Step>
    )
  }
  if (status === 'terminal' || status === 'notified') return null
  const at = status === 'expired' ? expiresAt : (endedAt ?? expiresAt)
  if (detail.byRule) {
    return (
      <Step at={at} moment={moment}>
        <b>{verdict(question, moment.now)}</b> by <a href={paths.rules}>the rule</a> for{' '}
        {detail.byRule.words}
      </Step>
    )
  }
  return (
    <>
      <Step at={at} from={createdAt} moment={moment}>
        <b>{verdict(question, moment.now)}</b>
        {status !== 'expired' && status !== 'cancelled' && who && ` by ${who}`}
        {answerSource && ` from ${SOURCE_WORDS[answerSource]}`}
        {detail.byYes && (
          <>
            {' '}
            with <a href={href.decide(detail.byYes.id as QuestionId)}>the yes at the client</a>
          </>
        )}
      </Step>
      {note && (
        <Step>
          With the note “<bdi>{note}</bdi>”
        </Step>
      )}
      {status === 'cancelled' && endReason && <Step>{endReason}</Step>}
    </>
  )
}

/** Shows how an answer changed the scope. */
function ScopeSteps({ entry: { agreed, widened }, moment }: Props) {
  return (
    <>
      {agreed && (
        <Step>
          <b>Scope agreed</b>
          {agreed.edited && ', edited'}, {agreed.expiresAt > moment.now ? 'holds' : 'held'} until{' '}
          <AtClock at={agreed.expiresAt} moment={moment} />
        </Step>
      )}
      {widened && (
        <Step>
          <b>Scope widened</b> by <code>{widened.path}</code>
        </Step>
      )}
    </>
  )
}

/** Whether the agent has the answer. */
function Returned({ entry: { question, callbacks }, moment }: Props) {
  const { status } = lookOf(question, moment.now)
  const { collectedAt, byRule } = question.detail
  const { createdAt } = question
  if (status !== 'answered' && status !== 'stopped') return null
  return (
    <>
      {collectedAt !== undefined && (
        <Step at={collectedAt} from={createdAt} moment={moment}>
          <b>Returned to the agent</b>
        </Step>
      )}
      {collectedAt === undefined && (
        <Step>
          {didNotComeBack(question) && !byRule ? (
            'The agent had stopped waiting, and has not fetched it so far.'
          ) : (
            <>
              <b>Returned to the agent</b> at once
            </>
          )}
        </Step>
      )}
      {callbacks.map(({ id, endedAt, state }) => (
        <Step at={endedAt ?? undefined} from={createdAt} moment={moment}>
          <a href={href.callback(id)}>{CALLBACK_WORDS[state]}</a>
        </Step>
      ))}
    </>
  )
}

const CALLBACK_WORDS: Record<QuestionEntry['callbacks'][number]['state'], string> = {
  waiting: 'Callback on its way',
  delivered: 'Callback delivered',
  gone: 'Callback refused for good',
  lapsed: 'Callback given up',
}
