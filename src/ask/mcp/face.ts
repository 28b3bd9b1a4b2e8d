import { createDoor, type DoorDeps } from '../../platform/mcp/door.ts'
import type { Endpoint, IdleTimer } from '../../platform/mcp/offer.ts'
import type { EndpointDeps } from './endpoint.ts'

export type FaceDeps = EndpointDeps & Omit<DoorDeps, 'admit'>

/** The MCP address: give it every request, whatever its method; it never throws. */
export type Mcp = {
  fetch(request: Request, server?: IdleTimer): Promise<Response>
  /** Calls that are being worked on. */
  open(): number
  /**
   * Waits for open calls, and tells those that are left after `graceMs` (2.5 s) that the server is
   * closing. Send the waiting home first (`waiting.close()`): their calls then end by themselves.
   */
  close(graceMs?: number): Promise<void>
}

// A call that has sent something waits up to 2 s for the first outcomes before it says so.
const GRACE_MS = 2_500

/** The door with the replies behind it that are still being worked on. */
export function createFace(deps: FaceDeps, endpointFor: (url: string) => Endpoint): Mcp {
  const { exchanges, agentFrom: admit } = deps
  return {
    fetch: createDoor({ ...deps, admit }, ({ url }) => endpointFor(url)),
    open: exchanges.open,
    close: (graceMs = GRACE_MS) => exchanges.close(graceMs),
  }
}
