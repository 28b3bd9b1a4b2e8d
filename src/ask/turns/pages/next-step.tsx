/** @jsxImportSource preact */

import { Problem } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { Code, CopyButton } from '../../../platform/web/page-parts.tsx'
import { may, type Person } from '../../accounts/model/person.ts'
import { Prose, SafeText } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { AtClock, AtTime } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import { clientTitle } from '../../wire/client-titles.ts'
import { INSTRUCTION_MAX } from '../../wire/turn-fields.ts'
import type { SessionInstruction } from '../model/instruction.ts'
import { hasEnded, IN_ROW_MAX, type Turn } from '../model/turn.ts'
import type { NextStep } from '../read-next.ts'
import { factsOf } from '../turn-message.ts'
import { instructionWords, reachWords, STATE_WORDS } from './turn-words.ts'

/** The text that could not be sent, and why; `toConfirm`: a second tap sends it. */
export type Unsent = { text: string; problem: string; toConfirm: boolean }

type Props = { next: NextStep; person: Person; moment: Moment; unsent?: Unsent | undefined }

/** What the turn of the session came to, what it is told next, and what became of that. */
export function NextStepPart({ next, person, moment, unsent }: Props) {
  const { turn, instructions } = next
  const facts = turn.state === 'over' ? '' : factsOf(turn)
  const version = [turn.state, turn.since, turn.door, turn.letGo, turn.inRow].join()
  return (
    <section class="part next-step" id="next">
      <h2>What next?</h2>
      <div id="turn-state" data-live="whole" data-version={version}>
        <p>
          {STATE_WORDS[turn.state]} <AtClock at={turn.since} moment={moment} />
          {facts && `, ${turn.durationMs === undefined ? '' : 'after '}${facts}`}.
        </p>
        {turn.lastWords && hasEnded(turn) && (
          <blockquote class="last-words">
            <Prose text={turn.lastWords} />
          </blockquote>
        )}
        <p class="soft">{reachWords(turn, moment.now)}</p>
        {turn.inRow > 0 && turn.inRow < IN_ROW_MAX && (
          <p class="soft">
            {turn.inRow} of {IN_ROW_MAX} instructions in a row: after the last, somebody has to type
            at its terminal.
          </p>
        )}
      </div>
      <Composer next={next} unsent={unsent} />
      <ol class="rows instructions" id="instructions" data-live="keyed">
        {instructions.map((one) => (
          <InstructionRow one={one} turn={turn} moment={moment} />
        ))}
      </ol>
      <Settings next={next} person={person} />
    </section>
  )
}

function Composer({ next: { turn, quickReplies }, unsent }: Pick<Props, 'next' | 'unsent'>) {
  return (
    <form method="post" action={href.instruct(turn.id)} class="composer">
      {unsent && <Problem>{unsent.problem}</Problem>}
      <label for="instruction">Tell it something</label>
      <textarea
        id="instruction"
        name="text"
        rows={3}
        maxLength={INSTRUCTION_MAX}
        placeholder="What should it do next?"
        aria-describedby="instruction-rule"
      >
        {unsent?.text}
      </textarea>
      <p class="rule" id="instruction-rule">
        As if you typed it at the terminal. It approves nothing: the agent still asks.
      </p>
      {unsent?.toConfirm && <input type="hidden" name="confirmed" value="yes" />}
      <div class="buttons">
        <button type="submit" class="primary">
          {unsent?.toConfirm ? 'Send as text' : 'Send'}
        </button>
        {quickReplies.map((text) => (
          <button type="submit" name="quick" value={text}>
            <SafeText text={text} />
          </button>
        ))}
      </div>
    </form>
  )
}

type RowProps = { one: SessionInstruction; turn: Turn; moment: Moment }

function InstructionRow({ one, turn, moment }: RowProps) {
  const { id, state, text, personName, createdAt } = one
  const { words, at } = instructionWords(one, turn, moment.now)
  const isGone = state === 'waiting' && turn.state === 'over'
  return (
    <li class="row" id={id} data-key={id} data-version={[state, words].join()}>
      <div class="row-main" {...(isGone ? { 'data-copy-from': true } : {})}>
        {isGone ? (
          <>
            <Code name="What it was to do">{text}</Code>
            <CopyButton />
          </>
        ) : (
          <span class="row-title words">
            <SafeText text={text} />
          </span>
        )}
        <span class="row-sub">
          <span>
            <SafeText text={personName} />, <AtTime at={createdAt} moment={moment} />
          </span>
          <b>
            {words}
            {at !== undefined && (
              <>
                {' '}
                <AtClock at={at} moment={moment} />
              </>
            )}
          </b>
        </span>
      </div>
      {state === 'waiting' && (
        <form method="post" action={href.withdrawInstruction(one.session)} class="row-side">
          <input type="hidden" name="id" value={id} />
          <button type="submit" class="small">
            Withdraw
          </button>
        </form>
      )}
    </li>
  )
}

/** The person's ready texts, and for owners whether hooks may hold the client. */
function Settings({ next, person }: Pick<Props, 'next' | 'person'>) {
  const { turn, quickReplies, holds } = next
  const client = clientTitle(turn.client)
  return (
    <details class="next-settings">
      <summary>
        <Icon name="settings" />
        Ready texts and waiting
      </summary>
      <form method="post" action={href.nextSettings(turn.id)}>
        <label for="replies">Your ready texts, one a line</label>
        <textarea id="replies" name="replies" rows={4}>
          {quickReplies.join('\n')}
        </textarea>
        {may(person, 'policy') && (
          <label class="check">
            <input type="checkbox" name="holds" value="on" checked={holds} />
            After a long turn every {client} here waits for you. Its terminal shows a running hook
            meanwhile; the first key there ends the wait.
          </label>
        )}
        <button type="submit">Save</button>
      </form>
    </details>
  )
}
