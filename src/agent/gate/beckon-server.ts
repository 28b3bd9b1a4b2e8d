import { hostname } from 'node:os'
import { type Call, mayGoUnasked } from '../../ask/gate-calls/call.ts'
import { CallRecorder, HAS_RUN } from '../../ask/gate-calls/call-recorder.ts'
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
} from '../../ask/gate-calls/decider.ts'
import type { FieldQuestion } from '../../ask/gate-calls/elicitation-form.ts'
import { holdCall } from '../../ask/gate-calls/hold.ts'
import type { ServerTools, ToolVersions } from '../../ask/gate-calls/tool-list.ts'
import type { GateCall, GateCallReply, GateToolsReply } from '../../ask/wire/gate-fields.ts'
import type { AskUserResult, WaitResult } from '../../ask/wire/result-fields.ts'
import { gateActionHash } from '../../ask/wire/tool-fingerprint.ts'
import { type Clock, pause } from '../../platform/clock.ts'
import { omitUndefined } from '../../platform/json.ts'
import { cutText } from '../../platform/text.ts'
import type { Service } from '../session/context.ts'
import { callApi, type ServerReply, waitQuestion, withdraw } from '../session/server.ts'
import { usePermit } from '../session/use-permit.ts'

// The question may have to be sent out first.
const CALL_MS = 6_000
// It is not waited for any longer: what needs a person is refused.
const AWAY_MS = 10_000
const RETRY_MS = 1_000
const SHORT_MS = 1_500
// For so long after its server said that a tool's calls go unasked, they are passed on before it is told of
// each; at the first other word of it they are not.
const FRESH_MS = 10_000
const UNRECORDED_MAX = 1_000
const MACHINE_NAME_MAX = 64

export type BeckonSettings = {
  service: Service | undefined
  /** Why there is no service on a machine that was set up. */
  fault: string | undefined
  /** The name of the gate. */
  name: string
  /** Identifies the server behind it: its command line. */
  server: string
  holdMs: number
  clock: Clock
  placeOf(call: Pick<Call, 'sessionId'>): CallPlace
}

/** A call that was passed on by what its server said of the tool before. */
type Unasked = { call: Call; versions: ToolVersions }

/** Beckon's server, as one gate uses it. Nothing here throws. */
export class BeckonServer implements Decider {
  readonly #address: string
  /** The tools that the gated server has now, as they were taken. */
  #tools = new Map<string, GateToolsReply['tools'][number]>()
  #leftOut = new Set<string>()
  /** When its server last said that the calls of a tool go unasked. */
  readonly #unaskedAt = new Map<string, number>()
  readonly #recorder: CallRecorder<Unasked>
  #unreported: ServerTools | undefined
  #reported: ServerTools | undefined
  #awaySince: number | undefined
  #awayAt = 0

  readonly #settings: BeckonSettings

  constructor(settings: BeckonSettings) {
    this.#settings = settings
    this.#recorder = new CallRecorder(settings.clock, UNRECORDED_MAX, (calls) =>
      this.#recordAll(calls),
    )
    this.#address = `/gates/${encodeURIComponent(settings.name)}`
  }

  /** Tells it which tools there are now; again with the next call, if it is away. */
  async report(list: ServerTools): Promise<void> {
    this.#unreported = list
    this.#reported = list
    const { service, server } = this.#settings
    if (!service) return
    const { machineId } = service
    const machineName = cutText(hostname(), MACHINE_NAME_MAX) || undefined
    const body = { ...omitUndefined({ machineName, ...list }), server, machineId }
    const reply = await callApi(service, `${this.#address}/tools`, body, { ms: CALL_MS })
    if (this.#unreported !== list || (!reply.ok && reply.passing)) return
    this.#unreported = undefined
    const { tools, leftOut } = reply.ok ? (reply.value as GateToolsReply) : NO_TOOLS
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]))
    this.#leftOut = new Set(leftOut.map((tool) => tool.name))
    this.#unaskedAt.clear()
    for (const { name, unasked } of tools)
      if (unasked === 'allow') this.#unaskedAt.set(name, this.#settings.clock.elapsed())
  }

  async decide(call: Call, seen: ToolVersions, signal: AbortSignal): Promise<Decision> {
    const { service, fault, name } = this.#settings
    if (!service) return { is: 'nobody', why: fault ?? NO_SERVICE.why }
    const { tool } = call
    const versions = this.#leftOut.has(tool) ? UNLISTED : { ...seen, now: seen.now ?? null }
    const fingerprint = versions.listed
    const isFresh = this.#isFresh(tool, fingerprint) && !this.#recorder.isFull
    if (isFresh && mayGoUnasked(call, name)) {
      this.#recorder.add({ call, versions })
      return { is: 'allow' }
    }
    const reply = await this.#post(service, this.#bodyOf(service, call, versions), signal)
    if (!reply.ok) {
      const rule = reply.passing ? this.#ruleFor(tool, fingerprint) : null
      if (rule === 'deny') return { is: 'deny', reason: undefined }
      if (rule === 'allow' && mayGoUnasked(call, name)) return { is: 'allow' }
      return { is: 'nobody', why: `the server at ${service.url}: ${reply.why}` }
    }
    const decision = decisionIn(reply.value as GateCallReply)
    if (decision.is === 'allow') this.#noteAllowed(tool)
    return decision
  }

  #bodyOf({ machineId }: Service, call: Call, versions: ToolVersions): GateCall {
    const { name, server, holdMs, placeOf } = this.#settings
    const place = { ...placeOf(call), machineId }
    return callBody(call, { name, server, holdMs, versions, place })
  }

  #isFresh(tool: string, fingerprint: string | null): boolean {
    const at = this.#unaskedAt.get(tool)
    if (at === undefined || this.#unreported) return false
    const isRecent = this.#settings.clock.elapsed() - at < FRESH_MS
    return isRecent && this.#ruleFor(tool, fingerprint) === 'allow'
  }

  #noteAllowed(tool: string): void {
    if (this.#tools.get(tool)?.unasked === 'allow')
      this.#unaskedAt.set(tool, this.#settings.clock.elapsed())
  }

  /** Tells it of calls that were passed on, if it would still pass them on: else it would ask about them. */
  async #recordAll(calls: Unasked[]): Promise<void> {
    if (this.#reported) await this.report(this.#reported)
    const allowed = calls.filter(({ call, versions }) => this.#isFresh(call.tool, versions.listed))
    await Promise.all(allowed.map((one) => this.#record(one)))
  }

  async #record({ call, versions }: Unasked): Promise<void> {
    const { service } = this.#settings
    if (!service) return
    const body = this.#bodyOf(service, call, versions)
    const reply = await callApi(service, `${this.#address}/calls`, body, { ms: CALL_MS })
    const { decision, question } = reply.ok ? (reply.value as GateCallReply) : NOTHING
    if (decision === 'allow') return this.#noteAllowed(body.tool)
    this.#unaskedAt.delete(body.tool)
    if (question) await this.withdraw(question.correlationId, HAS_RUN)
  }

  /** Asks until it answers, or was away too long for any call. */
  async #post(service: Service, body: object, signal: AbortSignal): Promise<ServerReply<unknown>> {
    const { clock } = this.#settings
    for (;;) {
      if (this.#unreported) await this.report(this.#unreported)
      // It goes on when the call is cancelled: only its reply names the question to withdraw.
      const reply = await callApi(service, `${this.#address}/calls`, body, { ms: CALL_MS })
      if (reply.ok || !reply.passing) {
        this.#awaySince = undefined
        return reply
      }
      const now = clock.elapsed()
      if (now - this.#awayAt > AWAY_MS) this.#awaySince = undefined
      this.#awaySince ??= now
      this.#awayAt = now
      if (now - this.#awaySince >= AWAY_MS) return reply
      await pause(clock, RETRY_MS, signal)
      if (signal.aborted) return reply
    }
  }

  /** What the rules decide about the tool whatever its arguments are, if the client was listed it as it is. */
  #ruleFor(tool: string, fingerprint: string | null): 'allow' | 'deny' | null {
    const now = this.#tools.get(tool)
    if (now?.unasked === 'deny') return 'deny'
    return now && now.fingerprint === fingerprint ? now.unasked : null
  }

  async wait(id: string, heldMs: number, signal: AbortSignal): Promise<ServerReply<WaitResult>> {
    const { service } = this.#settings
    if (!service) return NO_SERVICE
    return await waitQuestion(service, id, heldMs, { ms: heldMs + CALL_MS, signal })
  }

  async usePermit(
    id: string,
    { tool, argumentsHash }: Call,
    now: ToolVersions['now'],
  ): Promise<string | undefined> {
    const { service, server } = this.#settings
    const fingerprint = this.#leftOut.has(tool) ? null : (now ?? null)
    const actionHash = gateActionHash({ server, tool, fingerprint, argumentsHash })
    return service && (await usePermit({ left: () => CALL_MS }, service, { id, actionHash }))
  }

  async reportOutcome(permitId: string, outcome: Outcome, detail?: string): Promise<void> {
    const { service } = this.#settings
    const path = `/permits/${encodeURIComponent(permitId)}/outcome`
    const body = omitUndefined({ outcome, detail })
    if (service) await callApi(service, path, body, { ms: CALL_MS })
  }

  async recorded(): Promise<void> {
    await this.#recorder.flush()
  }

  /** True if this machine is connected to a server that a person can be asked by. */
  get canAsk(): boolean {
    return this.#settings.service !== undefined
  }

  /** Asks a person something that is no tool call. */
  async ask(
    question: FieldQuestion,
    call: Call | undefined,
    holdMs: number,
    signal: AbortSignal,
  ): Promise<HoldEnd> {
    const { service, fault, clock, placeOf } = this.#settings
    if (!service) return { is: 'unheard', why: fault ?? NO_SERVICE.why }
    const { cwd: _, ...place } = placeOf({ sessionId: call?.sessionId })
    const { machineId } = service
    const about = { ...omitUndefined(place), machineId }
    const body = { ...ownQuestion(question, clock.now() + holdMs), ...about }
    const reply = await callApi(service, '/questions', body, { ms: CALL_MS })
    if (!reply.ok) return { is: 'unheard', why: `the server at ${service.url}: ${reply.why}` }
    const opened = reply.value as AskUserResult
    const hold = { decider: this, clock, holdMs, signal, onAway: () => {} }
    const end = await holdCall(opened, hold)
    if (end.is === 'over' || end.is === 'aborted')
      await this.withdraw(opened.correlationId, WAITS_NO_MORE)
    return end
  }

  async withdraw(id: string, reason: string): Promise<void> {
    const { service } = this.#settings
    if (service) await withdraw(service, id, { ms: SHORT_MS }, reason)
  }
}

const UNLISTED: ToolVersions = { listed: null, now: null }
const NOTHING: Partial<GateCallReply> = {}
const NO_TOOLS: Pick<GateToolsReply, 'tools' | 'leftOut'> = { tools: [], leftOut: [] }

const NO_SERVICE = {
  ok: false,
  why: 'this machine is not connected to a Beckon server: beckon setup does that',
  passing: false,
} as const
