import { type Static, Type } from '@sinclair/typebox'

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))

/** The calls that a rule is for; every given field must match. */
export const RuleMatch = Type.Object(
  {
    repoKey: text(200, 'The repository.'),
    toolName: text(100, 'The tool.'),
    toolTarget: text(
      80,
      'What the tool is used on; a * at the end matches everything that begins like it.',
    ),
    agentName: text(100, 'The agent, by its whole name.'),
    machineId: text(128, 'The machine.'),
    token: text(64, 'The token, by its id. The server knows it; callers cannot claim another.'),
    owner: text(64, 'Whose token it is: a person or a group, by id. The server knows this too.'),
  },
  { additionalProperties: false },
)
export type RuleMatch = Static<typeof RuleMatch>
