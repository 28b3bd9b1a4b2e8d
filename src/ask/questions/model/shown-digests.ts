import canonicalize from 'canonicalize'
import { omitUndefined } from '../../../platform/json.ts'
import { sha256 } from '../../../platform/signing/sha256.ts'
import type { Question } from './question.ts'

/** Digests, SHA-256 in hex, of what people saw of a question. */
type ShownDigests = {
  /** Of the question exactly as it was shown. */
  textSha256: string
  /**
   * Of what was shown beside the text, as canonical JSON (RFC 8785) of an object with `action`,
   * `actionBody` and `context`, each if it was given; undefined if none was.
   */
  actionSha256: string | undefined
}

export function shownDigests({ question, detail }: Pick<Question, 'question' | 'detail'>) {
  const { action, actionBody, context } = detail
  const beside = omitUndefined({ action, actionBody, context })
  const hasBeside = Object.keys(beside).length > 0
  return {
    textSha256: sha256(question),
    actionSha256: hasBeside ? sha256(canonicalize(beside) ?? '') : undefined,
  } satisfies ShownDigests
}
