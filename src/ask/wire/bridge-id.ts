import { randomText } from '../../platform/ids.ts'

const PREFIX = 'bridge-'

/**
 * A `requestId` for a call whose client gave none: retries of the bridge are then the same question.
 */
export function newBridgeId(): string {
  return PREFIX + randomText(20)
}

/** Returns true if the bridge created this id because the agent gave none. */
export function isBridgeId(id: string): boolean {
  return id.startsWith(PREFIX)
}
