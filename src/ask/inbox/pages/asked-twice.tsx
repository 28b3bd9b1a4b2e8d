/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { AgentName } from '../../pages/agent-name.tsx'
import { Fact } from '../../pages/fact.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { repositoryOf } from '../../pages/repository-name.ts'
import type { Moment } from '../../pages/visit.ts'
import { asEdited } from '../../questions/model/edit.ts'
import type { Question, Values } from '../../questions/model/question.ts'
import { isApproval } from '../../questions/model/question.ts'
import { whyDangerous } from '../../wire/danger/destructive.ts'
import type { AnswerSource } from '../../wire/question-fields.ts'
import { type AnswerDraft, htmxAttributes } from './answers.tsx'
import { draftEdited, EditedValues, HiddenEdit } from './edit-fields.tsx'
import { Deed, Settings, Stakes } from './facts.tsx'
import { Notice } from './notice.tsx'
import { FoldedRow } from './question-card.tsx'
import { versionOf } from './version.ts'

type Props = {
  question: Question
  draft: AnswerDraft
  from: AnswerSource
  /** Id of the element that the response replaces when scripts run. */
  replaces: string
  /** Who looks after it, if that is somebody else. */
  holder?: string | undefined
  /** The answer link, if it is answered through one. */
  to?: string
}

/** The second question before a yes that is hard to undo, as a page of its own. */
export function AskedTwice(props: Props) {
  const { edit } = props.question.detail
  const edited = draftEdited(props.question, props.draft)
  return (
    <div
      id="decision"
      class="decision twice"
      data-live="whole"
      data-version={versionOf(props.question, 'pending')}
    >
      <div class="ask">
        <Warning question={props.question} />
        <Holder name={props.holder} />
        <h1 class="question" tabIndex={-1} data-focus>
          {edited ? 'Approve it with these changes?' : 'Are you sure?'}
        </h1>
        {edit && edited && <EditedValues edit={edit} edited={edited} />}
        <What question={asEdited(props.question, edited)} />
      </div>
      <SureForm {...props} edited={edited} />
    </div>
  )
}

/** The same in a list, in place of the card that was tapped. */
export function CardAskedTwice({ moment, ...props }: Props & { moment: Moment }) {
  const { question, replaces } = props
  const { id } = question
  return (
    <article
      id={replaces}
      class="card twice"
      data-key={id}
      data-version={versionOf(question, 'pending')}
      data-move
      aria-labelledby={`sure-${id}`}
    >
      <FoldedRow question={question} moment={moment} fold="open">
        <Warning question={question} />
        <Holder name={props.holder} />
        <h2 class="sure-question" id={`sure-${id}`} tabIndex={-1} data-focus>
          Are you sure?
        </h2>
        <What question={question} />
        <SureForm {...props} />
      </FoldedRow>
    </article>
  )
}

function Warning({ question }: { question: Question }) {
  const why = whyDangerous(question)
  if (why === undefined) return null
  return (
    <p class="warn">
      <Icon name="warning" />
      <span>{why}</span>
    </p>
  )
}

function Holder({ name }: { name: string | undefined }) {
  if (name === undefined) return null
  return (
    <p class="notice">
      <Icon name="clock" />
      <span>
        <SafeText text={name} /> looks after this now. You may decide it all the same.
      </span>
    </p>
  )
}

/** Who asks, and everything that a yes allows, uncut. */
function What({ question }: { question: Question }) {
  const repository = repositoryOf(question)
  return (
    <>
      <Notice question={question} />
      <p class="context" dir="auto">
        <SafeText text={question.question} />
      </p>
      <Deed detail={question.detail} />
      <dl class="facts">
        <Stakes detail={question.detail} />
        <Fact name="Agent">
          <AgentName name={question.agentName} />
        </Fact>
        {repository && <Fact name="Repository">{repository}</Fact>}
      </dl>
      <Settings settings={question.detail.toolSettings} />
    </>
  )
}

function SureForm({
  question,
  draft,
  from,
  replaces,
  to,
  edited,
}: Props & { edited?: Values | undefined }) {
  const [no, yes] = isApproval(question)
    ? ['Decline', edited ? 'Approve changes' : 'Approve anyway']
    : ['No', 'Yes, do it']
  return (
    <form
      method="post"
      action={to ?? href.answer(question.id)}
      class="answers confirm sure"
      data-answers
      {...(to === undefined ? htmxAttributes(href.answer(question.id), replaces) : {})}
    >
      <input type="hidden" name="from" value={from} />
      <input type="hidden" name="sure" value="yes" />
      <input type="hidden" name="note" value={draft.note} />
      {draft.scope && (
        <>
          <input type="hidden" name="allowed" value={draft.scope.allowed} />
          <input type="hidden" name="offLimits" value={draft.scope.offLimits} />
        </>
      )}
      {edited && <HiddenEdit draft={draft} edited={edited} />}
      {edited && (
        <p class="onward">
          <button
            type="submit"
            class="small"
            formaction={href.editScope(question.id)}
            {...htmxAttributes(href.editScope(question.id), replaces)}
          >
            Change it again
          </button>
        </p>
      )}
      <div class="bar careful">
        <button type="submit" name="value" value="no" class="big" data-key="n">
          <Icon name="cross" />
          {no}
        </button>
        <button type="submit" name="value" value="yes" class="big" data-key="y">
          {yes}
        </button>
      </div>
      <p class="undecided">
        <a href={to ?? href.decide(question.id)} {...wayBack({ question, from, replaces })}>
          Back to the question
        </a>
      </p>
    </form>
  )
}

/** Leads back: a card is replaced in place, a page is opened again. */
function wayBack({ question, from, replaces }: Pick<Props, 'question' | 'from' | 'replaces'>) {
  if (replaces === 'decision') return {}
  return {
    'hx-get': `${href.decide(question.id)}?from=${from}`,
    'hx-target': `#${replaces}`,
    'hx-select': `#${replaces}`,
    'hx-swap': 'outerHTML ignoreTitle:true',
    // The buttons belong to the form.
    'hx-disabled-elt': 'unset',
  }
}
