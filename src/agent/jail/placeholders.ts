import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { protectedUnder } from '../../ask/wire/matcher/protected-paths.ts'
import type { Environment } from '../../platform/config/env.ts'
import { isAt } from './areas.ts'

/**
 * Something that is made for the time of a command, because a name that does not exist cannot be
 * kept from it. `text`: what is in a file; without it this is a folder. `isKept`: the command may
 * not change it; otherwise it only holds such a one.
 */
export type Placeholder = { path: string; text?: string; isKept: boolean }

/**
 * Where in the home folder a client shows that it is on this machine, by the first name of what it
 * reads in a project. Others need no placeholder.
 */
const SEEN_IN: Readonly<Record<string, readonly string[]>> = {
  '.claude': [''],
  '.mcp.json': [''],
  '.codex': ['.codex'],
  '.github': ['.copilot'],
  '.vscode': ['.vscode', '.vscode-server', '.config/Code', '.cursor', '.codeium'],
  '.cursor': ['.cursor'],
  '.gemini': ['.gemini'],
  '.agents': ['.agents', '.gemini'],
  '.opencode': ['.config/opencode', '.local/share/opencode'],
  'opencode.json': ['.config/opencode', '.local/share/opencode'],
  '.windsurf': ['.codeium', '.windsurf'],
  '.clinerules': ['.cline', 'Documents/Cline'],
  '.qwen': ['.qwen'],
  '.factory': ['.factory'],
  '.devin': ['.devin'],
  '.envrc': ['.config/direnv', '.local/share/direnv'],
}

// People keep other things in these, so the command may make them.
const SHARED = new Set(['.github', '.vscode'])

// The names that stand for a pattern.
const NAMES: Readonly<Record<string, readonly string[]>> = {
  '.claude/settings*.json': ['.claude/settings.json', '.claude/settings.local.json'],
  'opencode.json*': ['opencode.json', 'opencode.jsonc'],
  '.devin/hooks*.json': ['.devin/hooks.json', '.devin/hooks.local.json'],
}

// The client itself may write these meanwhile. What else a program would look for is a folder,
// because git sees no empty folders.
const FILES: Readonly<Record<string, string>> = {
  '.claude/settings.json': '{}\n',
  '.claude/settings.local.json': '{}\n',
}

type Allowed = { allowedPaths: readonly string[]; widened: readonly string[] }

/** Tells whether a path exists by itself; placeholders of other commands do not count. */
export type Exists = (path: string) => boolean

/** `write`: the paths that the command may change. */
type Around = { scope: Allowed; write: readonly string[]; env: Environment; exists: Exists }

/** The protected names that a command of this scope could make in a folder. */
export function placeholdersIn(root: string, { scope, write, env, exists }: Around): Placeholder[] {
  const all = new Map<string, Placeholder>()
  const may = (path: string) => write.some((one) => isAt(path, one))
  const names = namesUnder(scope)
  const isWhole = (first: string) =>
    !SHARED.has(first) &&
    !scope.allowedPaths.concat(scope.widened).some((one) => one.includes(first))
  for (const name of names) {
    const first = name.split('/')[0] ?? ''
    if (!isOnMachine(first, env)) continue
    const top = join(root, first)
    if (isWhole(first) && !exists(top) && may(root)) {
      all.set(top, { path: top, isKept: true })
      continue
    }
    const path = join(root, name)
    if (exists(path) || !may(dirname(path))) continue
    for (let at = dirname(path); at !== root && !exists(at); at = dirname(at))
      if (!all.has(at)) all.set(at, { path: at, isKept: false })
    const text = FILES[name]
    all.set(path, { path, isKept: true, ...(text !== undefined && { text }) })
  }
  return [...all.values()]
}

function namesUnder(scope: Allowed): string[] {
  return protectedUnder(scope).flatMap((glob) => {
    const name = glob.replace(/^\*\*\/|\/\*\*$/g, '').replace(/\/\*\/.*$/, '')
    return NAMES[name] ?? (name.startsWith('.git/') ? [] : [name])
  })
}

function isOnMachine(first: string, { HOME: home }: Environment): boolean {
  const places = SEEN_IN[first] ?? []
  return home !== undefined && places.some((place) => existsSync(join(home, place)))
}

/**
 * Lists the files that git would read in its folder, or in that of a submodule, to find programs to
 * run.
 */
export function placeholdersOfGit(folder: string, exists: Exists): Placeholder[] {
  const all: Placeholder[] = [
    { path: `${folder}/hooks`, isKept: true },
    { path: `${folder}/commondir`, text: '.\n', isKept: true },
    { path: `${folder}/config.worktree`, text: '', isKept: true },
    { path: `${folder}/info`, isKept: false },
    { path: `${folder}/info/attributes`, text: '', isKept: true },
  ]
  return all.filter(({ path }) => !exists(path))
}
