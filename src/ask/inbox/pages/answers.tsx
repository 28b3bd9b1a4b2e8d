/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import type { Wrong } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { whyNotHandOver } from '../../answering/hand-over.ts'
import { Prose } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { offersSession } from '../../questions/model/answer.ts'
import {
  ANSWER_MAX,
  type GrantLength,
  isProposal,
  NOTE_MAX,
  type Question,
} from '../../questions/model/question.ts'
import { isUnseen } from '../../questions/model/shown-whole.ts'
import type { AnswerSource } from '../../wire/question-fields.ts'
import { StopOnly, YesNo } from './answer-bar.tsx'
import { EditFields } from './edit-fields.tsx'
import { type FormDraft, FormFields } from './form-fields.tsx'
import { LongerYes } from './longer-yes.tsx'
import type { DecidersView } from './read-deciders.ts'
import { type ScopeDraft, scopeDraft } from './scope-form.ts'
import { ScopePaths, type ScopeSight } from './scope-paths.tsx'
import { SessionAllowsList } from './session-allows.tsx'

/** The typed input before a page was shown again with an error or a second question. */
export type AnswerDraft = {
  values: string[]
  other: string
  note: string
  /** The yes is for the rest of the session. */
  forSession?: boolean
  /** For how long the same call is allowed with the yes. */
  grant?: GrantLength
  /** The paths of a scope as they were edited. */
  scope?: ScopeDraft | undefined
  /** The fields of a form, and what is wrong with them. */
  fields?: FormDraft | undefined
  wrong?: Wrong
  /** The fields are arguments that may be changed. */
  isEdit?: boolean
}
export const NO_DRAFT: AnswerDraft = { values: [], other: '', note: '' }

type Props = {
  question: Question
  from: AnswerSource
  /** The command looks destructive: "No" is the solid button, "Yes" asks once more. */
  dangerous: boolean
  draft?: AnswerDraft
  /** Id of the element that the response replaces when scripts run. */
  replaces: string
  /** Where the answer is sent, if not to the question's own address. */
  to?: string | undefined
  /** For a scope: what its paths match. They can be edited if this is known. */
  sight?: ScopeSight | undefined
  /** Who has to agree, where somebody signed in looks at it. */
  deciders?: DecidersView | undefined
  /** "Later", for somebody who is signed in. */
  later?: ComponentChildren
}

export function Answers(props: Props) {
  const { question, from, dangerous, draft = NO_DRAFT, replaces } = props
  const to = props.to ?? href.answer(question.id)
  return (
    <form
      method="post"
      action={to}
      class={`answers ${question.type}`}
      data-answers
      {...htmxAttributes(to, replaces)}
    >
      <input type="hidden" name="from" value={from} />
      {props.sight && question.detail.contract && (
        <ScopePaths
          question={question}
          draft={draft.scope ?? scopeDraft(question.detail.contract)}
          sight={props.sight}
          edited={draft.scope !== undefined}
        />
      )}
      <Fields
        question={question}
        dangerous={dangerous}
        draft={draft}
        session={isWhole(props) && offersSession(question)}
        signedIn={props.to === undefined}
        whole={isWhole(props)}
        later={props.later}
        deciders={props.deciders}
      />
    </form>
  )
}

/**
 * With scripts the form is sent to `to`, and the element `replaces` of the response replaces the
 * one on this page. Taps while it is being sent are ignored.
 */
export function htmxAttributes(to: string, replaces: string) {
  const place = `#${replaces}`
  return {
    'hx-post': to,
    'hx-target': place,
    'hx-select': place,
    'hx-swap': replaces === 'decision' ? 'outerHTML show:window:top' : 'outerHTML ignoreTitle:true',
    'hx-sync': 'this:drop',
    'hx-disabled-elt': 'find button',
  }
}

/** The whole question is shown here, to somebody who is signed in. */
function isWhole({ replaces, to }: Props): boolean {
  return replaces === 'decision' && to === undefined
}

type FieldsProps = Pick<Props, 'question' | 'dangerous' | 'later' | 'deciders'> & {
  draft: AnswerDraft
  /** True if a yes for the whole session can be given here. */
  session: boolean
  /** Not through an answer link. */
  signedIn: boolean
  /** All of it is shown here. */
  whole: boolean
}

function Fields(props: FieldsProps) {
  const { question, dangerous, draft, session, signedIn, whole, later, deciders } = props
  const isVote = question.type === 'confirm'
  if (deciders && !deciders.mayYes && !(isVote && deciders.mayNo)) {
    return <StopOnly question={question} deciders={deciders} />
  }
  const handOver = signedIn && mayHandOver(question) && <HandOver question={question} />
  if (question.type === 'input') {
    return (
      <>
        <Typed question={question} draft={draft} />
        <Extras question={question} draft={draft} later={later} />
        <SendBar />
        {handOver}
      </>
    )
  }
  if (question.type === 'confirm') {
    return (
      <>
        <Extras question={question} draft={draft} later={later} />
        {session && <SessionAllowsList question={question} />}
        {signedIn && <EditFields question={question} draft={draft} whole={whole} />}
        {signedIn && <LongerYes question={question} />}
        <YesNo question={question} dangerous={dangerous} session={session} deciders={deciders} />
        {handOver}
      </>
    )
  }
  return (
    <>
      <Choices question={question} draft={draft} later={later} />
      {handOver}
    </>
  )
}

/**
 * True if the agent's own client can ask as well: a hook holds the call, and all of it is shown
 * here.
 */
function mayHandOver(question: Question): boolean {
  const { toolName, scopePath } = question.detail
  if (whyNotHandOver(question) !== undefined) return false
  if (toolName !== undefined || scopePath !== undefined) return true
  return question.type === 'confirm' && isUnseen(question)
}

function HandOver({ question }: Pick<FieldsProps, 'question'>) {
  return (
    <button type="submit" class="hand-over" form={`hand-over-${question.id}`}>
      <Icon name="terminal" />
      Decide in the terminal
    </button>
  )
}

function Typed({ question, draft }: { question: Question; draft: AnswerDraft }) {
  const { form } = question.detail
  if (!form) return <TypedAnswer question={question} draft={draft} />
  const { fields, wrong = new Map() } = draft
  return <FormFields id={question.id} form={form} draft={fields} wrong={wrong} />
}

function TypedAnswer({ question, draft }: { question: Question; draft: AnswerDraft }) {
  const id = `typed-${question.id}`
  return (
    <div class="field">
      <label for={id}>Your answer</label>
      <textarea
        id={id}
        name="value"
        dir="auto"
        rows={3}
        required
        maxLength={ANSWER_MAX}
        placeholder={question.detail.placeholder}
      >
        {draft.values[0] ?? ''}
      </textarea>
    </div>
  )
}

/** A tap on a choice only selects it; the button sends. */
function Choices({ question, draft, later }: ExtrasProps) {
  const { multiSelect, allowOther } = question.detail
  return (
    <>
      <fieldset class="choices">
        <legend>{multiSelect ? 'Choose one or more' : 'Choose one'}</legend>
        {question.choices.map(({ label, description }, i) => (
          <Choice
            several={multiSelect === true}
            required={!multiSelect && !allowOther}
            value={label}
            dataKey={String(i + 1)}
            checked={draft.values.includes(label)}
            description={description}
          >
            <Prose text={label} />
          </Choice>
        ))}
        {allowOther && !multiSelect && (
          // Without a value: the words are in the field below.
          <Choice value="" checked={draft.other !== ''}>
            Something else
          </Choice>
        )}
      </fieldset>
      {allowOther && <OtherAnswer question={question} draft={draft} />}
      <Extras question={question} draft={draft} later={later} />
      <SendBar />
    </>
  )
}

type ChoiceProps = {
  value: string
  children: ComponentChildren
  description?: string | undefined
  several?: boolean
  required?: boolean
  checked?: boolean
  /** The key that selects it. */
  dataKey?: string
}

/** One of several answers, to select. */
export function Choice(props: ChoiceProps) {
  const { value, children, description, several, required, checked, dataKey } = props
  return (
    <label class="choice">
      <input
        type={several ? 'checkbox' : 'radio'}
        name="value"
        value={value}
        data-key={dataKey}
        required={required}
        checked={checked}
      />
      <span class="choice-text" dir="auto">
        <b>{children}</b>
        {description && (
          <small>
            <Prose text={description} />
          </small>
        )}
      </span>
    </label>
  )
}

function OtherAnswer({ question, draft }: { question: Question; draft: AnswerDraft }) {
  const id = `other-${question.id}`
  return (
    <div class="field">
      <label for={id}>
        {question.detail.multiSelect ? 'Something else as well' : 'In your own words'}
      </label>
      <textarea id={id} name="other" dir="auto" rows={1} maxLength={ANSWER_MAX} data-other>
        {draft.other}
      </textarea>
    </div>
  )
}

function SendBar() {
  return (
    <div class="bar">
      <button type="submit" class="big" data-key="s">
        <Icon name="check" />
        Send answer
      </button>
    </div>
  )
}

type ExtrasProps = Pick<FieldsProps, 'question' | 'draft' | 'later'>

/** The note, "Later", and the link for stopping instead of answering. */
function Extras({ question, draft, later }: ExtrasProps) {
  const note = `note-${question.id}`
  return (
    <div class="extras">
      <details open={draft.note !== ''}>
        <summary>
          <Icon name="plus" />
          Add a note
        </summary>
        <div class="field">
          <label for={note}>A note that goes with the answer</label>
          <textarea id={note} name="note" dir="auto" rows={2} maxLength={NOTE_MAX}>
            {draft.note}
          </textarea>
        </div>
      </details>
      {later}
      {!isProposal(question) && <Stopping question={question} />}
    </div>
  )
}

function Stopping({ question }: Pick<ExtrasProps, 'question'>) {
  return (
    <details class="stopping">
      <summary>
        <Icon name="stop" />
        Stop the agent
      </summary>
      <div class="confirm-stop">
        <p>It gets no answer and is told to stop what it is doing.</p>
        <button type="submit" class="small bad" form={`stop-${question.id}`}>
          Stop it now
        </button>
      </div>
    </details>
  )
}

/**
 * The forms behind "Stop it now" and "Decide in the terminal"; forms cannot be nested, so they are
 * beside the answers.
 */
export function StopForm(props: {
  question: Question
  from: AnswerSource
  to?: string | undefined
}) {
  const { question, from, to = href.stop(question.id) } = props
  return (
    <>
      <form id={`stop-${question.id}`} method="post" action={to}>
        <input type="hidden" name="from" value={from} />
        <input type="hidden" name="stop" value="yes" />
      </form>
      {props.to === undefined && mayHandOver(question) && (
        <form id={`hand-over-${question.id}`} method="post" action={href.handOver(question.id)}>
          <input type="hidden" name="from" value={from} />
        </form>
      )}
    </>
  )
}
