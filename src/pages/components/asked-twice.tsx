/** @jsxImportSource preact */
import { whyDangerous } from '../../questions/destructive.ts'
import type { AnswerSource, Question } from '../../questions/question.ts'
import { href } from '../routes.ts'
import { Redacted } from './action-body.tsx'
import { isApproval } from './agent-name.tsx'
import type { Draft } from './answers.tsx'
import { Code } from './code.tsx'
import { Icon } from './icon.tsx'

type Props = {
  question: Question
  draft: Draft
  from: AnswerSource
  /** The answer link, when it is answered through one. */
  to?: string
}

/** The second question before a yes that is hard to take back. */
export function AskedTwice({ question, draft, from, to }: Props) {
  const { action, actionBody } = question.detail
  const what = action ?? actionBody
  return (
    <div id="decision" class="decision twice">
      <div class="ask">
        <p class="warn">
          <Icon name="warning" />
          <span>{whyDangerous(question)}</span>
        </p>
        <h1 class="question">Let it happen?</h1>
        <p class="context">{question.question}</p>
        {what && (
          <Code name="What will happen">
            <Redacted text={what} />
          </Code>
        )}
      </div>
      <form
        method="post"
        action={to ?? href.answer(question.id)}
        class="answers confirm"
        data-answers
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
        <div class="bar careful">
          <button type="submit" name="value" value="no" class="big" data-key="n">
            <Icon name="cross" />
            {isApproval(question) ? 'Decline' : 'No'}
          </button>
          <button type="submit" name="value" value="yes" class="big" data-key="y">
            {isApproval(question) ? 'Approve anyway' : 'Yes, do it'}
          </button>
        </div>
        <p class="undecided">
          <a href={to ?? href.decide(question.id)}>Back to the question</a>
        </p>
      </form>
    </div>
  )
}
