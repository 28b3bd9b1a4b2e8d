/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { AgentName } from '../../pages/agent-name.tsx'
import { Title } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { AtTime } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import type { Question } from '../../questions/model/question.ts'
import { lengthsFor, type SnoozeLength } from '../../questions/model/snooze.ts'
import type { SnoozedQuestion } from '../../questions/model/snooze-store.ts'
import { questionTitle } from '../../questions/model/title.ts'
import type { AnswerSource } from '../../wire/question-fields.ts'
import { htmxAttributes } from './answers.tsx'

/** Sent in place of a length of time to show a question again. */
export const SHOW_AGAIN = 'show_again'

const WORDS: Record<SnoozeLength, string> = {
  '5_minutes': '5 minutes',
  '15_minutes': '15 minutes',
  until_end: 'Until a minute before it ends',
}

type Props = {
  question: Question
  moment: Moment
  /** When it comes back, if this person snoozed it. */
  until: number | undefined
}

/** "Later": snoozes the question, or shows it again. Its buttons belong to `SnoozeForm`. */
export function Later({ question, moment, until }: Props) {
  const { id } = question
  const lengths = lengthsFor(question, moment.now)
  const of = { type: 'submit', form: `snooze-${id}`, name: 'for' } as const
  return (
    <details class="later" id={`later-${id}`} data-live="whole" data-version={until ?? 'shown'}>
      <summary>
        <Icon name="clock" />
        {until === undefined ? 'Later' : 'Snoozed'}
      </summary>
      <div class="later-what">
        {until !== undefined && (
          <p>
            You snoozed it until <AtTime at={until} moment={moment} />.
          </p>
        )}
        {until === undefined && lengths.length === 0 && <p>It ends within a minute.</p>}
        {until === undefined &&
          lengths.map((length) => (
            <button {...of} value={length}>
              {WORDS[length]}
            </button>
          ))}
        {until !== undefined && (
          <button {...of} value={SHOW_AGAIN}>
            Show again
          </button>
        )}
        <p class="soft">Only for you. The agent waits on, and others still see it.</p>
      </div>
    </details>
  )
}

type FormProps = {
  question: Question
  from: AnswerSource
  /** Id of the element that the response replaces when scripts run; without it the page changes. */
  replaces?: string
}

/** The form behind "Later"; forms cannot be nested, so it is beside the answers. */
export function SnoozeForm({ question: { id }, from, replaces }: FormProps) {
  const to = href.snooze(id)
  return (
    <form
      id={`snooze-${id}`}
      method="post"
      action={to}
      {...(replaces !== undefined && withoutButton(htmxAttributes(to, replaces)))}
    >
      <input type="hidden" name="from" value={from} />
    </form>
  )
}

/**
 * Removes the button attribute of a form whose buttons are elsewhere: none can be disabled in it.
 */
function withoutButton({ 'hx-disabled-elt': _, ...rest }: ReturnType<typeof htmxAttributes>) {
  return rest
}

type SnoozedProps = {
  snoozed: readonly SnoozedQuestion[]
  from: AnswerSource
  moment: Moment
  /** The id of the question that has just been snoozed. */
  just: string | null
}

/** Lists the snoozed questions of a person, folded, at the end of the list. */
export function Snoozed({ snoozed, from, moment, just }: SnoozedProps) {
  const fresh = snoozed.find(({ question }) => question.id === just)
  return (
    <>
      <div
        id="just-snoozed"
        data-live="whole"
        data-version={fresh && `${fresh.question.id} ${fresh.until}`}
      >
        {fresh && (
          <p class="result wait" role="status">
            <Icon name="clock" />
            <span>
              <b>
                <Title title={questionTitle(fresh.question)} />
              </b>{' '}
              Snoozed until <AtTime at={fresh.until} moment={moment} />. It comes back by itself.
            </span>
          </p>
        )}
      </div>
      <div id="snoozed" data-live="keyed">
        {snoozed.length > 0 && (
          <details class="snoozed" data-key="fold" data-version="fold">
            <summary>
              <Icon name="clock" />
              <span id="snoozed-count" data-live="whole" data-version={snoozed.length}>
                Snoozed ({snoozed.length})
              </span>
            </summary>
            <ul class="rows" id="snoozed-rows" data-live="keyed">
              {snoozed.map((one) => (
                <SnoozedRow {...one} from={from} moment={moment} />
              ))}
            </ul>
          </details>
        )}
      </div>
    </>
  )
}

type RowProps = SnoozedQuestion & Pick<SnoozedProps, 'from' | 'moment'>

function SnoozedRow({ question, until, from, moment }: RowProps) {
  const { id } = question
  const to = href.snooze(id)
  return (
    <li class="snoozed-row" data-key={`snoozed-${id}`} data-version={until}>
      <div>
        <a class="row-question" href={href.decide(id)}>
          <Title title={questionTitle(question)} />
        </a>
        <p class="row-who soft">
          <AgentName name={question.agentName} />
          <span>
            back at <AtTime at={until} moment={moment} />
          </span>
        </p>
      </div>
      <form method="post" action={to} hx-post={to} hx-swap="none" hx-sync="this:drop">
        <input type="hidden" name="from" value={from} />
        <button type="submit" name="for" value={SHOW_AGAIN}>
          Show again
        </button>
      </form>
    </li>
  )
}
