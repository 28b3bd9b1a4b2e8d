import { Type } from '@sinclair/typebox'
import { Failure, type FailureCode } from '../../platform/failure.ts'
import { problemOf } from '../../platform/http/errors.ts'
import { closed, openWord, slug, textField, texts } from '../records/words.ts'

/** Every failure that addresses of the catalog may throw; anything else is a bug. */
const CODES = [
  'not_found',
  'gone',
  'invalid_parameter',
  'cursor_mismatch',
  'revision_expired',
  'method_not_allowed',
  'rate_limited',
  'not_acceptable',
  'internal',
  'unavailable',
] as const satisfies readonly FailureCode[]

/** Whether `thrown` is shown to readers as it is. */
export function isForReaders(thrown: unknown): thrown is Failure {
  return thrown instanceof Failure && CODES.some((code) => code === thrown.code)
}

/** What `problemDocument` makes. */
export const ProblemDocument = closed(
  {
    type: Type.String({ format: 'uri-reference', description: 'Always `about:blank`.' }),
    title: textField('What is wrong, the same for each code.', 200),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'Status of the answer.' }),
    detail: textField('What happened, and what to do.'),
    code: openWord('Name of the problem; stays.', CODES),
    parameter: Type.Optional(textField('The parameter that is wrong.', 64)),
    allowed: Type.Optional(texts('What it may be; without a parameter, which there are.')),
    replacement: Type.Optional(slug('Took the place of the one that is gone.')),
    retryAfter: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Seconds after which trying again makes sense.' }),
    ),
  },
  'What went wrong (RFC 9457).',
)

/** The same at the addresses of the MCP registry, whose clients read `error`. */
export const RegistryProblemDocument = closed(
  { error: textField('What happened, and what to do.'), ...ProblemDocument.properties },
  'What went wrong, in the words of the MCP registry and of RFC 9457.',
)

/** The problem document of RFC 9457, with the time after which to try again. */
export function problemDocument(failure: Failure) {
  const { retryAfter } = failure
  return { ...problemOf(failure), ...(retryAfter === undefined ? {} : { retryAfter }) }
}
