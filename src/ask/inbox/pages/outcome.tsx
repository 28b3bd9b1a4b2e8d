/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import type { Db } from '../../../platform/db/database.ts'
import { Icon } from '../../../platform/web/icon.tsx'
import { GRANT_WORDS } from '../../grants/model/grant.ts'
import { Fact } from '../../pages/fact.tsx'
import { AtClock } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import { didNotComeBack } from '../../questions/model/came-back.ts'
import { formLines } from '../../questions/model/form-answer.ts'
import {
  isApproval,
  isProposal,
  type Question,
  type QuestionDetail,
  SOURCE_WORDS,
} from '../../questions/model/question.ts'
import { soFar } from '../../questions/model/vote-hint.ts'
import { whoEnded as nameOfWhoEnded } from '../../questions/who-ended.ts'
import { changeSentence } from './change-words.ts'
import { EditedValues } from './edit-fields.tsx'
import { lookOf } from './status.tsx'
import { Undo } from './undo.tsx'

type Props = {
  question: Question
  moment: Moment
  /** The name of who answered, or "you"; undefined if not known. */
  who: string | undefined
  /** The address of the signed decision; undefined where it cannot be fetched from this page. */
  receipt?: string | undefined
  /** What became of the action after the yes. */
  ran?: ComponentChildren
}

/** How a question ended: what, who, from where, when, and what the agent was told. */
export function OutcomeCard({ question, moment, who, receipt, ran }: Props) {
  const { tone, icon } = lookOf(question, moment.now)
  const at = endOf(question)
  const { edit, edited } = question.detail
  const held = question.answerHeldUntil !== undefined
  return (
    <section class={`outcome ${tone}`} aria-label="Outcome">
      <span class="seal">{icon && <Icon name={icon} />}</span>
      <div>
        <p class="verdict">{verdict(question, moment.now)}</p>
        <FormAnswer question={question} />
        {edit && edited && <EditedValues edit={edit} edited={edited} />}
        <p class="by">
          <By question={question} who={who} />
          {question.answerSource && <>from {SOURCE_WORDS[question.answerSource]} </>}
          at <AtClock at={at} moment={moment} />
        </p>
        {question.note && <blockquote>{question.note}</blockquote>}
        {held && (
          <Undo question={question} from="decide_page" moment={moment} mine={who === 'you'} />
        )}
        {ran}
        <p class="told">
          {agentSentence(question, moment.now)}
          {receipt && !held && (
            <>
              {' '}
              <a href={receipt} download={`beckon-receipt-${question.id}.json`}>
                Receipt
              </a>
            </>
          )}
        </p>
      </div>
    </section>
  )
}

/** Everybody whose vote decided it, the last one last. */
function By({ question, who }: Pick<Props, 'question' | 'who'>) {
  const { detail, answeredBy } = question
  const names = (detail.votedBy ?? []).map(({ id, name }) => (id === answeredBy && who) || name)
  if (names.length < 2) return who ? <>by {who} </> : null
  return (
    <>
      by {names.slice(0, -1).join(', ')} and {names.at(-1)}, the last{' '}
    </>
  )
}

function endOf({ endedAt, expiresAt, status }: Question): number {
  return status === 'expired' || status === 'pending' ? expiresAt : (endedAt ?? expiresAt)
}

/** The fields of a form as they were answered. */
function FormAnswer({ question: { detail, value } }: Pick<Props, 'question'>) {
  if (!detail.form || value === undefined) return null
  return (
    <dl class="facts">
      {formLines(detail.form, value).map(({ label, text }) => (
        <Fact name={label}>{text}</Fact>
      ))}
    </dl>
  )
}

/** `Approved`, `No`, or the text of the answer. */
export function verdict(question: Question, now: number): string {
  const { status, word } = lookOf(question, now)
  if (status !== 'answered') return word
  if (question.detail.form) return 'Filled in'
  if (question.type !== 'confirm') return question.value ?? word
  if (question.detail.forSession) return 'Approved for this session'
  const { granted, edited } = question.detail
  if (edited) return 'Approved with changes'
  if (granted) return `Approved ${GRANT_WORDS[granted.length]}`
  if (question.detail.change?.is === 'not_made') return 'Approved, and not made'
  if (isApproval(question)) return question.value === 'yes' ? 'Approved' : 'Declined'
  return question.value === 'yes' ? 'Yes' : 'No'
}

function agentSentence(question: Question, now: number): string {
  const { status } = lookOf(question, now)
  if (isProposal(question)) return changeSentence(question, status)
  switch (status) {
    case 'answered':
      return answerSentence(question)
    case 'expired':
      if (question.detail.undecidable) return UNDECIDABLE[question.detail.undecidable]
      if (question.detail.onTimeout) return ruleSentence(question, question.detail.onTimeout)
      if (question.detail.paused || question.held)
        return 'Nothing had been sent, and nobody answered in time.'
      return didNotComeBack(question)
        ? 'Nobody answered in time. The agent had stopped waiting before, and did not come back.'
        : 'The agent was told that nobody answered in time, and moved on.'
    case 'cancelled':
      if (question.endReason && !question.endedByToken)
        return `It was withdrawn: ${question.endReason}`
      return question.endReason
        ? `The agent withdrew its question: ${question.endReason}`
        : 'The agent withdrew its question and needs no answer.'
    case 'stopped':
      return 'The agent was told to stop what it is doing.'
    case 'notified':
      return question.detail.atTerminal
        ? 'It waits at the agent’s own terminal, and can only be answered there.'
        : 'You were told, and the agent asks in the terminal.'
    case 'terminal':
      if (question.detail.handedOver) return HANDED_OVER
      return question.detail.quiet
        ? 'Nothing was sent: quiet hours. The agent asks in the terminal.'
        : 'Nothing was sent: your policy leaves such questions to the terminal.'
    case 'pending':
      return 'The agent is waiting.'
  }
}

const HANDED_OVER = 'The agent was told to ask in its own window: neither yes nor no was said here.'

const UNDECIDABLE: Record<NonNullable<QuestionDetail['undecidable']>, string> = {
  owner_unknown:
    'Nobody may decide it: the token that asked has no owner, so anybody could be approving their own agent. The agent was told to stop. An owner hands the token over under Settings, Agent tokens.',
  too_few:
    'Nobody may decide it: too few people are left who may agree. The agent was told to stop. Groups and rules are under Settings.',
}

function ruleSentence(
  question: Question,
  { decision, rule }: NonNullable<QuestionDetail['onTimeout']>,
): string {
  const end = question.requirement
    ? `there were ${soFar(question)} in time`
    : 'nobody answered in time'
  return decision === 'deny'
    ? `The agent was told that ${end}, and that the rule for ${rule} declines it then.`
    : `The agent was told that ${end}, and to ask in the terminal (the rule for ${rule}).`
}

function answerSentence(question: Question): string {
  if (question.answerHeldUntil !== undefined) return 'The agent has not been told yet.'
  const note = question.note ? ', with the note' : ''
  const { form, edited } = question.detail
  const words = edited ? 'yes, with the changes' : form ? 'all of it' : `“${question.value ?? ''}”`
  if (!didNotComeBack(question)) return `The agent was told ${words}${note}.`
  if (question.callbackUrl) {
    return `The agent does not wait for it; the answer${note} is sent to the address that it named.`
  }
  const waited = !question.detail.notWaited && question.origin !== 'notification'
  return waited
    ? `The agent had stopped waiting, and did not come back so far. If it does, it is told the answer${note}.`
    : `The agent did not wait for it, and has not asked for the answer so far. When it does, it is told${note}.`
}

/** Says what happened to the agent, for somebody whose answer it did not get. */
function whereItWent(question: Question, now: number): string {
  const { status } = lookOf(question, now)
  if (status === 'answered') return 'that answer counts'
  if (status === 'expired' && didNotComeBack(question)) return 'the agent did not come back'
  return 'the agent moved on'
}

/** For somebody whose answer lost: what won, and that the agent no longer waits for theirs. */
export function TooLate({ question, moment }: { question: Question; moment: Moment }) {
  const { word } = lookOf(question, moment.now)
  const why = isShort(question.endReason) ? question.endReason : undefined
  return (
    <p class="too-late" role="alert">
      <Icon name="clock" />
      <span>
        Too late: {why ? lowerFirst(why) : word.toLowerCase()}{' '}
        <AtClock at={endOf(question)} moment={moment} />; {whereItWent(question, moment.now)}. What
        you sent changes nothing.
      </span>
    </p>
  )
}

/** Words that went nowhere, to copy; the same as `unsent.js` shows. */
export function UnusedWords({ words }: { words: readonly string[] }) {
  if (words.length === 0) return null
  return (
    <label class="field">
      You had typed
      <textarea readOnly>{words.join('\n\n')}</textarea>
    </label>
  )
}

// A longer one is shown only in the outcome.
const SHORT_CHARS = 60

function isShort(reason: string | undefined): boolean {
  return reason !== undefined && reason.length <= SHORT_CHARS
}

/** A reason as part of a sentence. */
function lowerFirst(reason: string): string {
  return reason.slice(0, 1).toLowerCase() + reason.slice(1).replace(/[.!?]+$/, '')
}

/** The name of who ended a question, or "you"; undefined if nobody did or it is not known. */
export async function whoEnded(deps: { db: Db }, { person }: SignedIn, question: Question) {
  return question.answeredBy === person.id ? 'you' : await nameOfWhoEnded(deps, question)
}
