/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import { Problem } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { ActionBody } from '../../pages/action-body.tsx'
import { AgentName } from '../../pages/agent-name.tsx'
import { bodyWords } from '../../pages/change.ts'
import { Fact } from '../../pages/fact.tsx'
import { MarkedCommand, SafeText, Title } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { TestMark } from '../../pages/test-mark.tsx'
import { ToolArguments } from '../../pages/tool-arguments.tsx'
import type { Moment } from '../../pages/visit.ts'
import type { Question } from '../../questions/model/question.ts'
import { isCommand, questionTitle, wordsBesideTitle } from '../../questions/model/title.ts'
import { NAMES_SHOWN, needOf, placesWords } from '../../votes/model/requirement.ts'
import { looksDestructive } from '../../wire/danger/destructive.ts'
import type { AnswerSource } from '../../wire/question-fields.ts'
import { argumentsOf } from '../../wire/tool-arguments.ts'
import { type AnswerDraft, Answers, StopForm } from './answers.tsx'
import { AtStake, DangerNote } from './at-stake.tsx'
import { isLong, Settings, Stakes } from './facts.tsx'
import { ToolFacts, ToolNews } from './gated-call.tsx'
import { HowSent } from './how-sent.tsx'
import { Later, SnoozeForm } from './later.tsx'
import { Notice } from './notice.tsx'
import { TooLate, UnusedWords, verdict } from './outcome.tsx'
import { lookOf, Status } from './status.tsx'
import { TimeLeft, TimeLine } from './time-left.tsx'
import { Undo, Undone } from './undo.tsx'
import { versionOf } from './version.ts'

type Props = {
  question: Question
  from: AnswerSource
  moment: Moment
  /** The state of the row, open or closed; `alone` closes it when another row is opened. */
  fold?: Fold | undefined
  /** The typed answer, shown again with a problem. */
  draft?: AnswerDraft | undefined
  problem?: string | undefined
  /** Something else had decided before the answer from this card arrived. */
  late?: boolean
  /** The typed words of that answer. */
  unused?: readonly string[] | undefined
  /** This person took their answer back. */
  undone?: boolean
  /** The name of the person who ended it. */
  who?: string | undefined
  /** The page shows the notification that it came with. */
  besideNotice?: boolean
  /** When it comes back, if this person snoozed it. */
  snoozed?: number | undefined
  /** It waits for others: this person may not decide it, or has voted. */
  forOthers?: boolean
  /** Shows a long command or change whole, with its answers. */
  whole?: boolean
}

export type Fold = 'open' | 'alone' | 'closed'

/** A question in a list: a row that unfolds to everything a person answers by, then its outcome. */
export function QuestionCard(props: Props) {
  const { question, moment } = props
  const { id } = question
  const { status } = lookOf(question, moment.now)
  const open = status === 'pending'
  return (
    <article
      id={cardId(question)}
      class={`card${question.test ? ' test' : ''}${open ? '' : ' ended'}`}
      data-key={id}
      data-version={`${versionOf(question, status)}${props.forOthers ? ' others' : ''}`}
      data-move
      aria-labelledby={`title-${id}`}
    >
      {open ? (
        <FoldedRow
          question={question}
          moment={moment}
          fold={props.fold ?? 'open'}
          forOthers={props.forOthers === true}
        >
          <Detail {...props} />
        </FoldedRow>
      ) : (
        <EndedRow {...props} />
      )}
    </article>
  )
}

type RowProps = { question: Question; moment: Moment }

/** A row, and what it unfolds to: below it on a phone, beside the list on a desktop. */
export function FoldedRow(
  props: RowProps & { fold: Fold; forOthers?: boolean; children: ComponentChildren },
) {
  const { question, moment, fold, forOthers, children } = props
  return (
    <details class="fold" open={fold !== 'closed'} name={fold === 'open' ? undefined : 'question'}>
      <summary class="row-head">
        <span class="row-who">
          <AgentName name={question.agentName} />
          {question.test && <TestMark />}
        </span>
        <TimeLeft question={question} moment={moment} place="row" />
        <span class="row-question" id={`title-${question.id}`} dir="auto">
          <Title title={questionTitle(question)} />
        </span>
        <Needs question={question} forOthers={forOthers === true} />
        <AtStake question={question} />
        <Icon name="chevron" />
      </summary>
      <div class="detail">
        <TimeLine question={question} moment={moment} />
        <p class="card-head">
          <AgentName name={question.agentName} />
          {question.test && <TestMark />}
          <TimeLeft question={question} moment={moment} place="head" />
        </p>
        {children}
      </div>
    </details>
  )
}

/** `1 of 2 agreed; needs 2 of engineers`; one who may decide alone need not read it. */
function Needs({ question, forOthers }: { question: Question; forOthers: boolean }) {
  const { requirement, detail } = question
  if (!requirement) return null
  const need = needOf(requirement)
  if (need === 1 && !forOthers) return null
  const agreed = detail.agreed ?? 0
  return (
    <span class="at-stake" id={`needs-${question.id}`} data-live="whole" data-version={agreed}>
      <span class="one-line" dir="auto">
        {agreed > 0 ? `${agreed} of ${need} agreed; needs ` : 'Needs '}
        <SafeText text={placesWords(requirement.places, NAMES_SHOWN)} />
      </span>
    </span>
  )
}

function Detail({ besideNotice, ...props }: Props) {
  const { question, from, moment, undone } = props
  const { detail } = question
  return (
    <>
      {undone && <Undone />}
      {!besideNotice && <Notice question={question} />}
      {detail.context && (
        <p class="context" dir="auto">
          <SafeText text={detail.context} />
        </p>
      )}
      <CardTitle question={question} mayYes={!props.forOthers} />
      <ToolNews gate={detail.gate} />
      {detail.actionBody && (
        <CardBody question={question} body={detail.actionBody} whole={props.whole === true} />
      )}
      <CardFacts detail={detail} />
      <Settings settings={detail.toolSettings} />
      <ToolFacts gate={detail.gate} />
      <HowSent question={question} now={moment.now} />
      <Decide {...props} />
      <SnoozeForm question={question} from={from} replaces={cardId(question)} />
    </>
  )
}

function CardFacts({ detail }: Pick<Question, 'detail'>) {
  const { blocker, effect, risk } = detail
  if (!(blocker || effect || risk)) return null
  return (
    <dl class="facts">
      <Stakes detail={detail} />
      {blocker && (
        <Fact name="Blocked because">
          <SafeText text={blocker} />
        </Fact>
      )}
    </dl>
  )
}

/** The answers; where the card does not show all of it, the way to the page that does. */
function Decide({ question, from, moment, draft, problem, snoozed, whole }: Props) {
  const { id, detail } = question
  const later = <Later question={question} moment={moment} until={snoozed} />
  const isLonger = isLongBody(detail.actionBody)
  const answers = (
    <>
      {problem && <Problem>{problem}</Problem>}
      <Answers
        question={question}
        from={from}
        dangerous={looksDestructive(question)}
        replaces={cardId(question)}
        {...(draft && { draft })}
        later={later}
      />
      <StopForm question={question} from={from} />
    </>
  )
  // A form needs the room of its page; only that says who may decide, and who has agreed.
  const isOnPage =
    detail.contract !== undefined || detail.form !== undefined || question.requirement !== undefined
  if (!isOnPage && !isLonger) return answers
  return (
    <WholePart id={`closer-${id}`} whole={whole === true}>
      {whole && !isOnPage ? (
        answers
      ) : (
        <>
          <a class="button primary" href={href.decide(id)} data-whole={isOnPage ? undefined : id}>
            Look closer
          </a>
          {problem && <Problem>{problem}</Problem>}
          <div class="extras">{later}</div>
        </>
      )}
    </WholePart>
  )
}

type WholePartProps = { id: string; whole: boolean; children: ComponentChildren }

/** A part that is replaced when a wide window shows the question whole beside the list. */
function WholePart({ id, whole, children }: WholePartProps) {
  return (
    <div class="closer" id={id} data-live="whole" data-version={whole ? 'whole' : 'short'}>
      {children}
    </div>
  )
}

/** The command, or the words of the agent and what a yes does. */
function CardTitle({ question, mayYes }: { question: Question; mayYes: boolean }) {
  const { id, detail } = question
  const title = questionTitle(question)
  const words = wordsBesideTitle(question)
  return (
    <>
      <h2 class={isLong(question) ? 'card-question long' : 'card-question'} dir="auto">
        <a href={href.decide(id)}>
          <Title title={title} />
        </a>
      </h2>
      {words && (
        <p class="context" dir="auto">
          <SafeText text={words} />
        </p>
      )}
      <DangerNote question={question} mayYes={mayYes} />
      {detail.action && !title.isCommand && (
        <code class="card-action">
          {detail.actionBody && argumentsOf(detail) ? (
            detail.toolName
          ) : (
            <MarkedCommand text={detail.action} shell={isCommand(detail)} />
          )}
        </code>
      )}
    </>
  )
}

function EndedRow({ question, from, moment, problem, late, unused = [], who }: Props) {
  const { id } = question
  const { status } = lookOf(question, moment.now)
  return (
    <>
      {late && <TooLate question={question} moment={moment} />}
      {problem && <Problem>{problem}</Problem>}
      <UnusedWords words={unused} />
      <p class="row-question" id={`title-${id}`} dir="auto">
        <a href={href.decide(id)}>
          <Title title={questionTitle(question)} />
        </a>
      </p>
      <p class="row-who">
        <Status question={question} now={moment.now} />
        <AgentName name={question.agentName} />
        {question.test && <TestMark />}
        <span class="soft">
          {status === 'answered' && <b class="card-end">{verdict(question, moment.now)}</b>}
          {who && ` by ${who}`}
        </span>
      </p>
      <Undo
        question={question}
        from={from}
        moment={moment}
        mine={who === 'you'}
        replaces={cardId(question)}
      />
    </>
  )
}

/** The id of the element that shows a question in a list. */
export function cardId({ id }: Question): string {
  return `card-${id}`
}

type BodyProps = { question: Question; body: string; whole: boolean }

/** A short command or change as it is; of a long one, how much it is, or all of it. */
function CardBody({ question: { id, detail }, body, whole }: BodyProps) {
  const values = argumentsOf(detail)
  const all = values ? (
    <div class="deed">
      <ToolArguments values={values} body={body} />
    </div>
  ) : (
    <ActionBody text={body} shell={isCommand(detail)} path={detail.toolPath} />
  )
  if (isShort(body)) return all
  return (
    <WholePart id={`body-${id}`} whole={whole}>
      {whole ? <div data-whole={id}>{all}</div> : <p class="soft">{bodyWords(body)}</p>}
    </WholePart>
  )
}

// About half a screen of a phone.
const BODY_LINES = 12
const BODY_CHARS = 600

function isShort(body: string): boolean {
  return body.length <= BODY_CHARS && body.trimEnd().split('\n').length <= BODY_LINES
}

/** Returns true if a command or change is too long for a card. */
export function isLongBody(body: string | undefined): boolean {
  return body !== undefined && !isShort(body)
}
