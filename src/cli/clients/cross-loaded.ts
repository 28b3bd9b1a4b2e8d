import type { HookClient } from './client.ts'
import { findHookClient } from './hook-clients.ts'
import { sniffClient } from './sniff.ts'

/**
 * The client that really calls: Cursor, VS Code, Copilot CLI and Codex also run the hooks that
 * `.claude/settings.json` registers for Claude Code. Whoever is named otherwise is believed. A
 * client that was not asked for its prompts has none of them relayed.
 */
export async function callingClient(named: HookClient, input: unknown): Promise<HookClient> {
  const other = named.name === 'claude' ? sniffClient(input) : undefined
  const client = other === undefined ? undefined : await findHookClient(other)
  return client ? { ...client, relays: false } : named
}
