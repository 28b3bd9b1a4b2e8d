import type { Clock } from '../../platform/clock.ts'
import type { RequestId } from '../../platform/mcp/message.ts'
import type { Call } from './call.ts'
import { withRaw } from './json-text.ts'
import { idText } from './message.ts'

// A result that its client did not wait for is known for this long to the same call again.
const RESULT_MS = 60_000
const RESULT_MAX_CHARS = 4 * 1024 * 1024

/** Why an execution is over before it began. */
export type Over = 'cancelled' | 'client_gone' | 'server_gone' | 'released'

/** One run of a tool, or the question whether it may run; equal calls that come meanwhile share it. */
export class Execution {
  state: 'received' | 'held' | 'approved' | 'forwarded' | 'asking' = 'received'
  /** The requests that get its answer. */
  readonly waiting: Map<RequestId, Call>
  /** Aborts when nobody waits any more; its reason is an `Over`. */
  readonly over = new AbortController()
  questionId: string | undefined
  permitId: string | undefined
  /** The call that the server answers. */
  forwarded: Call | undefined
  /** How often its server asked a person for more. */
  rounds = 0

  readonly call: Call
  /** On `clock.elapsed`. */
  readonly beganAt: number

  constructor(call: Call, beganAt: number) {
    this.call = call
    this.beganAt = beganAt
    this.waiting = new Map([[call.id, call]])
  }

  get isOver(): boolean {
    return this.over.signal.aborted
  }

  get whyOver(): Over | undefined {
    return this.over.signal.reason
  }
}

type Result = { text: string; until: number; callId: string | undefined }

/** The executions of a gate that have no end yet: by request, and by call. */
export class Executions {
  readonly #byRequest = new Map<RequestId, Execution>()
  /** Those that a person is asked about. */
  readonly #byKey = new Map<string, Execution>()
  readonly #results = new Map<string, Result>()
  readonly #timers = new Set<() => void>()

  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Does `work` after this time, unless the timers are forgotten before. */
  later(ms: number, work: () => void): void {
    const forget = this.#clock.after(ms, () => {
      this.#timers.delete(forget)
      work()
    })
    this.#timers.add(forget)
  }

  /** A timer would hold up the end of the process. */
  forgetTimers(): void {
    for (const forget of this.#timers) forget()
    this.#timers.clear()
  }

  begin(call: Call): Execution {
    const execution = new Execution(call, this.#clock.elapsed())
    this.#byRequest.set(call.id, execution)
    return execution
  }

  of(id: RequestId): Execution | undefined {
    return this.#byRequest.get(id)
  }

  all(): Execution[] {
    return [...new Set(this.#byRequest.values())]
  }

  /** Takes part in an execution of an equal call; false if there is none. */
  join(call: Call): boolean {
    const execution = this.#byKey.get(call.key)
    if (!execution || execution.isOver) return false
    execution.waiting.set(call.id, call)
    this.#byRequest.set(call.id, execution)
    return true
  }

  /**
   * From now on equal calls take part, because a person is asked. False if this one takes part in
   * another itself.
   */
  share(execution: Execution): boolean {
    const { key } = execution.call
    const first = this.#byKey.get(key)
    if (!first || first.isOver) {
      this.#byKey.set(key, execution)
      return true
    }
    for (const call of execution.waiting.values()) this.join(call)
    return false
  }

  /** True if an answer of the server has to be copied. */
  isAnyShared(): boolean {
    return this.#byKey.values().some(({ waiting }) => waiting.size > 1)
  }

  /** A request is not waited for any more; true if nobody waits for the execution now. */
  leave(execution: Execution, id: RequestId): boolean {
    execution.waiting.delete(id)
    if (id !== execution.forwarded?.id) this.#byRequest.delete(id)
    return execution.waiting.size === 0
  }

  end({ call, waiting, forwarded = call }: Execution): void {
    const execution = this.#byRequest.get(forwarded.id)
    for (const id of [...waiting.keys(), call.id, forwarded.id])
      if (this.#byRequest.get(id) === execution) this.#byRequest.delete(id)
    if (this.#byKey.get(call.key) === execution) this.#byKey.delete(call.key)
  }

  /** The call is sent again, as another request to the server. */
  sendAgain(execution: Execution, call: Call): void {
    const { forwarded, waiting } = execution
    if (forwarded && !waiting.has(forwarded.id)) this.#byRequest.delete(forwarded.id)
    execution.forwarded = call
    this.#byRequest.set(call.id, execution)
  }

  /** Returns the answers for those who do not get the line of the server itself, as `passed` does. */
  answer(
    execution: Execution,
    text: string,
    passed: Call | undefined,
  ): Array<{ to: Call; line: string }> {
    const others = [...execution.waiting.values()].filter((call) => call !== passed)
    if (execution.questionId !== undefined) this.#keepResult(execution, text)
    this.end(execution)
    return others.map((call) => ({ to: call, line: answerTo(call, text) }))
  }

  /** Keeps a result for the same call again: one that nobody waited for, or of the same call by its id. */
  #keepResult({ call, waiting }: Execution, text: string): void {
    const callId = waiting.size > 0 ? call.callId : undefined
    if ((waiting.size > 0 && callId === undefined) || text.length > RESULT_MAX_CHARS) return
    this.#results.set(call.key, { text, until: this.#clock.elapsed() + RESULT_MS, callId })
    this.later(RESULT_MS, () => this.#forgetResults())
  }

  /** The result of an equal call that its client may not have got. */
  resultFor({ key, callId }: Call): string | undefined {
    this.#forgetResults()
    const result = this.#results.get(key)
    if (!result || (result.callId !== undefined && result.callId !== callId)) return undefined
    if (result.callId === undefined) this.#results.delete(key)
    return result.text
  }

  #forgetResults(): void {
    for (const [key, { until }] of this.#results)
      if (until <= this.#clock.elapsed()) this.#results.delete(key)
  }
}

/** The line of an answer of the server, as the answer to another call. */
export function answerTo({ message }: Call, text: string): string {
  return `${withRaw(text, ['id'], idText(message))}\n`
}
