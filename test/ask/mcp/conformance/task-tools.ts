import type { Tasks } from '../../../../src/ask/tools/tool.ts'
import { Refused, RPC, refusal } from '../../../../src/platform/mcp/errors.ts'
import { type Fields, isFields } from '../../../../src/platform/mcp/message.ts'
import { TASKS, type Task } from '../../../../src/platform/mcp/result.ts'
import type { Run } from './fixture-toolbox.ts'

const tasks = new Map<string, Task>()
const text = (words: string) => ({ content: [{ type: 'text', text: words }] })

const elicitation = (message: string) => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: {} } },
})

/** Begins a task; `more` is what makes it another than one that works. */
function begin(more: Partial<Task> = {}): Task {
  const taskId = crypto.randomUUID()
  const now = new Date().toISOString()
  const times = { createdAt: now, lastUpdatedAt: now, ttlMs: 600_000, pollIntervalMs: 200 }
  const task: Task = { taskId, status: 'working', ...times, ...more }
  tasks.set(taskId, task)
  return task
}

/** It ends after `ms`, unless something ended it before. */
function endAfter(ms: number, taskId: string, end: Partial<Task>) {
  setTimeout(() => {
    const task = tasks.get(taskId)
    if (task?.status === 'working') tasks.set(taskId, { ...task, ...end })
  }, ms).unref()
}

// What it will ask of the client is said by `tasks/get` alone.
const handle = ({ inputRequests: _, ...task }: Task) =>
  ({ ...task, resultType: 'task' }) as unknown as Awaited<ReturnType<Run>>

function job(seconds: number, end: Partial<Task>) {
  const task = begin()
  endAfter(seconds * 1000, task.taskId, end)
  return handle(task)
}

const inputs =
  (...names: string[]): Run =>
  () =>
    handle(
      begin({
        status: 'input_required',
        inputRequests: Object.fromEntries(names.map((name) => [name, elicitation(name)])),
      }),
    )

/** The runner's tools for the tasks extension (SEP-2663). */
export const taskTools: Record<string, Run> = {
  greet: (_call, params) => {
    const args = isFields(params.arguments) ? params.arguments : {}
    return text(`Hello, ${args.name}!`)
  },
  slow_compute: ({ follows }, params) => {
    const { seconds = 0 } = (params.arguments ?? {}) as { seconds?: number }
    if (!follows) return text('computed')
    return job(seconds, { status: 'completed', result: text('computed') })
  },
  failing_job: ({ follows }) => {
    if (follows) return job(1, { status: 'completed', result: { ...text('no'), isError: true } })
    throw new Refused(
      refusal(400, RPC.missingCapability, 'This tool needs tasks.', {
        requiredCapabilities: { extensions: { [TASKS]: {} } },
      }),
    )
  },
  protocol_error_job: () =>
    job(1, { status: 'failed', error: { code: -32603, message: 'broken' } }),
  confirm_delete: inputs('confirm'),
  multi_input: inputs('first', 'second'),
}

/** A task that gets its answers asks for the rest, and is completed after the last. */
function answered(task: Task, { inputResponses }: Fields): Task {
  const names = isFields(inputResponses) ? Object.keys(inputResponses) : []
  const left = Object.entries((task.inputRequests ?? {}) as Fields).filter(
    ([name]) => !names.includes(name),
  )
  if (left.length > 0) return { ...task, inputRequests: Object.fromEntries(left) }
  const { inputRequests: _, ...rest } = task
  return { ...rest, status: 'completed', result: text('done') }
}

export const fixtureTasks: Tasks = {
  get: async (taskId) => tasks.get(taskId),
  async update(taskId, _call, params) {
    const task = tasks.get(taskId)
    if (task?.status === 'input_required') tasks.set(taskId, answered(task, params))
    return task !== undefined
  },
  async cancel(taskId) {
    const task = tasks.get(taskId)
    if (task && !['completed', 'failed'].includes(task.status)) {
      const { inputRequests: _, ...rest } = task
      tasks.set(taskId, { ...rest, status: 'cancelled' })
    }
    return task !== undefined
  },
}
