import type { HookClient } from '../clients/client.ts'
import type { HookCall } from './tool-call.ts'

/** Where the server is, and who asks. */
export type Service = { url: string; token: string; machineId: string }

/** One run of `beckon hook`. */
export type HookContext = {
  client: HookClient
  call: HookCall
  /** The input was longer than what is read: the call may be more than it seems. */
  cut: boolean
  /** Commands that cannot be read to their end are not let through either. */
  strict?: boolean
  /** A person was just asked about this very call, and said yes. */
  agreed?: boolean
  /** Registered for permission prompts about our own tools alone. */
  ownToolsOnly?: boolean
  /** The folder of what hooks remember between two calls; made when something is kept. */
  state: string
  /** Settings and state of this program, and the program: no scope covers them. */
  own: { folders: string[]; files: string[] }
  /** Undefined on a machine that was not set up. */
  service: Service | undefined
  /** Milliseconds until the decision has to be out; 0 when it is due. */
  left(): number
  /** Aborts when the decision is due, and when the client ends the hook. */
  signal: AbortSignal
}

/** Under which name the hook keeps things for this session. */
export type SessionPlace = { state: string; client: string; sessionId: string }

/** Undefined when the client did not say which session it is. */
export function sessionOf({ state, call }: HookContext): SessionPlace | undefined {
  const { client, sessionId } = call
  return sessionId === undefined ? undefined : { state, client, sessionId }
}
