import { join } from 'node:path'
import { AGENT_TOOLS } from '../../../ask/agent-tools.ts'
import { stateFolder } from '../../../platform/config/client-file.ts'
import {
  type ClientSetup,
  type InstallRequest,
  type OwnFile,
  type Place,
  SERVER_NAME,
} from '../../client-files/client-setup.ts'
import type { DesiredJson } from '../../client-files/desired-json.ts'
import {
  authorization,
  bridge,
  HOLD_S,
  holding,
  LONG_TIMEOUT_MS,
  ours,
  ownEnvironment,
  STRICT,
  serverFile,
} from '../../client-files/entries.ts'
import { GUARDED } from '../../client-files/guarded-hook.ts'
import { wordsOf } from '../../client-files/program.ts'
import PLUGIN from './plugin.js' with { type: 'text' }

const NAME = 'opencode'

export const setup: ClientSetup = {
  toolLimit: { key: 'timeout', perSecond: 1000 },
  detect: (place) => place.has(folderOf(place)) || place.onPath('opencode'),
  files: (request) => [server(request), ...otherServer(request), plugin(request)],
  after: () => ['Restart OpenCode.'],
  signIn: ['Sign in: opencode mcp auth beckon'],
  check: '"opencode mcp list" shows beckon as connected.',
}

function folderOf({ home, env }: Place): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')
}

/** OpenCode reads both files; an entry in the one without comments is removed when both exist. */
function otherServer({ place }: InstallRequest): DesiredJson[] {
  const [json, jsonc] = settingsOf(place)
  if (!place.has(jsonc) || !place.has(json)) return []
  const removed = [['mcp', SERVER_NAME]]
  return [{ kind: 'json', path: json, values: [], gone: removed, lists: [], isOurs: ours(NAME) }]
}

function settingsOf(place: Place): [json: string, jsonc: string] {
  const folder = place.project ?? folderOf(place)
  return [join(folder, 'opencode.json'), join(folder, 'opencode.jsonc')]
}

function server(request: InstallRequest): DesiredJson {
  const { place, url } = request
  const [json, jsonc] = settingsOf(place)
  const headers = { ...authorization(request, '{env:BECKON_TOKEN}'), ...holding(HOLD_S) }
  const way = request.http ? { type: 'remote', url, headers } : localServer(request)
  const value = { ...way, enabled: true, timeout: LONG_TIMEOUT_MS }
  return serverFile(NAME, place.has(jsonc) ? jsonc : json, value, { under: 'mcp' })
}

/** Writes the command, its arguments and its environment under OpenCode's own names. */
function localServer(request: InstallRequest) {
  const { command, args, env } = bridge(request, HOLD_S)
  return { type: 'local', command: [command, ...args], environment: env }
}

/** OpenCode has plugins in place of hooks; ours starts the hook. */
function plugin(request: InstallRequest): OwnFile {
  const { place, program, strict } = request
  const folder = place.project ? join(place.project, '.opencode') : folderOf(place)
  return {
    kind: 'own',
    path: join(folder, 'plugins', 'beckon.js'),
    text: openCodeShim(wordsOf(program), {
      options: strict ? [STRICT] : [],
      ...(place.project ? {} : { state: stateFolder(place.env) }),
      environment: ownEnvironment(place),
    }),
  }
}

const PROGRAM = "const BECKON = ['beckon']"
const OPTIONS = 'const OPTIONS = []'
const ENVIRONMENT = 'const ENVIRONMENT = {}'
const QUESTION_TOOLS = 'const QUESTION_TOOLS = []'
const STATE = 'const STATE = undefined'
const REFUSED = "const REFUSED = ''"
const OPENS_QUESTION = AGENT_TOOLS.filter((tool) => 'key' in tool).map(({ name }) => name)

/**
 * The plugin for `.opencode/plugins/`: OpenCode has no hooks that are commands, so this runs
 * `COMMAND hook opencode` for it. `command` is the program with its first arguments (as in
 * `bun src/main.ts`), `options` go to the hook, `environment` is added to OpenCode's own, `state` is
 * the folder of the hook's state if it is known.
 */
export function openCodeShim(
  command: readonly string[],
  more: {
    options?: readonly string[]
    environment?: Record<string, string>
    state?: string
  } = {},
): string {
  const { options = [], environment = {}, state } = more
  return PLUGIN.replace(PROGRAM, () => `const BECKON = ${JSON.stringify(command)}`)
    .replace(OPTIONS, () => `const OPTIONS = ${JSON.stringify(options)}`)
    .replace(ENVIRONMENT, () => `const ENVIRONMENT = ${JSON.stringify(environment)}`)
    .replace(STATE, () => `const STATE = ${JSON.stringify(state)}`)
    .replace(REFUSED, () => `const REFUSED = ${JSON.stringify(GUARDED)}`)
    .replace(QUESTION_TOOLS, () => `const QUESTION_TOOLS = ${JSON.stringify(OPENS_QUESTION)}`)
}
