import { Failure } from '../../platform/failure.ts'
import type { Tool } from './tool.ts'

/** A call of `tool` ended as `ok`, or with the code of the failure that it threw. */
export type Called = (tool: string, outcome: string) => void

/** The same tool, whose calls are told to `called`. */
export function countCalls(tool: Tool, called: Called): Tool {
  // Made once, so that a call that is held holds nothing more.
  const well = (result: object) => {
    called(tool.name, 'ok')
    return result
  }
  const badly = (thrown: unknown): never => {
    called(tool.name, thrown instanceof Failure ? thrown.code : 'internal')
    throw thrown
  }
  return {
    ...tool,
    call(args, call) {
      try {
        return tool.call(args, call).then(well, badly)
      } catch (thrown) {
        return badly(thrown)
      }
    },
  }
}
