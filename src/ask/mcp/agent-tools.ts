import { AGENT_TOOLS } from '../wire/tools.ts'
import { ANNOTATIONS, type Tool, type ToolModule } from './tool.ts'

type Modules = Awaited<ReturnType<(typeof AGENT_TOOLS)[number]['load']>>

/** What the use cases behind the tools need, all together. */
export type ToolDeps = Together<Parameters<Modules['run']>[0]>
type Together<Each> = (Each extends unknown ? (each: Each) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

/** Runs `tool` with its input, which was checked. */
export type RunTool = (
  tool: ToolModule<ToolDeps>,
  ...rest: [name: string, input: unknown, call: Parameters<Tool['call']>[1]]
) => Promise<object>

/** The tools in the order of `tools/list`, over their use cases. */
export function agentTools(deps: ToolDeps): Promise<Tool[]> {
  return toolsRunBy((tool, _, input, call) => tool.run(deps, input, call))
}

/** The same tools, each call of which goes to `run`. */
export function toolsRunBy(run: RunTool): Promise<Tool[]> {
  return Promise.all(
    AGENT_TOOLS.map(async ({ name, waits, load }): Promise<Tool> => {
      const tool: ToolModule<ToolDeps> = await load()
      const { title, description, inputSchema, outputSchema, lean, read, say } = tool
      return {
        name,
        title,
        description,
        inputSchema,
        outputSchema,
        lean,
        annotations: ANNOTATIONS,
        waits: (args) => waits && args.wait !== false,
        call: (args, call) => run(tool, name, read(args), call),
        say,
      }
    }),
  )
}
