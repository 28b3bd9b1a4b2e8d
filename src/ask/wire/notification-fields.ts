import { type Static, Type } from '@sinclair/typebox'
import { oneOf, shape } from '../../platform/schema.ts'
import { agentNameText, Env } from './ask-fields.ts'
import { QUESTION_MAX, QuestionType } from './question-fields.ts'
import { targetingFields } from './targeting.ts'

const text = (description: string, maxLength?: number) =>
  Type.Optional(Type.String({ description, ...(maxLength === undefined ? {} : { maxLength }) }))
const list = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

/** A decision asked together with a notification. */
const EmbeddedQuestion = Type.Object(
  {
    question: Type.String({
      minLength: 1,
      maxLength: QUESTION_MAX,
      description: 'What to decide.',
    }),
    type: Type.Optional({ ...QuestionType, default: 'confirm' } as typeof QuestionType),
    options: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 2,
        maxItems: 6,
        description: 'For select: two to six choices.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** The detail page of a notification. */
export const NotificationContext = Type.Object(
  {
    type: oneOf(['task_complete', 'error', 'info'], {
      description: 'error is delivered with high urgency.',
    }),
    summary: text('Top of the detail page.'),
    details: list('Shown as bullets.'),
    errorMessage: text('For type error.'),
    errorFile: text('Path where the error occurred.'),
    filesChanged: list('Paths created or modified.'),
    nextSteps: text('What the person should do next.'),
    askQuestion: Type.Optional(EmbeddedQuestion),
  },
  { additionalProperties: false },
)
export type NotificationContext = Static<typeof NotificationContext>

/** Input of `send_notification`. */
export const SendNotificationInput = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 100, description: 'The headline.' }),
    body: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'What happened, in a sentence or two.',
    }),
    agentName: text(agentNameText, 100),
    context: Type.Optional({
      ...NotificationContext,
      description: 'Makes a detail page that the notification opens.',
    } as typeof NotificationContext),
    env: Type.Optional(Env),
    ...targetingFields,
    iconUrl: Type.Optional(Type.String({ format: 'uri', description: 'Icon image.' })),
    imageUrl: Type.Optional(Type.String({ format: 'uri', description: 'Large image.' })),
    machineId: text('Stable id of this machine.', 128),
    sessionId: text('Opaque id of this working session.', 128),
    url: Type.Optional(
      Type.String({ format: 'uri', description: 'Opened on tap; ignored when context is given.' }),
    ),
  },
  { additionalProperties: false },
)
export type SendNotificationInput = Static<typeof SendNotificationInput>
export const sendNotificationInput = shape(SendNotificationInput)

const ChannelResult = Type.Object(
  {
    recipients: Type.Number({ description: 'Devices that accepted the push.' }),
    status: Type.Optional(Type.String({ description: 'Why nobody was reached.' })),
  },
  { additionalProperties: false },
)

/** Output of `send_notification`. */
export const SendNotificationResult = Type.Object(
  {
    sent: Type.Number({ description: 'Devices reached; with zero the call still succeeded.' }),
    delivery: Type.Object(
      { web: ChannelResult, mobile: ChannelResult },
      { additionalProperties: false },
    ),
    env: Type.Optional(Type.Literal('test')),
    hint: Type.Optional(Type.String({ description: 'The next step, when there is one.' })),
    linkedCorrelationId: Type.Optional(
      Type.String({ description: 'Id of the embedded question, for wait_for_answer.' }),
    ),
    warning: Type.Optional(
      Type.String({
        description: 'No device was reached: what to connect, or the target that none matches.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type SendNotificationResult = Static<typeof SendNotificationResult>
