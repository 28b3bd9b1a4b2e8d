import { type Static, Type } from '@sinclair/typebox'
import { oneOf, PatternMeaning } from '../../platform/schema.ts'
import { timeoutMs } from './ask-fields.ts'
import { OnTimeout } from './delivery-mode.ts'
import { ReadingSummary } from './reading/summary.ts'
import { AskUserResult } from './result-fields.ts'
import { ToolSettings } from './tool-settings.ts'

/** The most tools of one server, and the bytes of one of them, as JSON. */
const GATE_TOOLS_MAX = 1_000
export const GATE_TOOL_BYTES_MAX = 65_536
export const TOOL_NAME_MAX = 200
const GATE_NAME_MAX = 64

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))

const hash = (description: string) =>
  Type.String({
    pattern: '^[0-9a-f]{64}$',
    [PatternMeaning]: 'must be a SHA-256 in hex',
    description,
  })

const server = Type.String({
  minLength: 1,
  maxLength: 4_096,
  description:
    'The server behind the gate: its command line as JSON text of the words, or its URL. Secrets in it are redacted before it is stored.',
})

const toolName = Type.String({
  minLength: 1,
  maxLength: TOOL_NAME_MAX,
  description: 'The server’s own name of the tool.',
})

/** The name of a gate in the address: the key of the server in its client’s file. */
export const GateAddress = Type.Object({
  name: Type.String({
    pattern: `^[A-Za-z0-9][\\w.@: -]{0,${GATE_NAME_MAX - 1}}$`,
    [PatternMeaning]: `must be the name of a gate: letters, digits, spaces and _ . @ : -, at most ${GATE_NAME_MAX}`,
  }),
})

/** One tool, as its server lists it. What is no text here is not taken for one. */
const ListedTool = Type.Object(
  {
    name: Type.String({ description: 'The server’s own name of the tool.' }),
    title: Type.Optional(Type.Unknown()),
    description: Type.Optional(Type.Unknown()),
    inputSchema: Type.Optional(Type.Unknown()),
    outputSchema: Type.Optional(Type.Unknown()),
    annotations: Type.Optional(Type.Unknown()),
  },
  { description: 'A tool as it stands in tools/list; other members are ignored.' },
)
export type ListedTool = Static<typeof ListedTool>

/** The list of a server’s tools, reported by the gate each time that the server gives it. */
export const GateToolsReport = Type.Object(
  {
    server,
    machineId: text(128, 'Stable id of this machine.'),
    machineName: text(64, 'What this machine calls itself, for people to read.'),
    instructions: Type.Optional(
      Type.String({ maxLength: 65_536, description: 'What the server tells its clients to do.' }),
    ),
    tools: Type.Array(ListedTool, {
      maxItems: GATE_TOOLS_MAX,
      description: 'The whole list. The body has at most 1 MiB.',
    }),
  },
  { additionalProperties: false },
)
export type GateToolsReport = Static<typeof GateToolsReport>

/** A server over HTTP that an agent's machine had in a client's file. */
export const GateServer = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'The address of the server for Streamable HTTP.',
    }),
    headerName: text(100, 'The header that has its secret; left out if it wants none.'),
    secret: text(8_000, 'What the header says. The gate keeps it, and shows it to nobody.'),
  },
  { additionalProperties: false },
)
export type GateServer = Static<typeof GateServer>

export const GateServerReply = Type.Object(
  {
    url: Type.String({
      description: 'The address of the gate, which agents use with their token.',
    }),
    state: oneOf(['new', 'changed', 'same'], {
      description:
        'same: there is a gate for this server already, and it uses the secret that it has.',
    }),
  },
  { additionalProperties: false },
)
export type GateServerReply = Static<typeof GateServerReply>

const TOOL_STATES = ['new', 'same', 'changed'] as const

export const GateToolsReply = Type.Object(
  {
    gateId: Type.String({ description: 'The gate, for its page /settings/gates/ID.' }),
    tools: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          fingerprint: hash('SHA-256 of the tool and its server.'),
          state: oneOf(TOOL_STATES, {
            description:
              'new: no person has seen it. changed: it differs from what a person saw. Both ask, whatever allows them.',
          }),
          unasked: Type.Union([oneOf(['allow', 'deny']), Type.Null()], {
            description:
              'What the rules decide whatever the arguments are, for the time that this server is away; null: it is asked.',
          }),
        },
        { additionalProperties: false },
      ),
    ),
    leftOut: Type.Array(
      Type.Object({ name: Type.String(), why: Type.String() }, { additionalProperties: false }),
      { description: 'Tools that were not taken; they ask as tools that are not in the list.' },
    ),
  },
  { additionalProperties: false },
)
export type GateToolsReply = Static<typeof GateToolsReply>

/** The sorts of arguments of a tool call, as the gate that has all of them sees them. */
const GATE_ARGUMENTS = ['none', 'plain', 'unshown'] as const

/** A tool call that a gate holds. */
export const GateCall = Type.Object(
  {
    server,
    tool: toolName,
    fingerprint: Type.Union([hash('What the client was listed last.'), Type.Null()], {
      description: 'The fingerprint that the client was listed last; null: not in its list.',
    }),
    now: Type.Optional(
      Type.Union([hash('The fingerprint that its server has now.'), Type.Null()], {
        description:
          'The fingerprint that the server of this gate has now; null: not in its list. Without it the list that any gate of the server reported last counts.',
      }),
    ),
    argumentsHash: hash('SHA-256, in hex, of the arguments as the bytes that were received.'),
    arguments: oneOf(GATE_ARGUMENTS, {
      description:
        'none: no arguments. plain: the person is shown all of them. unshown: not all, or with secrets taken out.',
    }),
    cut: Type.Optional(
      Type.Literal(true, {
        description:
          'The arguments are not shown whole, or something that a shell may act on was taken out with a secret: it is answered on the page only.',
      }),
    ),
    action: Type.String({
      minLength: 1,
      description:
        'mcp__NAME__TOOL, a space, and the arguments as JSON on one line, secrets redacted. Cut to 500 characters.',
    }),
    actionBody: Type.Optional(
      Type.String({
        maxLength: 4_000,
        description:
          'The arguments as indented JSON, secrets redacted, if they do not fit on the line.',
      }),
    ),
    intent: Type.Optional(Type.String({ description: 'The task of the agent, on one line.' })),
    toolTarget: text(80, 'What the call is about, in short.'),
    toolPath: Type.Optional(
      Type.String({
        maxLength: 4096,
        pattern: '^/',
        [PatternMeaning]: 'must be an absolute path',
        description: 'The absolute path that the call touches.',
      }),
    ),
    toolSettings: Type.Optional(ToolSettings),
    reading: Type.Optional(ReadingSummary),
    sessionId: text(128, 'The session of the client, or of the gate.'),
    machineId: text(128, 'Stable id of this machine.'),
    repoKey: text(200, 'Stable identity of the repository.'),
    agentName: text(100, 'Who works here, as "{Agent} - {project}".'),
    cwd: text(4_096, 'The folder in which the server runs.'),
    callId: text(200, 'Names one call; a request that is sent again has the same.'),
    atHook: Type.Optional(
      Type.Object(
        {
          actionHash: hash(
            'SHA-256 of the RFC 8785 JSON of {tool, arguments}, with mcp__NAME__TOOL.',
          ),
          toolUseId: text(200, 'The client’s own id of the call.'),
        },
        {
          additionalProperties: false,
          description:
            'The call as a hook of the same client reports it: a yes that a person gave there a moment ago is used for it, once.',
        },
      ),
    ),
    holdMs: Type.Integer({
      minimum: 0,
      maximum: 3_600_000,
      description: 'For how long the gate holds the call, over several requests.',
    }),
    timeoutMs: Type.Optional(timeoutMs),
  },
  { additionalProperties: false },
)
export type GateCall = Static<typeof GateCall>

export const GateCallReply = Type.Object(
  {
    actionHash: hash('What the permit of a yes is bound to (gateActionHash).'),
    decision: Type.Optional(
      oneOf(['allow', 'deny'], { description: 'Decided without asking anybody.' }),
    ),
    reason: Type.Optional(Type.String({ description: 'Why, for the model to read.' })),
    question: Type.Optional(AskUserResult),
    onTimeout: Type.Optional(
      Type.Object(
        {
          decision: OnTimeout,
          reason: Type.String(),
          staysOpen: Type.Optional(
            Type.Literal(true, {
              description: 'Certain people decide it, and go on after the call.',
            }),
          ),
        },
        { additionalProperties: false, description: 'What a rule says if nobody answers.' },
      ),
    ),
  },
  { additionalProperties: false },
)
export type GateCallReply = Static<typeof GateCallReply>
