import { type Static, Type } from '@sinclair/typebox'

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))

/** What a rule may say of a call by what its caller says of it. */
export const callMatchFields = {
  repoKey: text(200, 'The repository.'),
  toolName: text(100, 'The tool.'),
  toolTarget: text(
    80,
    'What the tool is used on; a * at the end matches everything that begins like it.',
  ),
  agentName: text(100, 'The agent, by its whole name.'),
  machineId: text(128, 'The machine.'),
}

export const CallMatch = Type.Object(callMatchFields, { additionalProperties: false })
export type CallMatch = Static<typeof CallMatch>
