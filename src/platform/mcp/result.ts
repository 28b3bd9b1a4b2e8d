import type { Failure, WrongField } from '../failure.ts'
import { cutText } from '../text.ts'
import type { Era } from './era.ts'
import { type Refusal, RPC, refusal } from './errors.ts'
import { type Fields, isFields, type RpcRequest } from './message.ts'

/** The part of a `tools/call` result that this server uses. */
export type CallResult = {
  content: Fields[]
  structuredContent?: object
  isError?: boolean
  resultType?: string
  _meta?: object
}

/**
 * A tool's result in both forms, since some clients show the model only the structured one and
 * others only the text.
 */
export function succeeded(result: object, text = JSON.stringify(result)): CallResult {
  return { content: [textOf(text)], structuredContent: result }
}

/** A failure as a result: text that a model can act on. */
export function failed(failure: Failure): CallResult {
  return { content: [textOf(sentence(failure))], isError: true }
}

function textOf(text: string): Fields {
  return { type: 'text', text }
}

function sentence(failure: Failure): string {
  if (failure.fields.length > 0) return wrongArguments(failure.fields)
  return `${failure.message} (${failure.code})`
}

// Enough to correct a call; a hostile call does not get its own size back.
const NAMED_MAX = 20
const FIELD_MAX = 100

function wrongArguments(fields: WrongField[]): string {
  const lines = fields.slice(0, NAMED_MAX).map(({ field, must }) => {
    return `- ${cutText(field, FIELD_MAX)} ${must}`
  })
  const more = fields.length - lines.length
  if (more > 0) lines.push(`- and ${more} more`)
  return `Some arguments are not valid, so nothing was done:\n${lines.join('\n')}\nCorrect them and call again.`
}

/** The extension with which a call may become a task that its client follows (SEP-2663). */
export const TASKS = 'io.modelcontextprotocol/tasks'

/** The state of a task, as in every message about it. Times are ISO 8601 in UTC. */
export type TaskState = {
  taskId: string
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'
  statusMessage?: string
  createdAt: string
  lastUpdatedAt: string
  /** Milliseconds from its creation until it may be forgotten; null for never. */
  ttlMs: number | null
  /** How long a client should wait before it asks again, in milliseconds. */
  pollIntervalMs?: number
}

/** The result of `tasks/get`: with a `result` once it is completed. */
export type Task = TaskState & { result?: CallResult; [more: string]: unknown }

/** The reply to a call that goes on as a task, instead of its result. */
export type TaskHandle = TaskState & { resultType: 'task'; _meta?: object }

const TASK_METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const
export type TaskMethod = (typeof TASK_METHODS)[number]

/** Returns true if this request declares the extension; clients declare it for single requests. */
export function declaresTasks(era: Era): boolean {
  if (era.kind !== 'modern') return false
  const { extensions } = era.meta.capabilities
  return isFields(extensions) && isFields(extensions[TASKS])
}

/** The task that a request is about; a refusal without the capability or an id. */
export function taskOf(
  { method, params: { taskId } }: RpcRequest,
  era: Era,
): { method: TaskMethod; taskId: string } | Refusal | undefined {
  const taskMethod = TASK_METHODS.find((one) => one === method)
  if (!taskMethod) return undefined
  if (!declaresTasks(era)) {
    return refusal(400, RPC.missingCapability, NOT_DECLARED, {
      requiredCapabilities: { extensions: { [TASKS]: {} } },
    })
  }
  if (typeof taskId !== 'string') return noTask()
  return { method: taskMethod, taskId }
}

/**
 * The same answer for an id that never existed, that is forgotten, or that belongs to somebody
 * else.
 */
export function noTask(): Refusal {
  return refusal(200, RPC.invalidParams, 'Task not found.')
}

const NOT_DECLARED = `This request must declare the extension ${TASKS} in params._meta.`
