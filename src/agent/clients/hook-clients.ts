import type { HookClient } from './client.ts'

// Only the file of the client that called is loaded: the hook runs before every tool call.
const CLIENTS: Record<string, () => Promise<HookClient>> = {
  claude: async () => (await import('./claude/hook.ts')).claudeHook,
  codex: async () => (await import('./codex/hook.ts')).codexHook,
  copilot: async () => (await import('./copilot/hook.ts')).copilotHook,
  vscode: async () => (await import('./vscode/hook.ts')).vsCodeHook,
  cursor: async () => (await import('./cursor/hook.ts')).cursorHook,
  agy: async () => (await import('./agy/hook.ts')).agyHook,
  opencode: async () => (await import('./opencode/hook.ts')).openCodeHook,
  gemini: async () => (await import('./gemini/hook.ts')).geminiHook,
  qwen: async () => (await import('./qwen/hook.ts')).qwenHook,
  droid: async () => (await import('./droid/hook.ts')).droidHook,
  goose: async () => (await import('./goose/hook.ts')).gooseHook,
  windsurf: async () => (await import('./windsurf/hook.ts')).windsurfHook,
  cline: async () => (await import('./cline/hook.ts')).clineHook,
}

/** The names that `beckon hook` takes. */
export const HOOK_CLIENTS: readonly string[] = Object.keys(CLIENTS)

export async function findHookClient(name: string): Promise<HookClient | undefined> {
  return Object.hasOwn(CLIENTS, name) ? await CLIENTS[name]?.() : undefined
}
