/** @jsxImportSource preact */

import { Problem } from '../../../platform/web/problem.tsx'
import { AgentName, isLong } from '../../accounts/pages/agent-name.tsx'
import { ActionBody } from '../../pages/action-body.tsx'
import { bodyWords } from '../../pages/change.ts'
import { Command, Said } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { lookOf, Status, TestMark } from '../../pages/status.tsx'
import { AtClock } from '../../pages/time.tsx'
import { timeLeft } from '../../pages/times.ts'
import type { Moment } from '../../pages/visit.ts'
import type { AnswerSource, Question } from '../model/question.ts'
import { type AnswerDraft, Answers, StopForm } from './answers.tsx'
import { HowSent } from './how-sent.tsx'
import { TooLate, verdict } from './outcome.tsx'

type Props = {
  question: Question
  from: AnswerSource
  moment: Moment
  dangerous: boolean
  /** What was typed in an answer that is shown again with a problem. */
  draft?: AnswerDraft | undefined
  problem?: string | undefined
  /** Something else had decided before the answer from this card arrived. */
  late?: boolean
}

/** An open question that can be answered in place; it turns into its outcome. */
export function QuestionCard(props: Props) {
  const { question, from, moment, dangerous, draft, problem, late } = props
  const { id, detail } = question
  const { status } = lookOf(question, moment.now)
  const open = status === 'pending'
  const card = cardId(question)
  return (
    <article
      id={card}
      class={`card${question.test ? ' test' : ''}${open ? '' : ' ended'}`}
      data-key={id}
      data-version={status}
      data-move
      aria-labelledby={`title-${id}`}
    >
      {open && <TimeLine question={question} moment={moment} />}
      {late && !open && <TooLate question={question} moment={moment} />}
      <p class="card-head">
        <AgentName name={question.agentName} />
        {question.test && <TestMark />}
        {open ? (
          <TimeLeft question={question} moment={moment} />
        ) : (
          <Status question={question} now={moment.now} />
        )}
      </p>
      {open && detail.context && (
        <p class="context">
          <Said text={detail.context} />
        </p>
      )}
      <h2 class={isLong(question) ? 'card-question long' : 'card-question'} id={`title-${id}`}>
        <a href={href.decide(id)}>
          <Said text={question.question} />
        </a>
      </h2>
      {open && detail.action && (
        <code class="card-action">
          <Command text={detail.action} />
        </code>
      )}
      {open && detail.actionBody && <CardBody text={detail.actionBody} />}
      <HowSent question={question} now={moment.now} />
      {open && needsALook(question) && (
        <a class="button primary" href={href.decide(id)}>
          Look closer
        </a>
      )}
      {open && !needsALook(question) && (
        <>
          {problem && <Problem>{problem}</Problem>}
          <Answers
            question={question}
            from={from}
            dangerous={dangerous}
            replaces={card}
            {...(draft && { draft })}
          />
          <StopForm question={question} from={from} />
        </>
      )}
      {!open && <p class="card-end">{verdict(question, moment.now)}</p>}
    </article>
  )
}

/** The id of the element that shows a question in a list. */
export function cardId({ id }: Question): string {
  return `card-${id}`
}

/** A short command or change as it is; of a long one, how much it is. */
function CardBody({ text }: { text: string }) {
  return isShort(text) ? <ActionBody text={text} /> : <p class="soft">{bodyWords(text)}</p>
}

// About half a screen of a phone.
const BODY_LINES = 12
const BODY_CHARS = 600

function isShort(body: string): boolean {
  return body.length <= BODY_CHARS && body.trimEnd().split('\n').length <= BODY_LINES
}

/** A yes depends on more than a card shows: paths to agree to, or a long command or change. */
function needsALook({ detail: { contract, actionBody } }: Question): boolean {
  return contract !== undefined || (actionBody !== undefined && !isShort(actionBody))
}

/** The thin line that gets shorter as time passes. */
export function TimeLine({ question, moment }: { question: Question; moment: Moment }) {
  const total = question.expiresAt - question.createdAt
  return (
    <progress
      class="time-line"
      max={total}
      value={Math.max(0, question.expiresAt - moment.now)}
      data-until={question.expiresAt}
      aria-label="Time left to answer"
    />
  )
}

/** Without scripts the deadline; with them the minutes, then the seconds. */
export function TimeLeft({ question, moment }: { question: Question; moment: Moment }) {
  return (
    <span class="left">
      <span data-left={question.expiresAt} hidden data-enhance>
        {timeLeft(question.expiresAt - moment.now)}
      </span>
      <span data-plain>
        until <AtClock at={question.expiresAt} moment={moment} />
      </span>
    </span>
  )
}
