import type { HookClient } from './client.ts'
import { findHookClient } from './hook-clients.ts'
import { sniffClient } from './sniff.ts'

// Who else reads the file in which a client's hooks stand, and runs them.
const READERS: Readonly<Record<string, readonly string[]>> = {
  claude: ['cursor', 'vscode', 'copilot', 'codex'],
  copilot: ['vscode'],
  vscode: ['copilot'],
}

/**
 * The client that really calls: `.claude/settings.json` and `.github/hooks` are read by others too.
 * A client that was not asked for its prompts has none of them relayed.
 */
export async function callingClient(named: HookClient, input: unknown): Promise<HookClient> {
  const readers = READERS[named.name] ?? []
  const other = readers.length > 0 ? sniffClient(input) : undefined
  if (other === undefined || !readers.includes(other)) return named
  const client = await findHookClient(other)
  return client ? { ...client, relays: false } : named
}
