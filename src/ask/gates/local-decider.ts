import { isUnavailable } from '../../platform/db/storage-failure.ts'
import { Failure } from '../../platform/failure.ts'
import { omitUndefined } from '../../platform/json.ts'
import { shape } from '../../platform/schema.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { CallContext, Caller } from '../accounts/model/agent.ts'
import { cancelQuestion } from '../answering/cancel-question.ts'
import { type AskUserDeps, askUser } from '../asking/ask-user.ts'
import { type Call, mayGoUnasked } from '../gate-calls/call.ts'
import { type CallRecorder, HAS_RUN } from '../gate-calls/call-recorder.ts'
import {
  type CallPlace,
  callBody,
  type Decider,
  type Decision,
  decisionIn,
  type HoldEnd,
  type Outcome,
  ownQuestion,
  WAITS_NO_MORE,
} from '../gate-calls/decider.ts'
import type { FieldQuestion } from '../gate-calls/elicitation-form.ts'
import { holdCall } from '../gate-calls/hold.ts'
import type { ToolVersions } from '../gate-calls/tool-list.ts'
import { consumePermit, issuePermit, recordOutcome } from '../permits/permits.ts'
import { waitForAnswer } from '../waiting/wait-for-answer.ts'
import { GateCall, type GateCallReply } from '../wire/gate-fields.ts'
import { ProgramAskInput } from '../wire/program-fields.ts'
import { gateActionHash } from '../wire/tool-fingerprint.ts'
import { checkGateCall } from './check-gate-call.ts'
import type { GateCache } from './gate-cache.ts'
import { findGate, findGateTool } from './model/store.ts'
import { decidedUnasked } from './unasked.ts'

export type LocalGate = {
  name: string
  /** Identifies the server behind it: its URL. */
  server: string
  /** Stores what goes unasked, after it was passed on. */
  recorder: CallRecorder<() => Promise<void>>
  cache: Pick<GateCache, 'tool'>
  /** Who calls: the agent, and the name of its client. */
  callerOf(call: Call | undefined): Caller
  holdMsOf(call: Call): number
}

type Held = { call: Call; versions: ToolVersions; caller: Caller }

const gateCall = shape(GateCall)
const programAsk = shape(ProgramAskInput)
const NEVER = new AbortController().signal

/** Decides the calls of a gate in this server itself. */
export class LocalDecider implements Decider {
  readonly #deps: AskUserDeps
  readonly #gate: LocalGate

  constructor(deps: AskUserDeps, gate: LocalGate) {
    this.#deps = deps
    this.#gate = gate
  }

  async decide(call: Call, versions: ToolVersions, signal: AbortSignal): Promise<Decision> {
    const caller = this.#gate.callerOf(call)
    const held = { call, versions, caller: { ...caller, arrivedAt: this.#deps.clock.now() } }
    try {
      const { recorder } = this.#gate
      if (recorder.isFull || !(await this.#goesUnasked(held)))
        return decisionIn(await this.#check(held, signal))
      recorder.add(() => this.#record(held))
      return { is: 'allow' }
    } catch (error) {
      return { is: 'nobody', why: whyOf(error) }
    }
  }

  async #check({ call, versions, caller }: Held, signal: AbortSignal): Promise<GateCallReply> {
    const { name, server, holdMsOf } = this.#gate
    const place: CallPlace = { sessionId: call.sessionId }
    const about = { name, server, holdMs: holdMsOf(call), versions, place }
    const body = gateCall.parse(callBody(call, about))
    return await checkGateCall(this.#deps, name, body, { caller, talk() {}, signal })
  }

  /** True if the tool's calls run whatever their arguments are, and this is one of those. A session may have a scope. */
  async #goesUnasked({ call, versions, caller: { workspaceId, test } }: Held): Promise<boolean> {
    const { name, server, cache } = this.#gate
    if (test || call.sessionId !== undefined || !mayGoUnasked(call, name)) return false
    const entry = await cache.tool({ workspaceId, gate: name, server, tool: call.tool })
    const { listed, now = listed } = versions
    if (!entry?.tool.listed || entry.tool.fingerprint !== listed || now !== listed) return false
    const { gate, tool } = entry
    const { rules } = await this.#deps.policies.of(workspaceId)
    return decidedUnasked(rules, { gate: name, tool, machineId: gate.machineId }) === 'allow'
  }

  /** Stores a call that has run; if somebody would be asked by now, it is too late. */
  async #record(held: Held): Promise<void> {
    try {
      const { question } = await this.#check(held, NEVER)
      if (question) await this.withdraw(question.correlationId, HAS_RUN)
    } catch (error) {
      mustBeExpected(error)
    }
  }

  async wait(correlationId: string, heldMs: number, signal: AbortSignal) {
    const timeoutMs = Math.round(heldMs)
    try {
      const input = { correlationId, timeoutMs }
      const value = await waitForAnswer(this.#deps, input, this.#context(signal))
      return { ok: true, value } as const
    } catch (error) {
      return { ok: false, why: whyOf(error), passing: isUnavailable(error) } as const
    }
  }

  async usePermit(
    questionId: string,
    call: Call,
    now: ToolVersions['now'],
  ): Promise<string | undefined> {
    const { caller } = this.#context(NEVER)
    try {
      const actionHash = await this.#actionHashOf(call, now)
      const { id } = await issuePermit(this.#deps, caller, questionId, actionHash)
      await consumePermit(this.#deps, caller, id, actionHash)
      return id
    } catch (error) {
      mustBeExpected(error)
      return undefined
    }
  }

  /** With the tool as it is now: a yes to earlier words of it does not hold. */
  async #actionHashOf({ tool, argumentsHash }: Call, now: ToolVersions['now']): Promise<string> {
    const { server } = this.#gate
    const fingerprint = now === undefined ? await this.#reportedLast(tool) : now
    return gateActionHash({ server, tool, fingerprint, argumentsHash })
  }

  async #reportedLast(tool: string): Promise<string | null> {
    const { workspaceId } = this.#gate.callerOf(undefined)
    const { read } = this.#deps.db
    const { name, server } = this.#gate
    const gate = await findGate(read, { workspaceId, name, serverHash: sha256(server) })
    const row = gate && (await findGateTool(read, gate.id, tool))
    return row?.listed ? row.fingerprint : null
  }

  async ask(
    question: FieldQuestion,
    call: Call | undefined,
    holdMs: number,
    signal: AbortSignal,
  ): Promise<HoldEnd> {
    const { clock } = this.#deps
    const caller = { ...this.#gate.callerOf(call), arrivedAt: clock.now() }
    const about = omitUndefined({ sessionId: call?.sessionId })
    const draft = { ...ownQuestion(question, clock.now() + holdMs), ...about }
    try {
      const context = { caller, talk() {}, signal }
      const opened = await askUser(this.#deps, programAsk.parse(draft), context)
      const onAway = () => {}
      const end = await holdCall(opened, { decider: this, clock, holdMs, signal, onAway })
      if (end.is === 'over' || end.is === 'aborted')
        await this.withdraw(opened.correlationId, WAITS_NO_MORE)
      return end
    } catch (error) {
      return { is: 'unheard', why: whyOf(error) }
    }
  }

  async reportOutcome(permitId: string, outcome: Outcome, detail?: string): Promise<void> {
    const { caller } = this.#context(NEVER)
    await recordOutcome(this.#deps, caller, permitId, { outcome, detail }).catch(mustBeExpected)
  }

  async withdraw(correlationId: string, reason: string): Promise<void> {
    const input = { correlationId, reason }
    await cancelQuestion(this.#deps, input, this.#context(NEVER)).catch(mustBeExpected)
  }

  async recorded(): Promise<void> {}

  #context(signal: AbortSignal): CallContext {
    const caller = { ...this.#gate.callerOf(undefined), arrivedAt: this.#deps.clock.now() }
    return { caller, talk() {}, signal }
  }
}

function whyOf(error: unknown): string {
  if (error instanceof Failure) return error.message
  if (isUnavailable(error)) return 'Beckon cannot read or write its data'
  throw error
}

function mustBeExpected(error: unknown): void {
  if (!(error instanceof Failure) && !isUnavailable(error)) throw error
}
