import { type Static, Type } from '@sinclair/typebox'

const paths = (description: string) => Type.Array(Type.String(), { description })

export const contractFields = {
  allowedPaths: paths('Globs the session may write to; empty means no path restriction.'),
  offLimitsPaths: paths('Globs the session must not touch; they win.'),
  doneWhen: Type.String({ description: 'What finished means.' }),
  promises: Type.Optional(paths('Promised, shown, never checked.')),
}

/** The contract that a person is asked to agree to. */
export const Contract = Type.Object(contractFields, { additionalProperties: false })
export type Contract = Static<typeof Contract>
