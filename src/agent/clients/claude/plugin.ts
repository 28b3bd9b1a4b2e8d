import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { VERSION } from '../../../platform/program.ts'
import { BrokenFile } from '../../client-files/broken-file.ts'
import { type InstallRequest, SERVER_NAME } from '../../client-files/client-setup.ts'
import type { DesiredJson } from '../../client-files/desired-json.ts'
import { ours } from '../../client-files/entries.ts'
import { expanded } from '../../client-files/json-document.ts'
import { makeFolders, readTextFile, replaceFile } from '../../client-files/text-file.ts'
import { claudeHooks, claudeServer } from './setup.ts'

const MANIFEST = '.claude-plugin/plugin.json'
const HOOKS = 'hooks/hooks.json'
const SERVERS = '.mcp.json'
const MODE = 0o644

/**
 * Writes a plugin for Claude Code into `folder`: the same server and hooks as in its settings.
 * Returns the files. Throws `BrokenFile` for a folder that holds something else.
 */
export function writePlugin(folder: string, request: InstallRequest): string[] {
  const root = resolve(folder)
  mustBeOurs(root)
  return Object.entries(pluginFiles(request)).map(([name, value]) => {
    const path = join(root, name)
    const file = readTextFile(path)
    makeFolders(file.target)
    replaceFile(file, new TextEncoder().encode(`${expanded(value)}\n`), MODE)
    return path
  })
}

/** The paths that `writePlugin` writes. */
export function pluginPaths(folder: string): string[] {
  return [MANIFEST, HOOKS, SERVERS].map((name) => join(resolve(folder), name))
}

/** Where an earlier plugin in `folder` has its hooks. */
export function pluginHooks(folder: string): DesiredJson[] {
  const path = join(resolve(folder), HOOKS)
  return [{ kind: 'json', path, values: [], lists: [], isOurs: ours('claude') }]
}

/** The files of the plugin by their place in it. */
function pluginFiles(request: InstallRequest): Record<string, object> {
  const hooks = claudeHooks(shared(request)).map(({ at, items }) => [at.at(-1), items])
  return {
    [MANIFEST]: {
      name: SERVER_NAME,
      version: VERSION,
      description: 'Ask a person, tell them, and keep to the boundary that they agreed to.',
      author: { name: 'Beckon' },
      license: 'MIT',
    },
    [HOOKS]: { hooks: Object.fromEntries(hooks) },
    [SERVERS]: { mcpServers: { [SERVER_NAME]: claudeServer(shared(request)) } },
  }
}

/** A plugin is shared like a project, so it must not hold the token. */
function shared(request: InstallRequest): InstallRequest {
  return { ...request, place: { ...request.place, project: request.place.home } }
}

function mustBeOurs(root: string): void {
  if (!existsSync(root)) return
  try {
    if (readdirSync(root).length === 0) return
    const { name } = JSON.parse(readFileSync(join(root, MANIFEST), 'utf8'))
    if (name === SERVER_NAME) return
  } catch {
    // Reported below: it is not our plugin.
  }
  throw new BrokenFile('the folder is not empty, and holds no plugin of beckon')
}
