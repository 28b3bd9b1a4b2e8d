import { hostname } from 'node:os'
import type { GateCall, GateCallReply, GateToolsReply } from '../../ask/wire/gate-fields.ts'
import type { AskUserResult, WaitResult } from '../../ask/wire/result-fields.ts'
import { gateActionHash } from '../../ask/wire/tool-fingerprint.ts'
import { type Clock, pause } from '../../platform/clock.ts'
import { omitUndefined } from '../../platform/json.ts'
import { cutText } from '../../platform/text.ts'
import type { Service } from '../session/context.ts'
import { callApi, type ServerReply, waitQuestion, withdraw } from '../session/server.ts'
import { usePermit } from '../session/use-permit.ts'
import { type Call, mayGoUnasked, viewOf } from './call.ts'
import type { ServerTools } from './tool-list.ts'

// The question may have to be sent out first.
const CALL_MS = 6_000
const HELD_MS = 1_000
// It is not waited for any longer: what needs a person is refused.
const AWAY_MS = 10_000
const RETRY_MS = 1_000
const SHORT_MS = 1_500
const MACHINE_NAME_MAX = 64

/** What Beckon's server says of a call. `nobody`: it cannot be asked, and why. */
export type Decision =
  | { is: 'allow' }
  | { is: 'deny'; reason: string | undefined }
  | { is: 'ask'; question: AskUserResult; onTimeout: GateCallReply['onTimeout'] }
  | { is: 'nobody'; why: string }
  /** The gated server has ended and cannot be started again now. */
  | { is: 'not_started' }

/** Who calls, as far as the client tells it. */
type CallPlace = {
  sessionId: string | undefined
  repoKey: string | undefined
  agentName: string | undefined
  cwd: string
}

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
  placeOf(call: Call): CallPlace
}

type Outcome = 'succeeded' | 'failed' | 'not_run'

/** Beckon's server, as one gate uses it. Nothing here throws. */
export class BeckonServer {
  readonly #address: string
  /** The tools that the gated server has now, as they were taken. */
  #tools = new Map<string, GateToolsReply['tools'][number]>()
  #leftOut = new Set<string>()
  #unreported: ServerTools | undefined
  #awaySince: number | undefined
  #awayAt = 0

  readonly #settings: BeckonSettings

  constructor(settings: BeckonSettings) {
    this.#settings = settings
    this.#address = `/gates/${encodeURIComponent(settings.name)}`
  }

  /** Tells it which tools there are now; again with the next call, if it is away. */
  async report(list: ServerTools): Promise<void> {
    this.#unreported = list
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
  }

  /** `listed`: the fingerprint of the tool as the client was listed it last. */
  async decide(call: Call, listed: string | null, signal: AbortSignal): Promise<Decision> {
    const { service, name, server, holdMs, placeOf, fault } = this.#settings
    if (!service) return { is: 'nobody', why: fault ?? NO_SERVICE.why }
    const { tool, argumentsHash, callId = crypto.randomUUID() } = call
    const view = viewOf(call, name)
    const fingerprint = this.#leftOut.has(tool) ? null : listed
    const body: GateCall = {
      ...{ server, tool, fingerprint, argumentsHash, callId, holdMs, timeoutMs: HELD_MS },
      ...view,
      ...omitUndefined(placeOf(call)),
      machineId: service.machineId,
    }
    const reply = await this.#post(service, body, signal)
    if (!reply.ok) {
      const rule = reply.passing ? this.#ruleFor(tool, fingerprint) : null
      if (rule === 'deny') return { is: 'deny', reason: undefined }
      if (rule === 'allow' && mayGoUnasked(view)) return { is: 'allow' }
      return { is: 'nobody', why: `the server at ${service.url}: ${reply.why}` }
    }
    const { decision, reason, question, onTimeout } = reply.value as GateCallReply
    if (decision === 'allow') return { is: 'allow' }
    if (decision === 'deny') return { is: 'deny', reason }
    return question
      ? { is: 'ask', question, onTimeout }
      : { is: 'nobody', why: 'the server asked nobody' }
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

  /** Uses up the yes to a question for this one call; undefined if it could not be used. */
  async usePermit(id: string, { tool, argumentsHash }: Call): Promise<string | undefined> {
    const { service, server } = this.#settings
    const fingerprint = this.#tools.get(tool)?.fingerprint ?? null
    const actionHash = gateActionHash({ server, tool, fingerprint, argumentsHash })
    return service && (await usePermit({ left: () => CALL_MS }, service, { id, actionHash }))
  }

  async reportOutcome(permitId: string, outcome: Outcome, detail?: string): Promise<void> {
    const { service } = this.#settings
    const path = `/permits/${encodeURIComponent(permitId)}/outcome`
    const body = omitUndefined({ outcome, detail })
    if (service) await callApi(service, path, body, { ms: CALL_MS })
  }

  async withdraw(id: string, reason: string): Promise<void> {
    const { service } = this.#settings
    if (service) await withdraw(service, id, { ms: SHORT_MS }, reason)
  }
}

const NO_TOOLS: Pick<GateToolsReply, 'tools' | 'leftOut'> = { tools: [], leftOut: [] }

const NO_SERVICE = {
  ok: false,
  why: 'this machine is not connected to a Beckon server: beckon setup does that',
  passing: false,
} as const
