import { isUnavailable } from '../../platform/db/storage-failure.ts'
import { Failure } from '../../platform/failure.ts'
import { shape } from '../../platform/schema.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { CallContext, Caller } from '../accounts/model/agent.ts'
import { cancelQuestion } from '../answering/cancel-question.ts'
import type { AskUserDeps } from '../asking/ask-user.ts'
import type { Call } from '../gate-calls/call.ts'
import {
  type CallPlace,
  callBody,
  type Decider,
  type Decision,
  decisionIn,
  type Outcome,
} from '../gate-calls/decider.ts'
import type { ToolVersions } from '../gate-calls/tool-list.ts'
import { consumePermit, issuePermit, recordOutcome } from '../permits/permits.ts'
import { waitForAnswer } from '../waiting/wait-for-answer.ts'
import { GateCall } from '../wire/gate-fields.ts'
import { gateActionHash } from '../wire/tool-fingerprint.ts'
import { checkGateCall } from './check-gate-call.ts'
import { findGate, findGateTool } from './model/store.ts'

export type LocalGate = {
  name: string
  /** Identifies the server behind it: its URL. */
  server: string
  /** Who calls: the agent, and the name of its client. */
  callerOf(call: Call | undefined): Caller
  holdMsOf(call: Call): number
}

const gateCall = shape(GateCall)
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
    const { name, server, callerOf, holdMsOf } = this.#gate
    const place: CallPlace = { sessionId: call.sessionId }
    const body = callBody(call, {
      name,
      server,
      holdMs: holdMsOf(call),
      versions,
      place,
    })
    try {
      const context = { ...this.#context(signal, call), caller: callerOf(call) }
      return decisionIn(await checkGateCall(this.#deps, name, gateCall.parse(body), context))
    } catch (error) {
      return { is: 'nobody', why: whyOf(error) }
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
    const { name, server, callerOf } = this.#gate
    const { read } = this.#deps.db
    const { workspaceId } = callerOf(undefined)
    const gate = await findGate(read, { workspaceId, name, serverHash: sha256(server) })
    const row = gate && (await findGateTool(read, gate.id, tool))
    return row?.listed ? row.fingerprint : null
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

  #context(signal: AbortSignal, call?: Call): CallContext {
    const caller = { ...this.#gate.callerOf(call), arrivedAt: this.#deps.clock.now() }
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
