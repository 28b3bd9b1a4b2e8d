import { type Static, Type } from '@sinclair/typebox'
import { callMatchFields } from '../../wire/call-match.ts'

const id = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }))

/** The calls that a rule is for; every given field must match. */
export const RuleMatch = Type.Object(
  {
    ...callMatchFields,
    token: id('The token, by its id. The server knows it; callers cannot claim another.'),
    owner: id('Whose token it is: a person or a group, by id. The server knows this too.'),
  },
  { additionalProperties: false },
)
export type RuleMatch = Static<typeof RuleMatch>
