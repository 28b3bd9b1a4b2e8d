import type { Model, ToolUse } from './models/model.ts'
import type { ClientWorld, Ran } from './world.ts'

/** How one client is set up, started without anybody at it, and spoken for by its model. */
export type Driver = {
  name: string
  /** How its version is asked for and where it was installed from. */
  package: string
  /** The wire of its model. */
  startModel(): Model
  /** Writes its configuration: our tools, our hooks, and the stand-in for its model. */
  connect(world: ClientWorld, model: Model): Promise<unknown>
  /** One run without anybody at it, in the project. */
  run(world: ClientWorld, model: Model, binary: string): Promise<Ran>
  /** As its model names our tool. */
  ours(tool: string, input: object): ToolUse
  write(path: string, content: string): ToolUse
  shell(command: string): ToolUse
  /** A run in which a tool has to be approved; undefined where the client cannot do that alone. */
  runAsking?(world: ClientWorld, model: Model, binary: string): Promise<Ran>
}
