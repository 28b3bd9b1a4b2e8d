/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { Problem } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { AgentName } from '../../pages/agent-name.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { href, paths } from '../../pages/paths.ts'
import { repositoryOf } from '../../pages/repository-name.ts'
import { TestMark } from '../../pages/test-mark.tsx'
import { Ago } from '../../pages/time.tsx'
import type { Moment, ServerRecord } from '../../pages/visit.ts'
import { answersIn } from '../../questions/model/answer.ts'
import { statusAt } from '../../questions/model/lifecycle.ts'
import type { Question } from '../../questions/model/question.ts'
import type { Ratified } from '../../scopes/model/contract.ts'
import { type AnswerDraft, Answers, NO_DRAFT, StopForm } from './answers.tsx'
import { DangerNote } from './at-stake.tsx'
import { Deciders, WithdrawForm } from './deciders.tsx'
import { Facts, isLong } from './facts.tsx'
import { HowSent } from './how-sent.tsx'
import { Later, SnoozeForm } from './later.tsx'
import { Notice } from './notice.tsx'
import { OutcomeCard, TooLate, UnusedWords } from './outcome.tsx'
import type { DecidersView } from './read-deciders.ts'
import { type ScopeOpens, ScopeOpensBox, type ScopeSight } from './scope-paths.tsx'
import { SessionAllowsList } from './session-allows.tsx'
import { TimeLeft, TimeLine } from './time-left.tsx'
import { versionOf } from './version.ts'
import { WatchedBy } from './watched.tsx'

type Props = {
  question: Question
  moment: Moment
  who: string | undefined
  dangerous: boolean
  draft?: AnswerDraft
  problem: string | undefined
  /** Something else had decided before the answer from this page arrived. */
  late: boolean
  /** Words that were typed in an answer that changed nothing. */
  unused?: readonly string[] | undefined
  /** The page of the session that asks. */
  live: string | undefined
  /** The answer link, for somebody who is not signed in. */
  to?: string
  /** When it comes back, if this person snoozed it. */
  snoozed?: number | undefined
  /** How far it got on each device, for signed-in people. */
  receipts?: ComponentChildren
  /** The answer that led to this open question; once this has ended, that nothing is left. */
  after?: ComponentChildren
  /** What became of the action after a yes. */
  ran?: ComponentChildren
  /** A rule was just made from it. */
  ruled?: boolean
  /** The program that an owner has just added. */
  program?: string | undefined
  /** Who has to agree, and who has; undefined: anybody answers. */
  deciders?: DecidersView | undefined
  /** Where an owner says what its programs do. */
  unknown?: ComponentChildren
  /** For an open scope: what its paths match. */
  sight?: ScopeSight | undefined
  /** For an open scope: what it allows. */
  opens?: ScopeOpens | undefined
  /** For an agreed scope: the contract. */
  ratified?: Ratified | undefined
  /** The server behind its gate, in the catalog. */
  record?: ServerRecord | undefined
}

/** One question with everything needed to decide; once it has ended, its outcome comes first. */
export function Decision(props: Props) {
  const {
    question,
    moment,
    dangerous,
    draft = NO_DRAFT,
    problem,
    late,
    unused = [],
    live,
    to,
    after,
    ruled = false,
    program,
  } = props
  const from = to === undefined ? 'decide_page' : 'answer_link'
  const status = statusAt(question, moment.now)
  const open = status === 'pending'
  return (
    <div
      id="decision"
      class={question.test ? 'decision test' : 'decision'}
      data-live="whole"
      data-version={versionOf(question, status)}
    >
      {open && <TimeLine question={question} moment={moment} />}
      <div class="ask">
        {open && after}
        {late && <TooLate question={question} moment={moment} />}
        {problem && <Problem>{problem}</Problem>}
        <UnusedWords words={unused} />
        {open && ruled && <Saved>The rule is saved.</Saved>}
        {open && <SavedProgram question={question} program={program} />}
        {!open && <OutcomeCard {...props} receipt={receiptOf(props)} />}
        <Head question={question} moment={moment} open={open} live={live} />
        {open && props.opens && <ScopeOpensBox opens={props.opens} />}
        {question.detail.context && (
          <p class="context" dir="auto">
            <SafeText text={question.detail.context} />
          </p>
        )}
        <Heading question={question} isFresh={open && Boolean(after)} />
        <HowSent question={question} now={moment.now} live={live} />
        {open && <DangerNote question={question} mayYes={props.deciders?.mayYes ?? true} />}
        <Facts {...props} repository={repositoryOf(question)} />
        {props.unknown}
        <Deciders view={props.deciders} {...{ question, moment, open }} />
        {to === undefined && <WatchedBy question={question} open={open} />}
        {!open && <EndedChoices question={question} />}
        {!open && question.detail.forSession && <SessionAllowsList question={question} />}
        {props.receipts}
      </div>
      {open ? (
        <>
          <Answers
            question={question}
            from={from}
            dangerous={dangerous}
            draft={draft}
            replaces="decision"
            to={to}
            sight={props.sight}
            deciders={props.deciders}
            later={
              to === undefined && (
                <Later question={question} moment={moment} until={props.snoozed} />
              )
            }
          />
          {to === undefined && <SnoozeForm question={question} from={from} />}
          <StopForm question={question} from={from} to={to} />
          {props.deciders && <WithdrawForm id={question.id} />}
        </>
      ) : (
        to === undefined && <Onward words={after} />
      )}
    </div>
  )
}

function SavedProgram({ question, program }: Pick<Props, 'question' | 'program'>) {
  if (!question.detail.programs?.some(({ name }) => name === program)) return null
  return (
    <Saved>
      <code>{program}</code> is saved.
    </Saved>
  )
}

/** Takes the focus where it came up in the place of another one. */
function Heading({ question, isFresh }: { question: Question; isFresh: boolean }) {
  return (
    <h1
      class={isLong(question) ? 'question long' : 'question'}
      dir="auto"
      {...(isFresh && { tabIndex: -1, 'data-focus': true })}
    >
      <SafeText text={question.question} />
    </h1>
  )
}

function Onward({ words }: { words: ComponentChildren }) {
  return (
    <p class="onward">
      {words && <span class="soft">{words}</span>}
      <a class="button" href={paths.inbox}>
        Back to the inbox
      </a>
    </p>
  )
}

function Saved({ children }: { children: ComponentChildren }) {
  return (
    <p class="result good" role="status">
      <Icon name="check" />
      <span>{children} This question still waits for its own answer.</span>
    </p>
  )
}

/** Only answers have one, and an answer link shows nothing that needs a session. */
function receiptOf({ question, to }: Props): string | undefined {
  return question.status === 'answered' && to === undefined ? href.receipt(question.id) : undefined
}

type HeadProps = Pick<Props, 'question' | 'moment' | 'live'> & { open: boolean }

function Head({ question, moment, open, live }: HeadProps) {
  return (
    <>
      <p class="ask-head">
        {live ? (
          <a class="to-live" href={live}>
            <AgentName name={question.agentName} />
          </a>
        ) : (
          <AgentName name={question.agentName} />
        )}
        {question.detail.header && <span class="chip">{question.detail.header}</span>}
        {question.test && <TestMark />}
        {open ? (
          <TimeLeft question={question} moment={moment} place="head" />
        ) : (
          <span class="left">
            asked <Ago at={question.createdAt} moment={moment} />
          </span>
        )}
      </p>
      <Notice question={question} />
    </>
  )
}

/** The choices that there were, once the question has ended. */
function EndedChoices({ question }: { question: Question }) {
  if (question.choices.length === 0) return null
  const won = new Set(answersIn(question, question.value ?? ''))
  return (
    <ul class="were">
      {question.choices.map(({ label }) => (
        <li class={won.has(label) ? 'won' : undefined}>
          {won.has(label) && <Icon name="check" />}
          <bdi>{label}</bdi>
        </li>
      ))}
    </ul>
  )
}
