import { type Static, Type } from '@sinclair/typebox'
import { shape } from '../../platform/schema.ts'
import { timeoutMs } from './ask-fields.ts'

const correlationId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The correlationId that ask_user, propose_scope or send_notification returned.',
})

/** Input of `wait_for_answer`. */
export const WaitInput = Type.Object(
  { correlationId, timeoutMs: Type.Optional(timeoutMs) },
  { additionalProperties: false },
)
export type WaitInput = Static<typeof WaitInput>
export const waitInput = shape(WaitInput)

/** Input of `cancel_question`. */
export const CancelInput = Type.Object(
  {
    correlationId,
    reason: Type.Optional(
      Type.String({ maxLength: 200, description: 'Why it is withdrawn, shown to the person.' }),
    ),
  },
  { additionalProperties: false },
)
export type CancelInput = Static<typeof CancelInput>
export const cancelInput = shape(CancelInput)
