import { given } from '../../kernel/given.ts'
import type { Place } from './setup-client.ts'

/**
 * Where the bridge finds the address and the token, when that is not the usual folder: some
 * clients hand down next to nothing of their environment.
 */
export function bridgeEnvironment({ env }: Place) {
  const { XDG_CONFIG_HOME, XDG_STATE_HOME } = env
  const folders = given({
    XDG_CONFIG_HOME: XDG_CONFIG_HOME || undefined,
    XDG_STATE_HOME: XDG_STATE_HOME || undefined,
  })
  return Object.keys(folders).length > 0 ? { env: folders } : {}
}
