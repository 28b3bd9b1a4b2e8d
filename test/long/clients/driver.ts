import type { Model, Step, ToolUse } from './models/model.ts'
import type { Scenario } from './stage.ts'
import type { Terminal } from './terminal.ts'
import type { ClientWorld, Ran } from './world.ts'

/** How one client is set up, started without anybody at it, and spoken for by its model. */
export type Driver = {
  name: string
  /** How its version is asked for and where it was installed from. */
  package: string
  /** The wire of its model. */
  startModel(): Model
  /** Writes its configuration: our tools, our hooks, and the stand-in for its model. */
  connect(world: ClientWorld, model: Model, binary: string): Promise<void>
  /** One run without anybody at it, in the project. */
  run(world: ClientWorld, model: Model, binary: string): Promise<Ran>
  /** As its model names our tool. */
  ours(tool: string, input: object): ToolUse
  write(path: string, content: string): ToolUse
  shell(command: string): ToolUse
  /** A run in which a tool has to be approved; undefined where the client cannot do that alone. */
  runAsking?(world: ClientWorld, model: Model, binary: string): Promise<Ran>
  /** The client at a terminal, ready for a prompt; undefined where that needs an account. */
  sitDown?(world: ClientWorld, model: Model, binary: string, mode?: 'plan'): Promise<Terminal>
  /** The same, where the scenarios of a person at the terminal were not tried. */
  openPrompt?(world: ClientWorld, model: Model, binary: string): Promise<Terminal>
  /** A command for which the client asks, where it takes more than the command. */
  escalated?(command: string): ToolUse
  /** The client's own way of letting a person choose, and of showing a plan. */
  choose?(question: string, options: string[]): ToolUse
  plan?(text: string): Step[]
  /** What only this client can be tried for. */
  more?: Scenario[]
}
