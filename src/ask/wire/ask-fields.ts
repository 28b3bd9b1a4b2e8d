import { type Static, Type } from '@sinclair/typebox'
import { PatternMeaning, shape } from '../../platform/schema.ts'
import type { ExactCall } from './exact-call.ts'
import { WAIT_MAX_MS, WAIT_MIN_MS } from './limits.ts'
import { QUESTION_MAX, QuestionType } from './question-fields.ts'
import type { ReadingSummary } from './reading/summary.ts'
import { targetingFields } from './targeting.ts'
import type { ToolSettings } from './tool-settings.ts'

const text = (description: string, options: { maxLength?: number; minLength?: number } = {}) =>
  Type.String({ ...options, description })
const MACHINE = 'Filled in by hooks and runtimes; leave it out.'

/** A longer `permissionMode` is ignored (QS-LIM-tool). */
const PERMISSION_MODE_MAX = 64

/** `env`: the only value is `test`. */
export const Env = Type.Literal('test', {
  description: 'Test traffic: recorded and answerable on the pages, delivered to nobody.',
})

export const timeoutMs = Type.Integer({
  minimum: WAIT_MIN_MS,
  maximum: WAIT_MAX_MS,
  description: 'How long this call waits, in milliseconds. The question itself lives 10 minutes.',
})

export const agentNameText =
  'Who asks, as "{Agent} - {project}", for example "Claude Code - shop-api".'

/** The structured question of agent runtimes. */
const RichQuestion = Type.Object(
  {
    question: text('The question.', { minLength: 1, maxLength: QUESTION_MAX }),
    multiSelect: Type.Boolean({ description: 'Several options may be chosen.' }),
    options: Type.Array(
      Type.Object(
        {
          label: text('What the person chooses; returned as the value.', {
            minLength: 1,
            maxLength: 100,
          }),
          description: Type.Optional(text('What choosing it means.', { maxLength: 500 })),
        },
        { additionalProperties: false },
      ),
      { minItems: 2, maxItems: 4, description: 'Two to four options.' },
    ),
    header: Type.Optional(text('A short label above the question.', { maxLength: 40 })),
    allowOther: Type.Optional(
      Type.Boolean({ description: 'The person may write an answer of their own.' }),
    ),
  },
  { additionalProperties: false },
)

/** Input of `ask_user`. The limits of texts are QS-LIM-*. */
export const AskUserInput = Type.Object(
  {
    question: text('What you need decided, in one or two sentences. Cut to 500 characters.', {
      minLength: 1,
    }),
    type: Type.Optional({
      ...QuestionType,
      default: 'confirm',
      description: 'confirm is yes or no, select is one of `options`, input is typed text.',
    } as typeof QuestionType),
    options: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 2,
        maxItems: 6,
        description: 'For select: two to six choices; the chosen string comes back as the value.',
      }),
    ),
    placeholder: Type.Optional(text('For input: a hint in the empty field.', { maxLength: 200 })),
    context: Type.Optional(
      text('Background the person needs, shown above the question.', { maxLength: 500 }),
    ),
    action: Type.Optional(
      text('The exact operation about to happen, on one line. Cut to 500 characters.'),
    ),
    actionBody: Type.Optional(
      text('The full diff or command, shown folded; secrets are redacted, never part of a push.', {
        maxLength: 4000,
      }),
    ),
    blocker: Type.Optional(
      text('The one reason you cannot go on, on one line. Cut to 500 characters.'),
    ),
    intent: Type.Optional(
      text('The task the person gave you, on one line. Cut to 500 characters.'),
    ),
    agentName: Type.Optional(text(`${agentNameText} Cut to 100 characters.`)),
    wait: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'false returns at once with a correlationId; collect the answer with wait_for_answer.',
      }),
    ),
    timeoutMs: Type.Optional(timeoutMs),
    callbackUrl: Type.Optional(
      Type.String({
        format: 'uri',
        description:
          'Receives a signed POST with the answer, for a process that may be gone by then.',
      }),
    ),
    env: Type.Optional(Env),
    ...targetingFields,
    machineId: Type.Optional(text('Stable id of this machine.', { maxLength: 128 })),
    sessionId: Type.Optional(text('Opaque id of this working session.', { maxLength: 128 })),
    repoKey: Type.Optional(
      text('Stable identity of the repository; rules for one repository match it.', {
        maxLength: 200,
      }),
    ),
    toolName: Type.Optional(text('The tool that needs approval.', { maxLength: 100 })),
    toolTarget: Type.Optional(text('What the tool call is about, in short.', { maxLength: 80 })),
    scopePath: Type.Optional(
      text('Only when a path outside the agreed scope is the reason: yes adds this exact path.', {
        maxLength: 200,
      }),
    ),
    questions: Type.Optional(
      Type.Array(RichQuestion, {
        minItems: 1,
        maxItems: 1,
        description: `One richer question. ${MACHINE}`,
      }),
    ),
    requestId: Type.Optional(
      text(`Names one logical call; retries with it become one question. ${MACHINE}`, {
        maxLength: 200,
      }),
    ),
    toolUseId: Type.Optional(text(`Id of the gated tool call. ${MACHINE}`, { maxLength: 200 })),
    localSurfaceAvailable: Type.Optional(
      Type.Boolean({
        description: `false: no terminal is there, so always use the phone. ${MACHINE}`,
      }),
    ),
    pausedAware: Type.Optional(
      Type.Boolean({ description: `true: a paused approval lasts its full wait. ${MACHINE}` }),
    ),
    permissionMode: Type.Optional(text(MACHINE, { maxLength: PERMISSION_MODE_MAX })),
    sessionToolAware: Type.Optional(Type.Boolean({ description: MACHINE })),
    toolPath: Type.Optional(
      Type.String({
        maxLength: 4096,
        pattern: '^/',
        [PatternMeaning]: 'must be an absolute path',
        description: `The absolute path the tool touches. ${MACHINE}`,
      }),
    ),
    waitEndsAt: Type.Optional(
      Type.String({
        format: 'date-time',
        pattern: 'Z$',
        [PatternMeaning]: 'must be a UTC time that ends in Z',
        description: `When the hook stops waiting. ${MACHINE}`,
      }),
    ),
  },
  { additionalProperties: false },
)
export type AskUserInput = Static<typeof AskUserInput>
export const askUserInput = shape(AskUserInput)

/**
 * The permissions of "Approve for this session", sent only by hooks; shown whole or not offered.
 */
export const SessionAllows = Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
  minItems: 1,
  maxItems: 8,
  description:
    'With sessionToolAware: what a yes for the whole session would allow, one thing a line.',
})

/**
 * As `AskUserInput`, with what only a hook or a program can send. `byHook` is set by the route, and never read
 * from a caller.
 */
export type AskInput = AskUserInput & {
  sessionAllows?: string[]
  exact?: ExactCall
  actionHash?: string
  toolSettings?: ToolSettings
  reading?: ReadingSummary
  /** The folder in which the hook's client works. */
  cwd?: string
  /** Only of programs: how long the question shall live. */
  lifeMs?: number
  /** Only of programs: what a yes does, and how much of a risk that is. */
  effect?: string
  risk?: 'low' | 'medium' | 'high'
  /** Only of programs: the form that is the answer; checked by the route. */
  schema?: object
  /** Only of programs: the arguments that the person may change, as a form. */
  edit?: object
  byHook?: true
}

/**
 * The input of `ask_user` without the fields that are ignored, malformed or not. Anything but an
 * object is left to the check of all fields.
 */
export function withoutIgnored(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const fields: Record<string, unknown> = { ...input }
  if (fields.type !== 'select') delete fields.options
  if (typeof fields.localSurfaceAvailable !== 'boolean') delete fields.localSurfaceAvailable
  if (typeof fields.pausedAware !== 'boolean') delete fields.pausedAware
  if (!isPermissionMode(fields.permissionMode)) delete fields.permissionMode
  return fields
}

function isPermissionMode(value: unknown): boolean {
  return typeof value === 'string' && value.length <= PERMISSION_MODE_MAX
}
