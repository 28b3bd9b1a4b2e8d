import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../../platform/schema.ts'
import { Contract } from './contract.ts'
import { DeliveryMode } from './delivery-mode.ts'
import { AnswerSource, QuestionStatus, QuestionType } from './question-fields.ts'

const text = (description: string) => Type.String({ description })
const yes = (description: string) => Type.Boolean({ description })
const number = (description: string) => Type.Number({ description })

const NextAction = oneOf(['wait_for_answer', 'ask_in_current_client'], {
  description:
    'What to do now: wait_for_answer first and once, then handoffAction where there is one.',
})
const HandoffAction = oneOf(['cancel_then_ask_in_current_client', 'stop'], {
  description:
    'How to hand over to the current client; takes precedence over nextAction, after the one wait that timedOut asks for.',
})

const DeliveryCounts = Type.Object(
  {
    web: number('Browsers reached.'),
    mobile: number('Phones reached.'),
    pending: Type.Optional(yes('Delivery is still in flight: the counts are not final.')),
  },
  { additionalProperties: false },
)

/** Fields that every result about a question may have. */
const outcomeFields = {
  value: Type.Optional(
    text('yes or no for confirm, the chosen option for select, the text for input.'),
  ),
  note: Type.Optional(text('What the person added.')),
  answerSource: Type.Optional({
    ...AnswerSource,
    description: 'Where it was answered; its absence proves nothing.',
  } as typeof AnswerSource),
  timedOut: Type.Optional(
    yes(
      'This call stopped waiting while the question was live. It is not a refusal; with paused there is nothing to wait for.',
    ),
  ),
  expiresInSeconds: Type.Optional(number('How long the question stays answerable.')),
  nextAction: Type.Optional(NextAction),
  handoffAction: Type.Optional(HandoffAction),
  waitEndsAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'When live waiting ends (UTC).' }),
  ),
  env: Type.Optional(Type.Literal('test')),
  hint: Type.Optional(text('The next step, in words.')),
}

/** Output of `ask_user`. */
export const AskUserResult = Type.Object(
  {
    correlationId: text('Id of the question.'),
    question: text('The question exactly as the person saw it.'),
    type: QuestionType,
    status: Type.Optional({
      ...QuestionStatus,
      description:
        'Only pending is a live wait; unavailable cannot be read now; every other value is an outcome, not a timeout.',
    } as typeof QuestionStatus),
    answered: Type.Optional(yes('True once the person responded; absent with wait:false.')),
    ...outcomeFields,
    answerUrl: Type.Optional(text('Signed-in page where the person can answer.')),
    delivery: Type.Optional(DeliveryCounts),
    deliveryMode: Type.Optional(DeliveryMode),
    mode: Type.Optional(
      oneOf(['notify_only', 'terminal_only'], {
        description: 'The site mode that ended the wait.',
      }),
    ),
    policyTimeoutMs: Type.Optional(
      Type.Number({ minimum: 0, description: 'The wait the policy sets.' }),
    ),
    noDevices: Type.Optional(yes('Nothing could receive the question: do not wait.')),
    held: Type.Optional(
      oneOf(['test_traffic', 'unattributed'], {
        description: 'Stored, deliberately not delivered.',
      }),
    ),
    paused: Type.Optional(
      yes(
        'Nothing was sent: the last approvals of this session went unanswered. Do not wait: follow handoffAction.',
      ),
    ),
    suppressed: Type.Optional(
      yes('Only the phone push was held: a terminal is active on the machine.'),
    ),
    warning: Type.Optional(
      text(
        'No phone or browser was reached: what the person must connect, or the target that no device matches.',
      ),
    ),
  },
  { additionalProperties: false },
)
export type AskUserResult = Static<typeof AskUserResult>

/** The fields that a scope question adds when it is read again. */
const scopeFields = {
  ratified: Type.Optional(yes('The person agreed; answered but not ratified means declined.')),
  contract: Type.Optional(Contract),
  enforces: Type.Optional(
    Type.Array(oneOf(['allowedPaths', 'offLimitsPaths']), {
      description: 'Which parts can be checked by a hook; empty means none.',
    }),
  ),
  enforcementNote: Type.Optional(text('The limits of the contract; repeat it to the person.')),
}

/** Output of `wait_for_answer`. */
export const WaitResult = Type.Object(
  {
    correlationId: text('Id of the question.'),
    status: QuestionStatus,
    answered: yes('True once the person responded.'),
    question: Type.Optional(text('The question exactly as the person saw it.')),
    type: Type.Optional(QuestionType),
    ...outcomeFields,
    forSession: Type.Optional(yes('The yes is for the rest of the session.')),
    ...scopeFields,
  },
  { additionalProperties: false },
)
export type WaitResult = Static<typeof WaitResult>

/** Output of `cancel_question`. */
export const CancelResult = Type.Object(
  {
    correlationId: text('Id of the question.'),
    cancelled: yes('False when something else ended it first; status says what.'),
    status: QuestionStatus,
    value: outcomeFields.value,
    note: outcomeFields.note,
    hint: outcomeFields.hint,
  },
  { additionalProperties: false },
)
export type CancelResult = Static<typeof CancelResult>

/** Output of `propose_scope`. */
export const ProposeScopeResult = Type.Object(
  {
    answered: yes('The person responded; with ratified false they declined.'),
    correlationId: text('Id of the scope question, for wait_for_answer.'),
    status: QuestionStatus,
    ...scopeFields,
    note: outcomeFields.note,
    timedOut: outcomeFields.timedOut,
    expiresInSeconds: outcomeFields.expiresInSeconds,
    nextAction: outcomeFields.nextAction,
    answerUrl: Type.Optional(text('Signed-in page where the person can decide.')),
    delivery: Type.Optional(DeliveryCounts),
    noDevices: Type.Optional(yes('Nothing could receive the proposal.')),
    hookSeen: Type.Optional(yes('A hook has reported this session.')),
    hint: outcomeFields.hint,
    warning: Type.Optional(
      text('No phone or browser was reached: why, and what the person must connect.'),
    ),
    env: outcomeFields.env,
  },
  { additionalProperties: false },
)
export type ProposeScopeResult = Static<typeof ProposeScopeResult>
