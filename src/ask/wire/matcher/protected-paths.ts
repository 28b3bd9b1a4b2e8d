import type { Boundary } from './judge.ts'

/**
 * Paths that may be read but not changed while a scope holds (docs/scopes.md), in the project, in
 * any folder of it, and in the home folder.
 */
type ProtectedPath = {
  path: string
  why: string
  /** A scope that names it allows it, because people have such files written. */
  unlessInScope?: true
}

const HOOKS = 'decides which hooks the client runs'
const PROGRAMS = 'the client runs what it names'
const LOADED = 'the client loads it as its own program'
const CALLED = 'may run commands when it is called'

export const PROTECTED_PATHS: readonly ProtectedPath[] = [
  { path: '**/.claude/settings*.json', why: HOOKS },
  { path: '**/.claude/hooks/**', why: HOOKS },
  { path: '**/.claude/agents/**', why: 'may bring hooks of its own', unlessInScope: true },
  { path: '**/.claude/skills/**', why: 'may bring hooks of its own', unlessInScope: true },
  { path: '**/.claude/commands/**', why: CALLED, unlessInScope: true },
  { path: '**/.mcp.json', why: PROGRAMS, unlessInScope: true },
  { path: '**/.codex/**', why: HOOKS },
  { path: '**/.copilot/hooks/**', why: HOOKS },
  { path: '**/.github/hooks/**', why: HOOKS },
  { path: '**/.vscode/mcp.json', why: PROGRAMS },
  { path: '**/.vscode/tasks.json', why: 'VS Code runs tasks', unlessInScope: true },
  { path: '**/.cursor/hooks.json', why: HOOKS },
  { path: '**/.cursor/mcp.json', why: PROGRAMS, unlessInScope: true },
  { path: '**/.gemini/settings.json', why: HOOKS },
  { path: '**/.gemini/config/hooks.json', why: HOOKS },
  { path: '**/.agents/hooks.json', why: HOOKS },
  { path: '**/.agents/plugins/*/hooks/**', why: HOOKS },
  { path: '**/.opencode/plugins/**', why: LOADED },
  { path: '**/.opencode/plugin/**', why: LOADED },
  { path: '**/.opencode/tools/**', why: LOADED },
  { path: '**/.opencode/tool/**', why: LOADED },
  { path: '**/.opencode/commands/**', why: CALLED, unlessInScope: true },
  { path: '**/.opencode/command/**', why: CALLED, unlessInScope: true },
  { path: '**/.config/opencode/plugins/**', why: LOADED },
  { path: '**/.config/opencode/plugin/**', why: LOADED },
  { path: '**/.config/opencode/tools/**', why: LOADED },
  { path: '**/.config/opencode/tool/**', why: LOADED },
  { path: '**/opencode.json*', why: 'names plugins and servers', unlessInScope: true },
  { path: '**/.windsurf/hooks.json', why: HOOKS },
  { path: '**/.codeium/windsurf/hooks.json', why: HOOKS },
  { path: '**/.clinerules/hooks/**', why: HOOKS },
  { path: '**/Cline/Hooks/**', why: HOOKS },
  { path: '**/.qwen/settings.json', why: HOOKS },
  { path: '**/.factory/settings.json', why: HOOKS },
  { path: '**/.factory/hooks.json', why: HOOKS },
  { path: '**/.factory/mcp.json', why: PROGRAMS, unlessInScope: true },
  { path: '**/.factory/commands/**', why: CALLED, unlessInScope: true },
  { path: '**/.devin/hooks*.json', why: HOOKS },
  { path: '**/.envrc', why: 'direnv runs it', unlessInScope: true },
  { path: '**/.git/hooks/**', why: 'git runs them' },
  { path: '**/.git/config', why: 'names programs that git runs' },
  { path: '**/.git/commondir', why: 'git reads its settings in the folder it names' },
  { path: '**/.git/info/attributes', why: 'selects programs that git runs on files' },
]

export const PROTECTED: readonly string[] = PROTECTED_PATHS.map(({ path }) => path)

/** For people and agents, beside what a scope enforces. */
export const PROTECTED_NOTE =
  'While it holds, files by which agent clients, git, VS Code or direnv run programs may be read but not changed.'

/** The paths that belong to this program on the agent's machine, absolute. */
export type OwnPaths = {
  /** Settings and state: neither read nor changed. */
  folders?: readonly string[]
  /** The program itself: may be run and read, but not changed. */
  files?: readonly string[]
}

/** The boundary with everything that is protected while any scope holds. */
export function protect(boundary: Boundary, own: OwnPaths = {}): Boundary {
  const { folders = [], files = [] } = own
  const paths = protectedUnder(boundary)
  return {
    ...boundary,
    offLimitsPaths: [...boundary.offLimitsPaths, ...folders],
    protectedPaths: [...(boundary.protectedPaths ?? []), ...paths, ...files],
  }
}

/** Lists those of `PROTECTED` that a boundary does not allow by name. */
export function protectedUnder(boundary: Pick<Boundary, 'allowedPaths' | 'widened'>): string[] {
  const rows = PROTECTED_PATHS.filter((row) => !row.unlessInScope || !isNamed(row, boundary))
  return rows.map(({ path }) => path)
}

/** Returns true if a rule or an added path names the protected path. */
function isNamed(
  { path }: ProtectedPath,
  { allowedPaths, widened }: Pick<Boundary, 'allowedPaths' | 'widened'>,
): boolean {
  const name = path.replaceAll('**', '').replace(/^\/|[/*]+$/g, '')
  return [...allowedPaths, ...widened].some((rule) => `/${rule}`.includes(`/${name}`))
}
