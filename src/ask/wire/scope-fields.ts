import { type Static, Type } from '@sinclair/typebox'
import { shape } from '../../platform/schema.ts'
import { agentNameText, timeoutMs } from './ask-fields.ts'

const globs = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 40, description }),
  )

/** Input of `propose_scope`. */
export const ProposeScopeInput = Type.Object(
  {
    doneWhen: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'What finished means, for the person to judge.',
    }),
    sessionId: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'The session the boundary is for; hooks read the contract back under it.',
    }),
    allowedPaths: globs(
      'Globs you will write to; a bare directory covers its contents. Empty: no path restriction.',
    ),
    offLimitsPaths: globs('Globs you will not touch; they win where both match.'),
    promises: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 10,
        description: 'Other promises; shown to the person, never checked.',
      }),
    ),
    agentName: Type.Optional(Type.String({ maxLength: 100, description: agentNameText })),
    machineId: Type.Optional(
      Type.String({ maxLength: 128, description: 'Stable id of this machine.' }),
    ),
    timeoutMs: Type.Optional(timeoutMs),
  },
  { additionalProperties: false },
)
export type ProposeScopeInput = Static<typeof ProposeScopeInput>
export const proposeScopeInput = shape(ProposeScopeInput)
