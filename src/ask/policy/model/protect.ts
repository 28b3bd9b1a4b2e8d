import { type Static, Type } from '@sinclair/typebox'
import { NEED_MAX } from './rule-approve.ts'

/** Who has to agree to changes of who may decide. */
export const Protect = Type.Object(
  {
    from: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: 20,
      description: 'The groups and people who agree to changes of who may decide, by id.',
    }),
    need: Type.Optional(
      Type.Integer({ minimum: 1, maximum: NEED_MAX, description: 'How many of them.' }),
    ),
  },
  { additionalProperties: false },
)
export type Protect = Static<typeof Protect>
