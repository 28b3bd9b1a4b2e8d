import { type Static, Type } from '@sinclair/typebox'
import { oneOf, PatternMeaning } from '../../platform/schema.ts'

/** The sorts of arguments of a tool call, as the hook that has all of them sees them. */
const ARGUMENT_SORTS = ['command', 'compound', 'none', 'edit', 'unshown', 'other'] as const
export type ArgumentSort = (typeof ARGUMENT_SORTS)[number]

/** The call to the letter; sent by hooks alone. */
export const ExactCall = Type.Object(
  {
    argumentsHash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      [PatternMeaning]: 'must be a SHA-256 in hex',
      description:
        'SHA-256, in hex, of the arguments as canonical JSON (RFC 8785), before anything is redacted or cut.',
    }),
    arguments: oneOf(ARGUMENT_SORTS, {
      description:
        'command, compound: shell commands, shown whole. none: no arguments. edit: it changes files. unshown: the person is not shown all of them. other: any other.',
    }),
  },
  {
    additionalProperties: false,
    description: 'The call to the letter, so that a person can allow exactly it for a while.',
  },
)
export type ExactCall = Static<typeof ExactCall>
