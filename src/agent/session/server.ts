import { hostname } from 'node:os'
import type { CallMatch } from '../../ask/wire/call-match.ts'
import type { ContractInForce, HookReply, HookReport } from '../../ask/wire/hook-fields.ts'
import type { SendNotificationInput } from '../../ask/wire/notification-fields.ts'
import type { WaitResult } from '../../ask/wire/result-fields.ts'
import { cutText } from '../../platform/text.ts'
import type { Service } from './context.ts'

const MACHINE_NAME_MAX = 64

/** The question of a hook about a tool call: fields of `ask_user`. */
export type HookAsk = NonNullable<HookReport['ask']>

/** Body of `POST /api/v1/hooks/CLIENT`, without the fields that are always the same. */
export type HookRequest = Omit<HookReport, 'machineId' | 'machineName' | 'hookVersion'>

/** The agreement of a person, as the server keeps it. */
export type HookContract = ContractInForce

/**
 * The server's reply, or the reason that the call failed. `passing`: a retry may succeed. `cutOff`:
 * the connection broke during the call, so the server may have acted on it.
 */
export type ServerReply<T> =
  | { ok: true; value: T }
  | { ok: false; why: string; passing: boolean; cutOff?: boolean }

export type CallLimits = { ms: number; signal?: AbortSignal | undefined }

/** Tells the server what a session does, or asks it. Never throws. */
export async function callHook(
  service: Service,
  client: string,
  request: HookRequest,
  limits: CallLimits,
): Promise<ServerReply<HookReply>> {
  const { VERSION } = await import('../../platform/program.ts')
  const machineName = cutText(hostname(), MACHINE_NAME_MAX)
  const body = {
    ...request,
    machineId: service.machineId,
    ...(machineName === '' ? {} : { machineName }),
    hookVersion: VERSION,
  }
  const reply = await send(service, 'POST', `/hooks/${client}`, body, limits)
  if (!reply.ok) return reply
  return isReply(reply.value) ? { ok: true, value: withMatches(reply.value) } : UNREADABLE
}

/** Waits up to `heldMs` for the end of a question. Never throws. */
export async function waitQuestion(
  service: Service,
  id: string,
  heldMs: number,
  limits: CallLimits,
): Promise<ServerReply<WaitResult>> {
  const path = `/questions/${encodeURIComponent(id)}?timeoutMs=${Math.round(heldMs)}`
  return (await send(service, 'GET', path, undefined, limits)) as ServerReply<WaitResult>
}

/** Posts to an address of the API. Never throws. */
export async function callApi(
  service: Service,
  path: string,
  body: object,
  limits: CallLimits,
): Promise<ServerReply<unknown>> {
  return await send(service, 'POST', path, body, limits)
}

/** Withdraws a question that nobody waits for any more, whatever became of it. Never throws. */
export async function withdraw(
  service: Service,
  id: string,
  limits: CallLimits,
  reason?: string,
): Promise<void> {
  const body = reason === undefined ? {} : { reason }
  await send(service, 'POST', `/questions/${encodeURIComponent(id)}/cancel`, body, limits)
}

/** Sends a notification. Never throws; false when it did not arrive. */
export async function sendNote(
  service: Service,
  note: SendNotificationInput,
  limits: CallLimits,
): Promise<boolean> {
  return (await send(service, 'POST', '/notifications', note, limits)).ok
}

const UNREADABLE = { ok: false, why: 'its answer cannot be read', passing: false } as const

async function send(
  { url, token }: Service,
  method: 'GET' | 'POST',
  path: string,
  body: object | undefined,
  { ms, signal }: CallLimits,
): Promise<ServerReply<unknown>> {
  const limit = AbortSignal.timeout(Math.max(0, ms))
  try {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const value: unknown = await response.json().catch(() => undefined)
    if (!response.ok) return refused(response.status)
    return value !== null && typeof value === 'object' ? { ok: true, value } : UNREADABLE
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException
    const cutOff = code === 'ECONNRESET'
    const silent = name === 'TimeoutError' || name === 'AbortError'
    const why = silent ? 'it does not answer' : 'it cannot be reached'
    return { ok: false, why, passing: true, cutOff }
  }
}

function refused(status: number): ServerReply<never> {
  if (status === 401) return { ok: false, why: 'it does not accept the token', passing: false }
  return { ok: false, why: `it answered ${status}`, passing: status >= 500 }
}

function isReply(value: unknown): value is HookReply {
  const { contract, etag, decision = 'deny' } = value as Partial<HookReply>
  if (typeof etag !== 'string' || contract === undefined) return false
  // A decision that is not known here may be another way of declining.
  if (decision !== 'allow' && decision !== 'deny') return false
  if (contract === null) return true
  const { allowedPaths, offLimitsPaths, widened } = contract
  return [allowedPaths, offLimitsPaths, widened].every(
    (list) => Array.isArray(list) && list.every((path) => typeof path === 'string'),
  )
}

/** A later server may say of rules what is not read here: such a rule may be about every call. */
function withMatches(reply: HookReply): HookReply {
  const { ruleMatches }: { ruleMatches?: unknown } = reply
  if (ruleMatches === undefined) return reply
  const matches = Array.isArray(ruleMatches) ? ruleMatches : [undefined]
  return { ...reply, ruleMatches: matches.map((one) => (isCallMatch(one) ? one : {})) }
}

/** Returns true for a match of texts; a name that is not known yet would be one that nothing checks. */
function isCallMatch(value: unknown): value is CallMatch {
  if (value === null || typeof value !== 'object') return false
  return Object.values(value).every((one) => typeof one === 'string')
}
