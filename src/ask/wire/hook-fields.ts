import { type Static, Type } from '@sinclair/typebox'
import { oneOf, PatternMeaning } from '../../platform/schema.ts'
import { AskUserInput, SessionAllows, timeoutMs } from './ask-fields.ts'
import { CallMatch } from './call-match.ts'
import { contractFields } from './contract.ts'
import { OnTimeout } from './delivery-mode.ts'
import { ExactCall } from './exact-call.ts'
import { OwnProgram } from './reading/own-programs.ts'
import { ReadingSummary } from './reading/summary.ts'
import { AskUserResult } from './result-fields.ts'
import { ToolSettings } from './tool-settings.ts'

/**
 * How commands are contained while a scope holds: by mount namespaces and Landlock, by Landlock
 * alone, or not at all.
 */
const CONTAINED = ['namespaces', 'landlock', 'none'] as const
export type Contained = (typeof CONTAINED)[number]

const EXAMPLE_PATHS_MAX = 200
const GAPS_MAX = 5
const GAP_MAX = 400

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))

const HOOK_EVENTS = [
  'session_start',
  'heartbeat',
  'check',
  'approval',
  'waiting',
  'session_end',
] as const

const questionFields = Type.Pick(AskUserInput, [
  'question',
  'type',
  'options',
  'placeholder',
  'context',
  'action',
  'actionBody',
  'blocker',
  'intent',
  'wait',
  'toolName',
  'toolTarget',
  'toolPath',
  'scopePath',
  'toolUseId',
  'requestId',
  'permissionMode',
  'localSurfaceAvailable',
  'sessionToolAware',
  'waitEndsAt',
  'questions',
])

/** The question of a hook: the fields of `ask_user` that a tool call has, and its own. */
const HookAsk = Type.Object(
  {
    ...questionFields.properties,
    sessionAllows: Type.Optional(SessionAllows),
    exact: Type.Optional(ExactCall),
    actionHash: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        [PatternMeaning]: 'must be a SHA-256 in hex',
        description:
          'SHA-256, in hex, of the RFC 8785 JSON of tool and arguments as the client sent them, before anything is redacted or cut: what a permit is bound to.',
      }),
    ),
    toolSettings: Type.Optional(ToolSettings),
    reading: Type.Optional(ReadingSummary),
    personOnly: Type.Optional(
      Type.Boolean({ description: 'true: no rule allows it; a person decides.' }),
    ),
    onlyByRule: Type.Optional(
      Type.Boolean({
        description:
          'true: the client has not asked. Where no rule declines the call or says who has to agree, nothing is stored and nobody is asked; the reply says noRule.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** A report of a hook, which may contain a request. */
export const HookReport = Type.Object(
  {
    event: oneOf(HOOK_EVENTS, {
      description:
        'check: a path outside the contract, with ask.scopePath. approval: the client wants to ask its person, with ask. waiting: it asks at its own terminal, where alone it can be answered, with ask. The others only report.',
    }),
    sessionId: Type.String({ minLength: 1, maxLength: 128, description: 'The client’s session.' }),
    machineId: text(128, 'Stable id of this machine.'),
    machineName: text(64, 'What this machine calls itself, for people to read.'),
    repoKey: text(200, 'Stable identity of the repository.'),
    branch: text(
      200,
      'The git branch of the work tree; for a detached one the first characters of its commit.',
    ),
    agentName: text(100, 'Who works here, as "{Agent} - {project}".'),
    clientVersion: text(64, 'Version of the client.'),
    hookVersion: text(64, 'Version of the hook.'),
    contractEtag: text(128, 'The etag of the contract that the hook holds.'),
    contained: Type.Optional(
      oneOf(CONTAINED, {
        description:
          'How shell commands, and the programs they start, are contained while a scope holds: by namespaces and Landlock, by Landlock alone, or not. Left out: not known, or as reported before.',
      }),
    ),
    interactive: Type.Optional(
      Type.Boolean({
        description:
          'true: a person did something at this terminal just now, for example typed a prompt. Tool calls do not count.',
      }),
    ),
    cwd: text(4096, 'Where the session works; toolPath is also read relative to it.'),
    examplePaths: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 400 }), {
        maxItems: EXAMPLE_PATHS_MAX,
        description: 'Some paths of the repository, relative to its root.',
      }),
    ),
    gaps: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: GAP_MAX }), {
        maxItems: GAPS_MAX,
        description:
          'What a proposed scope cannot keep from the agent on this machine, each in a sentence: off-limits files in the history of git, programs that run already. Left out: as reported before.',
      }),
    ),
    ask: Type.Optional(HookAsk),
    timeoutMs: Type.Optional(timeoutMs),
  },
  { additionalProperties: false },
)
export type HookReport = Static<typeof HookReport>

/** The name of a client in the address. */
export const HookAddress = Type.Object({
  client: Type.String({
    pattern: '^[a-z][a-z0-9-]{0,39}$',
    [PatternMeaning]: 'must be a client like claude or codex',
  }),
})

const time = (description: string) => Type.String({ format: 'date-time', description })

/** The contract in force, as hooks read it. */
export const ContractInForce = Type.Object(
  {
    correlationId: Type.String({ description: 'The scope question that was answered with yes.' }),
    ...contractFields,
    widened: Type.Array(Type.String(), { description: 'Exact paths that were added later.' }),
    ratifiedAt: time('When a person agreed.'),
    expiresAt: time('Until when it holds.'),
  },
  { additionalProperties: false },
)
export type ContractInForce = Static<typeof ContractInForce>

export const HookReply = Type.Object(
  {
    contract: Type.Union([ContractInForce, Type.Null()], {
      description: 'What holds for this session now; null when nothing does.',
    }),
    proposed: Type.Optional(
      Type.Boolean({
        description: 'true: a person may agree to a scope of this session any moment.',
      }),
    ),
    etag: Type.String({ description: 'Changes whenever the contract or an added path does.' }),
    decision: Type.Optional(
      oneOf(['allow', 'deny'], { description: 'Decided without asking anybody.' }),
    ),
    reason: Type.Optional(Type.String({ description: 'Why, for the model to read.' })),
    programs: Type.Optional(
      Type.Array(OwnProgram, {
        description: 'With a decision: the programs of the call that the workspace knows.',
      }),
    ),
    noRule: Type.Optional(
      Type.Literal(true, {
        description: 'With ask.onlyByRule: no rule is about this call; the client goes on.',
      }),
    ),
    ruleMatches: Type.Optional(
      Type.Array(CallMatch, {
        description:
          'The calls to send with ask.onlyByRule before they run: a rule may decline them, or say who has to agree. Renewed with each reply.',
      }),
    ),
    question: Type.Optional(AskUserResult),
    onTimeout: Type.Optional(
      Type.Object(
        {
          decision: OnTimeout,
          reason: Type.String({ description: 'The rule that says so, for the model to read.' }),
          staysOpen: Type.Optional(
            Type.Literal(true, {
              description:
                'Certain people decide it, and go on after the call: it is not withdrawn, and nobody at the terminal decides.',
            }),
          ),
        },
        { additionalProperties: false, description: 'What a rule says if nobody answers.' },
      ),
    ),
  },
  { additionalProperties: false },
)
export type HookReply = Static<typeof HookReply>
