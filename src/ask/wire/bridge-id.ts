import { randomText } from '../../platform/ids.ts'

const PREFIX = 'bridge-'

/**
 * A `requestId` for a call whose client gave none: retries of the bridge are then the same question.
 */
export function newBridgeId(): string {
  return PREFIX + randomText(20)
}

/** Whether the bridge made this id: the agent itself gave none. */
export function isBridgeId(id: string): boolean {
  return id.startsWith(PREFIX)
}
