import type { HookClient } from './client.ts'

// Only the file of the client that called is loaded: the hook runs before every tool call.
const CLIENTS: Record<string, () => Promise<HookClient>> = {
  claude: async () => (await import('./claude/hook.ts')).claudeHook,
  codex: async () => (await import('./codex/hook.ts')).codexHook,
}

/** The names that `beckon hook` takes. */
export const HOOK_CLIENTS: readonly string[] = Object.keys(CLIENTS)

export async function findHookClient(name: string): Promise<HookClient | undefined> {
  return Object.hasOwn(CLIENTS, name) ? await CLIENTS[name]?.() : undefined
}
