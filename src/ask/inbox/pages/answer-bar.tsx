/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { isApproval, isProposal, type Question } from '../../questions/model/question.ts'
import { isUnseen, unseenWords } from '../../questions/model/shown-whole.ts'
import { OwnVote } from './deciders.tsx'
import type { DecidersView } from './read-deciders.ts'
import { SessionButton } from './session-allows.tsx'
import { shortHash } from './version.ts'

type Props = {
  question: Question
  dangerous: boolean
  /** True if a yes for the whole session can be given here. */
  session: boolean
  /** Who has to agree, where somebody signed in looks at it. */
  deciders?: DecidersView | undefined
}

/** The two answers, and beside them what this person has said and why there is no yes. */
export function YesNo({ question, dangerous, session, deciders }: Props) {
  const [word, no] = isApproval(question) ? ['Approve', 'Decline'] : ['Yes', 'No']
  const of = deciders && deciders.need > 1 && (
    <span class="of">
      ({deciders.next} of {deciders.need})
    </span>
  )
  const offersYes = !isUnseen(question) && (deciders ? deciders.mayYes : !question.requirement)
  // Whoever has answered is asked nothing: each button only changes their mind.
  const big = deciders?.own ? 'big plain' : 'big'
  return (
    <div class={dangerous ? 'bar careful' : 'bar'} {...liveBar(deciders, question)}>
      {isUnseen(question) && <Unseen question={question} />}
      {deciders && <OwnVote view={deciders} id={question.id} />}
      {deciders?.mayNo !== false && (
        <button type="submit" name="value" value="no" class={big} data-key="n">
          <Icon name="cross" />
          {no}
        </button>
      )}
      {offersYes && (
        <button type="submit" name="value" value="yes" class={big} data-key="y">
          <Icon name={dangerous ? 'warning' : 'check'} />
          <span>
            {dangerous ? `${word}…` : word} {of}
          </span>
        </button>
      )}
      {session && <SessionButton />}
    </div>
  )
}

/** Live of its own: votes of others change what the buttons say, and no note that is being typed. */
function liveBar(deciders: DecidersView | undefined, { id }: Question) {
  if (!deciders) return {}
  const { own, why, mayYes, mayNo, next, need, isInformed } = deciders
  const version = shortHash([own?.words, why, mayYes, mayNo, next, need, isInformed])
  return { id: `bar-${id}`, 'data-live': 'whole', 'data-version': version }
}

/** Why there is no yes; it stays with the buttons, wherever the bar is. */
function Unseen({ question }: Pick<Props, 'question'>) {
  return (
    <p class="warn whole" id={`unseen-${question.id}`}>
      <Icon name="warning" />
      <span>{unseenWords(question)}</span>
    </p>
  )
}

/**
 * For somebody who may neither approve nor decline: stopping the agent is a no that is always theirs.
 * A proposal is only its proposer's to withdraw.
 */
export function StopOnly({ question, deciders }: { question: Question; deciders: DecidersView }) {
  const isTheirs = !isProposal(question) || deciders.isProposer
  return (
    <div class="bar" {...liveBar(deciders, question)}>
      <OwnVote view={deciders} id={question.id} />
      {isTheirs && (
        <button type="submit" class="big" form={`stop-${question.id}`}>
          <Icon name="stop" />
          {isProposal(question) ? 'Withdraw the proposal' : 'Stop the agent'}
        </button>
      )}
    </div>
  )
}
