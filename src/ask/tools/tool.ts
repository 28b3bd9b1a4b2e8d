import type { TObject } from '@sinclair/typebox'
import type { Fields } from '../../platform/mcp/message.ts'
import type { Task, TaskHandle } from '../../platform/mcp/result.ts'
import type { CallContext } from '../accounts/model/agent.ts'
import type { LeanListing } from '../wire/lean-input.ts'

/** A tool for agents, the same in both eras of the protocol. */
export type Tool = {
  name: string
  title: string
  /** For a model: when to use it, when not, what comes back, what to do next. */
  description: string
  inputSchema: TObject
  outputSchema: TObject
  /** The entry in the lean list: description and input, without an output. */
  lean: LeanListing
  annotations: typeof ANNOTATIONS
  /** Returns true if a call may wait: then its reply is a stream if the client accepts one. */
  waits(args: Fields): boolean
  /**
   * Resolves to a result that matches `outputSchema`, or to a task if the caller can follow one.
   * Throws `invalid_input` naming each wrong field.
   */
  call(args: Fields, call: CallContext): Promise<object>
  /** A result in one sentence: its outcome, the next step, and then what people wrote. */
  say(result: object): string
}

/** A tool as its feature declares it, before it is given what its use case needs. */
export type ToolModule<Deps, Input = unknown, Result extends object = object> = Pick<
  Tool,
  'title' | 'description' | 'inputSchema' | 'outputSchema' | 'lean'
> & {
  /** Throws `invalid_input` naming each wrong field. */
  read(args: Fields): Input
  /** Resolves to a result that matches `outputSchema`, or to a task if `call.follows`. */
  run(deps: Deps, input: Input, call: CallContext): Promise<Result | TaskHandle>
  /** The text of a result at the lean address. */
  say(result: Result): string
  /** The result while no server can be reached; undefined if the call then fails. */
  withoutServer?(input: Input, context: KnownWithoutServer): Result | undefined
}

/** The facts of the bridge about a call that no server answered. */
type KnownWithoutServer = {
  /** The question that the call had opened before the server went away. */
  correlationId: string | undefined
  /** Fields of a result that say that the state of the question cannot be read now. */
  unread: { status: 'unavailable'; answered: false; hint: string; nextAction: 'wait_for_answer' }
}

/** On every tool (QS-WHAT-8). */
export const ANNOTATIONS = {
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
  readOnlyHint: false,
} as const

/** Answers requests about calls that became tasks; undefined and false for an unknown task. */
export type Tasks = {
  /** Resolves when the task changes, or after some seconds without a change. */
  get(taskId: string, call: CallContext): Promise<Task | undefined>
  /** Passes on input that the task asked for. */
  update(taskId: string, call: CallContext, params: Fields): Promise<boolean>
  cancel(taskId: string, call: CallContext): Promise<boolean>
}
