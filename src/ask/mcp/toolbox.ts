import type { Log } from '../../platform/log.ts'
import { type Fields, isFields } from '../../platform/mcp/message.ts'
import type { CallResult } from '../../platform/mcp/result.ts'
import type { Call } from '../accounts/call.ts'
import { callIdOf, runTool, type Tool, withClientKeys } from './tool.ts'

/** A tool as the two eras run it. */
export type Runner = {
  waits(args: Fields): boolean
  /** `params` is the whole of the request's, `_meta` included. */
  run(args: Fields, call: Call, params: Fields): Promise<CallResult>
}

/** What one address offers. */
export type Toolbox = {
  /** The entries of `tools/list`, in their order. */
  listed: object[]
  find(name: string): Runner | undefined
  instructions: string
}

/** `names` renames tools for an address, in their descriptions too. */
export function createToolbox(options: {
  tools: readonly Tool[]
  instructions: string
  log: Log
  names?: Readonly<Record<string, string>>
}): Toolbox {
  const { tools, instructions, log, names = {} } = options
  const renamed = (text: string) =>
    Object.entries(names).reduce((said, [from, to]) => said.replaceAll(from, to), text)
  const runners = new Map(tools.map((tool) => [renamed(tool.name), runnerOf(tool, log)]))
  return {
    listed: JSON.parse(renamed(JSON.stringify(tools))),
    find: (name) => runners.get(name),
    instructions: renamed(instructions),
  }
}

function runnerOf(tool: Tool, log: Log): Runner {
  return {
    waits: tool.waits,
    run(args, call, { _meta }) {
      const meta = isFields(_meta) ? _meta : {}
      const named = { ...call, id: callIdOf(meta) }
      return runTool(tool, withClientKeys(tool, args, meta), named, log)
    },
  }
}
