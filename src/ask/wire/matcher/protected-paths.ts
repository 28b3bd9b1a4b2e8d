import type { Boundary } from './judge.ts'

/**
 * What may be read but not changed while a scope holds (docs/scopes.md): files that switch the
 * hooks of a client on and off, and those by which git runs something. In the project, in any
 * folder of it, and in the home folder.
 */
export const PROTECTED: readonly string[] = [
  '**/.claude/settings*.json',
  '**/.claude/hooks/**',
  '**/.codex/**',
  '**/.copilot/hooks/**',
  '**/.github/hooks/**',
  '**/.vscode/mcp.json',
  '**/.cursor/hooks.json',
  '**/.gemini/settings.json',
  '**/.gemini/config/hooks.json',
  '**/.agents/hooks.json',
  '**/.agents/plugins/*/hooks/**',
  '**/.opencode/plugins/**',
  '**/.opencode/plugin/**',
  '**/.config/opencode/plugins/**',
  '**/.config/opencode/plugin/**',
  '**/.windsurf/hooks.json',
  '**/.codeium/windsurf/hooks.json',
  '**/.clinerules/hooks/**',
  '**/Cline/Hooks/**',
  '**/.qwen/settings.json',
  '**/.factory/settings.json',
  '**/.factory/hooks.json',
  '**/.devin/hooks*.json',
  '**/.git/hooks/**',
  '**/.git/config',
]

/** For people and agents, beside what a scope enforces. */
export const PROTECTED_NOTE =
  'While it holds, the hook files of agent clients, .git/hooks and .git/config may be read but not changed.'

/** What belongs to this program on the agent's machine, as absolute paths. */
export type OwnPaths = {
  /** Settings and state: neither read nor changed. */
  folders?: readonly string[]
  /** The program itself: may be run and read, but not changed. */
  files?: readonly string[]
}

/** The boundary with everything that is protected while any scope holds. */
export function protect(boundary: Boundary, own: OwnPaths = {}): Boundary {
  const { folders = [], files = [] } = own
  return {
    ...boundary,
    offLimitsPaths: [...boundary.offLimitsPaths, ...folders],
    protectedPaths: [...(boundary.protectedPaths ?? []), ...PROTECTED, ...files],
  }
}
