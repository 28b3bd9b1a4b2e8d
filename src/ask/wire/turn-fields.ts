import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../../platform/schema.ts'

/** How a turn of an agent ended. `busy`: it ended, but its background tasks still run. */
const TURN_OUTCOMES = [
  'finished',
  'failed',
  'rate_limited',
  'waits',
  'busy',
  'interrupted',
] as const
export type TurnOutcome = (typeof TURN_OUTCOMES)[number]

/** How an instruction reaches a session whose turn has ended; `none`: only its next start. */
const TURN_DOORS = ['hook', 'queue', 'plugin', 'input_file', 'none'] as const
export type TurnDoor = (typeof TURN_DOORS)[number]

export const LAST_WORDS_MAX = 300
export const INSTRUCTION_MAX = 8_000

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))
const ms = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }))
const id = (description: string) => Type.String({ minLength: 1, maxLength: 128, description })

/** What a hook reports of the turn of its session. */
export const TurnReport = Type.Object(
  {
    event: oneOf(['began', 'ended', 'over', 'let_go', 'taken', 'given_back'], {
      description:
        'began: a turn began, or goes on. ended: it ended, with outcome; sent again once the terminal was idle. over: the session ended. let_go: the hook does not wait any more, with why. taken, given_back: what became of the instruction instructionId.',
    }),
    sessionId: id('The client’s session.'),
    machineId: id('Stable id of this machine.'),
    turn: text(64, 'Names the turn: the same in each report of it, and another for the next one.'),
    machineName: text(64, 'What this machine calls itself, for people to read.'),
    agentName: text(100, 'Who works here, as "{Agent} - {project}".'),
    repoKey: text(200, 'Stable identity of the repository.'),
    branch: text(200, 'The git branch of the work tree.'),
    outcome: Type.Optional(oneOf(TURN_OUTCOMES, { description: 'With ended.' })),
    lastWords: text(LAST_WORDS_MAX, 'The last sentence of the agent, without secrets.'),
    durationMs: ms('How long the turn took; left out: not known.'),
    filesChanged: ms('How many files it changed; left out: not known.'),
    idleMs: ms('For how long nobody has typed at the terminal of the client; left out: not known.'),
    attended: Type.Optional(
      Type.Boolean({ description: 'Whether the client says that somebody is at it.' }),
    ),
    door: Type.Optional(
      oneOf(TURN_DOORS, { description: 'How an instruction reaches the session now.' }),
    ),
    typed: Type.Optional(
      Type.Boolean({
        description: 'With began and ended: a person typed the prompt at the terminal.',
      }),
    ),
    blocks: Type.Optional(
      Type.Boolean({ description: 'With waitsMs: the client is busy while its hook waits.' }),
    ),
    agreed: Type.Optional(
      Type.Boolean({ description: 'With blocks: a person switched the wait on at this machine.' }),
    ),
    waitsMs: ms('How long the end-of-turn hook could wait for an instruction.'),
    why: Type.Optional(oneOf(['typed', 'expired', 'ended'], { description: 'With let_go.' })),
    instructionId: text(64, 'With taken and given_back.'),
  },
  { additionalProperties: false },
)
export type TurnReport = Static<typeof TurnReport>

/** What the hook is to do. */
export const TurnReply = Type.Object(
  {
    lookAgainMs: Type.Optional(
      Type.Integer({
        description:
          'Nobody was told, as somebody may be at the terminal: report again after this.',
      }),
    ),
    holdMs: Type.Optional(
      Type.Integer({ description: 'The hook may wait this long for an instruction.' }),
    ),
    waiting: Type.Optional(
      Type.Boolean({ description: 'true: an instruction waits for this session.' }),
    ),
  },
  { additionalProperties: false },
)
export type TurnReply = Static<typeof TurnReply>

const SESSIONS_MAX = 100

/** A hook, or the process beside it, asks for the next instruction of its sessions. */
export const CollectInput = Type.Object(
  {
    machineId: id('Stable id of this machine.'),
    sessionIds: Type.Array(id('A session of this machine.'), {
      minItems: 1,
      maxItems: SESSIONS_MAX,
    }),
    timeoutMs: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 55_000, description: 'How long to wait for one.' }),
    ),
  },
  { additionalProperties: false },
)
export type CollectInput = Static<typeof CollectInput>

/** What a person tells a session to do next. */
export const Instruction = Type.Object(
  {
    id: Type.String(),
    sessionId: Type.String(),
    text: Type.String({ description: 'For the model, with the name of the person before it.' }),
    from: Type.String({ description: 'The person.' }),
    at: Type.String({ format: 'date-time', description: 'When they sent it.' }),
  },
  { additionalProperties: false },
)
export type Instruction = Static<typeof Instruction>

export const CollectResult = Type.Object(
  { instruction: Type.Optional(Instruction) },
  { additionalProperties: false },
)
export type CollectResult = Static<typeof CollectResult>
