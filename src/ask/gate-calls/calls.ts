import { type Clock, pause } from '../../platform/clock.ts'
import type { RequestId } from '../../platform/mcp/message.ts'
import type { Call } from './call.ts'
import { Continued } from './continued.ts'
import type { Decider, Decision, Outcome } from './decider.ts'
import { answerTo, type Execution, Executions, type Over } from './executions.ts'
import { holdCall } from './hold.ts'
import { InputRounds } from './input-rounds.ts'
import { type Answers, declareForms, inputsIn, withAnswers } from './inputs.ts'
import type { Message } from './message.ts'
import { Progress } from './progress.ts'
import { DECLINES, endWords, refusalLine, WORDS } from './refusal.ts'
import type { ToolVersions } from './tool-list.ts'

// Calls reach the server in the order of the client; one that needs a person holds up no other.
const ORDER_MS = 300
// The server answers a cancelled request soon, or never.
const CANCELLED_MS = 60_000

export type CallSettings = {
  name: string
  holdMsOf(call: Call): number
  clock: Clock
  decider: Decider
  /** True if a person can be asked for the clients that show no forms of servers. */
  answersForms: boolean
  versionsOf(tool: string): ToolVersions
  /** Resolves to true once the server runs and the tools that it has now are reported. */
  ready(): Promise<boolean>
  isRunning(): boolean
  forward(call: Call): void
  /** Sends the answer of a call to its client. */
  write(line: string, to: Call): void
  /** Tells the client of a call how far it is. */
  notify(line: string, to: Call): void
}

/** The tool calls of a client: decided, held, passed on, answered. */
export class Calls {
  readonly #executions: Executions
  readonly #progress: Progress
  readonly #continued: Continued
  readonly #rounds: InputRounds
  readonly #deciding = new Set<Promise<unknown>>()
  /** Calls that are being decided, by their keys: equal ones that come meanwhile share a question. */
  readonly #undecided = new Map<string, { execution: Execution; work: Promise<Decision> }>()
  readonly #reports = new Set<Promise<unknown>>()
  #turn: Promise<unknown> = Promise.resolve()
  /** The answers of the server are read before they are passed on: one may not be for the client. */
  #readsFirst = false
  #isClosed = false

  readonly #settings: CallSettings

  constructor(settings: CallSettings) {
    this.#settings = settings
    this.#executions = new Executions(settings.clock)
    this.#continued = new Continued(settings.clock)
    this.#progress = new Progress(settings.clock, settings.notify)
    this.#rounds = new InputRounds({
      ...settings,
      executions: this.#executions,
      progress: this.#progress,
      end: (execution, message, answers) => this.#end(execution, message, { answers }),
      giveUp: (execution, text) => this.#giveUp(execution, text),
    })
  }

  /** A call of the client. */
  take(request: Call): void {
    const before = this.#continued.take(request)
    const answered = withAnswers(request, before?.answers)
    const call = this.#settings.answersForms ? declareForms(answered) : answered
    this.#readsFirst ||= call.answersForms === true
    const result = before ? undefined : this.#executions.resultFor(call)
    if (before?.yes) this.#forward(Object.assign(this.#executions.begin(call), before.yes))
    else if (result !== undefined) this.#settings.write(answerTo(call, result), call)
    else if (!this.#executions.join(call)) {
      track(this.#deciding, this.#decideInTurn(this.#executions.begin(call)))
    }
  }

  /** The calls of one batch, which is passed on whole if nobody is asked about any of them. */
  async takeTogether(
    calls: readonly Call[],
    { passWhole, passRest }: { passWhole(): void; passRest(): void },
  ): Promise<void> {
    const all = calls.map((call) => this.#executions.begin(call))
    const work = Promise.all(all.map((one) => this.#decide(one)))
    track(this.#deciding, work)
    const decisions = await work
    const isAllowed = decisions.every(({ is }) => is === 'allow')
    const isWhole = isAllowed && this.#settings.isRunning()
    for (const one of isWhole ? all : []) markForwarded(one, one.call)
    if (isWhole) return passWhole()
    passRest()
    for (const [at, decision] of decisions.entries()) {
      const execution = all[at]
      if (execution) this.#act(execution, decision)
    }
  }

  async #decideInTurn(execution: Execution): Promise<void> {
    const settled = Promise.all([this.#decide(execution), this.#turn])
    this.#turn = Promise.race([settled, pause(this.#settings.clock, ORDER_MS)])
    const [decision] = await settled
    this.#act(execution, decision)
  }

  async #decide(execution: Execution): Promise<Decision> {
    const { decider, ready, versionsOf } = this.#settings
    const { call, over } = execution
    if (!(await ready())) return { is: 'not_started' }
    const earlier = this.#undecided.get(call.key)
    if (earlier) {
      const decision = await earlier.work
      if (decision.is === 'ask' && !earlier.execution.isOver) return decision
    }
    const work = decider.decide(call, versionsOf(call.tool), over.signal)
    const own = { execution, work }
    this.#undecided.set(call.key, own)
    try {
      return await work
    } finally {
      if (this.#undecided.get(call.key) === own) this.#undecided.delete(call.key)
    }
  }

  #act(execution: Execution, decision: Decision): void {
    const { name, isRunning } = this.#settings
    if (this.#isClosed && decision.is === 'ask') execution.over.abort('client_gone' satisfies Over)
    if (execution.isOver) {
      if (decision.is === 'ask') this.#withdraw(decision.question.correlationId, execution.whyOver)
      return
    }
    if (decision.is === 'allow') this.#forward(execution)
    else if (decision.is === 'deny') this.#refuse(execution, WORDS.ruled(decision.reason))
    else if (decision.is === 'nobody') this.#refuse(execution, WORDS.unheard(decision.why))
    else if (decision.is === 'not_started') this.#refuse(execution, WORDS.notStarted(name))
    else if (!isRunning()) this.#onServerGone(execution, decision.question.correlationId)
    else if (this.#executions.share(execution)) void this.#hold(execution, decision)
  }

  async #hold(
    execution: Execution,
    { question, onTimeout }: Extract<Decision, { is: 'ask' }>,
  ): Promise<void> {
    const { decider, clock, holdMsOf } = this.#settings
    const holdMs = holdMsOf(execution.call)
    execution.state = 'held'
    execution.questionId = question.correlationId
    const { signal } = execution.over
    using progress = this.#progress.start(execution.waiting)
    const onAway = (isAway: boolean) => progress.setAway(isAway)
    const end = await holdCall(question, { decider, clock, holdMs, signal, onAway })
    progress.stop()
    if (end.is === 'aborted') return
    if (end.is === 'yes') return await this.#run(execution)
    // A reason of certain people's question holds while it waits, or if they could never decide it.
    const isWaiting = end.is === 'over' || (end.is === 'ended' && question.status !== 'pending')
    if (onTimeout?.staysOpen && isWaiting)
      return this.#refuse(execution, WORDS.waits(onTimeout.reason))
    if (end.is !== 'over' || onTimeout?.decision !== 'deny')
      return this.#refuse(execution, endWords(end))
    track(this.#reports, decider.withdraw(question.correlationId, DECLINES))
    this.#refuse(execution, WORDS.unansweredByRule(onTimeout.reason))
  }

  /** Uses the yes up, and passes the call on. */
  async #run(execution: Execution): Promise<void> {
    execution.state = 'approved'
    const { questionId = '', call } = execution
    const { decider, versionsOf } = this.#settings
    const { now } = versionsOf(call.tool)
    execution.permitId = await decider.usePermit(questionId, call, now)
    if (execution.isOver) this.#report(execution, 'not_run', this.#reasonOf(execution.whyOver))
    else if (execution.permitId === undefined) this.#refuse(execution, WORDS.unused)
    else this.#forward(execution)
  }

  /** A server that ended meanwhile may have other tools when it is started again. */
  #forward(execution: Execution): void {
    const { name, isRunning, forward } = this.#settings
    if (!isRunning()) {
      this.#report(execution, 'not_run', this.#reasonOf('server_gone'))
      this.#refuse(execution, WORDS.serverEnded(name))
      return
    }
    const [call = execution.call] = execution.waiting.values()
    markForwarded(execution, call)
    if (call.answersForms) this.#progress.startRound(call)
    forward(call)
  }

  /** An answer of the server, which was passed to the request that it names. */
  onAnswer(message: Message): void {
    const execution = this.#runningAs(message)
    if (execution) this.#end(execution, message, { passed: execution.forwarded })
  }

  /**
   * Takes an answer of the server that its client does not get as it is: a person is asked for what
   * the server wants, and the call is sent again; or it is the answer to that.
   */
  takeAnswer(message: Message): boolean {
    const execution = this.#runningAs(message)
    if (!execution) return false
    const mayAsk = execution.forwarded?.answersForms && execution.waiting.size > 0
    const inputs = mayAsk ? inputsIn(message) : undefined
    if (inputs) track(this.#reports, this.#rounds.answer(execution, message, inputs))
    else if (execution.rounds > 0) this.#end(execution, message)
    else return false
    return true
  }

  /** The execution that an answer of the server is about. */
  #runningAs({ id, method }: Message): Execution | undefined {
    if (id === undefined || method !== undefined) return undefined
    const execution = this.#executions.of(id)
    const isAnswered = execution?.state === 'forwarded' && execution.forwarded?.id === id
    return isAnswered ? execution : undefined
  }

  #end(
    execution: Execution,
    { text, result }: Message,
    { passed, answers = {} }: { passed?: Call | undefined; answers?: Answers } = {},
  ): void {
    this.#progress.forget(execution.waiting)
    for (const { line, to } of this.#executions.answer(execution, text, passed))
      this.#settings.write(line, to)
    const { permitId, questionId, call } = execution
    const yes = permitId === undefined ? undefined : { permitId, questionId }
    if (result?.resultType !== 'input_required')
      this.#report(execution, result && result.isError !== true ? 'succeeded' : 'failed')
    else if (yes || Object.keys(answers).length > 0)
      this.#continued.expect(call, result.requestState, { yes, answers })
  }

  /** Nobody is asked any more for a call that its server has begun. */
  #giveUp(execution: Execution, text: string, over: Over = 'released'): void {
    execution.over.abort(over)
    this.#report(execution, 'not_known', text)
    this.#refuse(execution, text)
  }

  /**
   * `notifications/cancelled` of the client. Returns the call that the server has to be told of:
   * undefined if it does not have it, or somebody else waits for it.
   */
  cancel(id: RequestId): Call | 'unknown' | undefined {
    const execution = this.#executions.of(id)
    if (!execution) return 'unknown'
    return this.leave(id, 'cancelled')
  }

  /** A request is not waited for any more. Returns the call that runs for nobody now. */
  leave(id: RequestId, over: Over): Call | undefined {
    const execution = this.#executions.of(id)
    if (!execution || !this.#executions.leave(execution, id)) return undefined
    if (execution.state === 'forwarded') {
      this.#executions.later(CANCELLED_MS, () => this.#executions.end(execution))
      return execution.forwarded
    }
    this.#stop(execution, over)
    this.#executions.end(execution)
    return undefined
  }

  /** The server ended by itself, and these requests have no answer: returns those that are no calls. */
  onServerEnd(lost: readonly RequestId[]): RequestId[] {
    const { name } = this.#settings
    for (const execution of this.#executions.all()) {
      if (execution.state === 'held') this.#onServerGone(execution, execution.questionId)
      if (execution.state === 'asking')
        this.#giveUp(execution, WORDS.serverLost(name), 'server_gone')
    }
    return lost.filter((id) => !this.refuseForwarded(id, WORDS.serverLost(name)))
  }

  /** Nothing is held any longer, and the questions stay open. */
  release(text: string): void {
    for (const execution of this.#executions.all()) {
      if (execution.state === 'forwarded') continue
      if (execution.state === 'asking') {
        this.#giveUp(execution, WORDS.closingAsking)
        continue
      }
      execution.over.abort('released' satisfies Over)
      this.#refuse(execution, text)
    }
  }

  #onServerGone(execution: Execution, questionId: string | undefined): void {
    execution.over.abort('server_gone' satisfies Over)
    if (questionId !== undefined) this.#withdraw(questionId, 'server_gone')
    this.#refuse(execution, WORDS.serverEnded(this.#settings.name))
  }

  /** Nobody will answer a call that was passed on; false if this is none. */
  refuseForwarded(id: RequestId, text: string): boolean {
    const execution = this.#executions.of(id)
    if (!execution || execution.forwarded?.id !== id) return false
    this.#report(execution, 'not_known', `${this.#settings.name} ended during the call.`)
    this.#refuse(execution, text)
    return true
  }

  /** True while a request waits, or its call runs. */
  has(id: RequestId): boolean {
    return this.#executions.of(id) !== undefined
  }

  /** Undefined for a message that the client gets as it is. */
  changed(message: Message): string | undefined {
    return this.#progress.shifted(message)
  }

  /** Tells the clients of calls that run that they wait for a person, until it is disposed of. */
  sayWaiting(): Disposable {
    const running = this.#executions.all().filter(({ state }) => state === 'forwarded')
    const all = running.map(({ waiting }) => this.#progress.start(waiting))
    return {
      [Symbol.dispose]: () => {
        for (const one of all) one.stop()
      },
    }
  }

  /** True if answers and progress of the server have to be changed. */
  mayChange(): boolean {
    return this.#readsFirst || !this.#progress.isEmpty() || this.#executions.isAnyShared()
  }

  /** The client sends no more: what is held is withdrawn. Resolves once nothing is being decided. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const execution of this.#executions.all())
      if (execution.state === 'held' || execution.state === 'asking')
        this.#stop(execution, 'client_gone')
    await Promise.allSettled(this.#deciding)
  }

  /** The client is gone: nothing runs any more that is not running. */
  abort(): void {
    this.#isClosed = true
    for (const execution of this.#executions.all())
      if (execution.state !== 'forwarded') this.#stop(execution, 'client_gone')
  }

  /** Resolves once Beckon's server was told of everything. */
  async toldAll(): Promise<void> {
    this.#executions.forgetTimers()
    await Promise.allSettled([...this.#deciding, ...this.#reports])
    await Promise.allSettled([...this.#reports, this.#settings.decider.recorded()])
  }

  #stop(execution: Execution, over: Over): void {
    execution.over.abort(over)
    const { state, questionId } = execution
    if (state === 'held' && questionId !== undefined) this.#withdraw(questionId, over)
    if (state === 'asking') this.#report(execution, 'not_known', this.#reasonOf(over))
  }

  #refuse(execution: Execution, text: string): void {
    this.#executions.end(execution)
    this.#progress.forget(execution.waiting)
    for (const call of execution.waiting.values())
      this.#settings.write(refusalLine(call, text), call)
  }

  #withdraw(questionId: string, over: Over | undefined): void {
    track(this.#reports, this.#settings.decider.withdraw(questionId, this.#reasonOf(over)))
  }

  #report(execution: Execution, outcome: Outcome, detail?: string): void {
    const { permitId } = execution
    execution.permitId = undefined
    if (permitId === undefined) return
    track(this.#reports, this.#settings.decider.reportOutcome(permitId, outcome, detail))
  }

  #reasonOf(over: Over | undefined): string {
    if (over === 'server_gone') return `${this.#settings.name} has ended.`
    return over === 'cancelled' ? 'The agent has cancelled the call.' : 'The session has ended.'
  }
}

function markForwarded(execution: Execution, call: Call): void {
  execution.state = 'forwarded'
  execution.forwarded = call
}

function track(set: Set<Promise<unknown>>, work: Promise<unknown>): void {
  set.add(work)
  void work.finally(() => set.delete(work)).catch(() => {})
}
