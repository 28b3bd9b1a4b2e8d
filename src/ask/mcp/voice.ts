import type { Failure } from '../../platform/failure.ts'
import { type CallResult, failed, succeeded } from '../../platform/mcp/result.ts'
import { sayFailure } from '../wire/sentence.ts'
import type { Tool } from './tool.ts'

/** How an address words the text of its results; the structured half is always the same. */
export type Voice = {
  result(tool: Pick<Tool, 'say'>, result: object): CallResult
  failure(failure: Failure): CallResult
}

/** As specified: the same JSON again. */
export const AS_JSON: Voice = {
  result: (_, result) => succeeded(result),
  failure: failed,
}

/** One sentence, for models that read nothing but the text. */
export const IN_A_SENTENCE: Voice = {
  result: (tool, result) => succeeded(result, tool.say(result)),
  failure: (failure) => ({ content: [{ type: 'text', text: sayFailure(failure) }], isError: true }),
}
