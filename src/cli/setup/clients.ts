import { WrongUsage } from '../../config/wrong-usage.ts'
import { claudeSetup } from '../clients/claude/setup.ts'
import { codexSetup } from '../clients/codex/setup.ts'
import type { SetupClient } from './setup-client.ts'

/** Every client that setup knows, in the order of the help. */
export const SETUP_CLIENTS: readonly SetupClient[] = [claudeSetup, codexSetup]

/** The clients of these names. Throws `WrongUsage` for a name that is none. */
export function namedClients(names: readonly string[]): SetupClient[] {
  return [...new Set(names)].map((name) => {
    const client = SETUP_CLIENTS.find((one) => one.name === name.toLowerCase())
    if (client) return client
    const known = SETUP_CLIENTS.map((one) => one.name).join(', ')
    throw new WrongUsage(`"${name}" is not a client that beckon sets up; these are: ${known}.`)
  })
}
