import { join } from 'node:path'
import { stringify } from 'smol-toml'
import {
  type ClientSetup,
  type InstallRequest,
  type Place,
  SERVER_NAME,
} from '../../client-files/client-setup.ts'
import type { DesiredToml } from '../../client-files/desired-toml.ts'
import {
  authorization,
  bridge,
  DECISION_S,
  HOLD_S,
  holding,
  hookLine,
  LONG_TIMEOUT_S,
  ours,
} from '../../client-files/entries.ts'
import { guardedHookLine } from '../../client-files/guarded-hook.ts'

const NAME = 'codex'
// Codex clamps these two itself, with a warning for whatever is longer.
const ENDING_S = 3

const EVENTS = [
  ['SessionStart', 5],
  ['UserPromptSubmit', 10],
  ['PreToolUse', DECISION_S],
  ['PermissionRequest', DECISION_S],
  ['PostToolUse', 10],
  ['Stop', 10],
  ['Interrupt', ENDING_S],
  ['SessionEnd', ENDING_S],
] as const

const WITH_TOOLS = new Set<string>(['PreToolUse', 'PermissionRequest', 'PostToolUse'])

export const setup: ClientSetup = {
  toolLimit: { key: 'tool_timeout_sec', perSecond: 1 },
  detect: (place) => place.has(folderOf(place)) || place.onPath('codex'),
  files: (request) => [config(request)],
  after: () => [
    'Open Codex, type /hooks and trust the hooks of beckon: until then Codex silently skips them, and no scope is enforced.',
    'codex exec does not ask; trust them in the interactive Codex first.',
  ],
  signIn: ['Sign in: codex mcp login beckon'],
  check: '"codex mcp list" names beckon, /hooks shows its hooks as trusted.',
}

function folderOf({ home, env }: Place): string {
  return env.CODEX_HOME || join(home, '.codex')
}

function config(request: InstallRequest): DesiredToml {
  const { place } = request
  const folder = place.project ? join(place.project, '.codex') : folderOf(place)
  return {
    kind: 'toml',
    path: join(folder, 'config.toml'),
    tables: [{ at: ['mcp_servers', SERVER_NAME], text: codexServer(request) }],
    lists: EVENTS.map(([event, timeout]) => ({
      at: ['hooks', event],
      text: hookBlock(event, timeout, request),
    })),
    hooksAt: 'hooks',
    isOurs: ours(NAME),
  }
}

/** The table of the server. The text is stable: Codex asks again about hooks whose text changed. */
function codexServer(request: InstallRequest): string {
  const common = { tool_timeout_sec: LONG_TIMEOUT_S, default_tools_approval_mode: 'approve' }
  return table(`mcp_servers.${SERVER_NAME}`, { ...connection(request), ...common })
}

function connection(request: InstallRequest) {
  const { http, url, place, signIn } = request
  if (!http) return bridge(request, HOLD_S)
  const hold = holding(HOLD_S)
  if (place.project && !signIn)
    return { url, bearer_token_env_var: 'BECKON_TOKEN', http_headers: hold }
  return { url, http_headers: { ...authorization(request), ...hold } }
}

function hookBlock(event: string, timeout: number, request: InstallRequest): string {
  const matcher = WITH_TOOLS.has(event) ? 'matcher = ".*"\n' : ''
  const command = event === 'PreToolUse' ? guardedHookLine(request, NAME) : hookLine(request, NAME)
  const entry = { type: 'command', command, timeout }
  return `[[hooks.${event}]]\n${matcher}\n[[hooks.${event}.hooks]]\n${stringify(entry).trimEnd()}`
}

/** A table with each value on one line, so that no value becomes a table of its own. */
function table(name: string, values: Record<string, unknown>): string {
  const lines = Object.entries(values).map(([key, value]) => {
    const inner = value !== null && typeof value === 'object' && !Array.isArray(value)
    return inner ? `${key} = ${inline(value)}` : stringify({ [key]: value }).trimEnd()
  })
  return [`[${name}]`, ...lines].join('\n')
}

function inline(value: object): string {
  const pairs = Object.entries(value).map(([key, one]) => stringify({ [key]: one }).trimEnd())
  return `{ ${pairs.join(', ')} }`
}
