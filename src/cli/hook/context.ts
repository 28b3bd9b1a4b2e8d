import type { HookClient } from '../clients/client.ts'
import type { HookCall } from './tool-call.ts'

/** Where the server is, and who asks. */
export type Service = { url: string; token: string; machineId: string }

/** One run of `beckon hook`. */
export type HookContext = {
  client: HookClient
  call: HookCall
  /** The folder of what hooks remember between two calls; made when something is kept. */
  state: string
  /** Undefined on a machine that was not set up. */
  service: Service | undefined
  /** Milliseconds until the decision has to be out; 0 when it is due. */
  left(): number
  /** Aborts when the decision is due, and when the client ends the hook. */
  signal: AbortSignal
}
