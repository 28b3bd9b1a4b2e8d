import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
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
  DECISION_S,
  HOLD_S,
  type HookEvents,
  holding,
  hookLists,
  hookWords,
  LONG_TIMEOUT_MS,
  ours,
  shellStarter,
} from '../../client-files/entries.ts'
import { guardedHookWords } from '../../client-files/guarded-hook.ts'
import { CLAUDE_STOP_S, CLAUDE_WAKE_S } from './turns.ts'

const NAME = 'claude'

/** With the seconds that Claude Code waits; all events of one session end up at one hook. */
export const CLAUDE_HOOK_EVENTS: HookEvents = [
  ['SessionStart', 5],
  ['UserPromptSubmit', 10],
  ['PreToolUse', DECISION_S],
  ['PermissionRequest', DECISION_S],
  ['PostToolUse', 10],
  ['PostToolUseFailure', 10],
  ['PermissionDenied', 10],
  // While no answer is waited for, the hook ends within milliseconds.
  ['Stop', CLAUDE_STOP_S],
  ['StopFailure', 10],
  ['Notification', CLAUDE_WAKE_S],
  ['SessionEnd', 5],
]

const WITH_TOOLS = new Set([
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionDenied',
])
const BLOCKING = 'PreToolUse'
const WAKING = 'Notification'
// Runs beside an idle session, and wakes it with exit code 2.
const WAKES = {
  async: true,
  asyncRewake: true,
  rewakeSummary: 'Answered on the phone',
}

export const setup: ClientSetup = {
  toolLimit: { key: 'timeout', perSecond: 1000 },
  detect: (place) => place.has(folderOf(place)) || place.onPath('claude'),
  files: (request) => [server(request), settings(request), ...shell(request)],
  after: ({ place }) => [
    'Restart Claude Code: a running session keeps the settings it began with.',
    ...(place.has(join(folderOf(place), 'mcp-needs-auth-cache.json'))
      ? [
          'If /mcp says that beckon needs authentication, remove "beckon" from ~/.claude/mcp-needs-auth-cache.json.',
        ]
      : []),
    ...(otherPrefix(place)
      ? [
          'Shell commands are not started in the scope: CLAUDE_CODE_SHELL_PREFIX is set to something else in the settings.',
        ]
      : []),
    ...(place.project ? ['Trust the folder when Claude Code asks, or its hooks stay off.'] : []),
  ],
  signIn: ['Sign in: claude mcp login beckon'],
  findDuplicate,
  findTrouble: findSkippedServer,
  check: '/mcp lists beckon as connected, /hooks lists the hooks.',
}

function folderOf({ home, env }: Place): string {
  return env.CLAUDE_CONFIG_DIR || join(home, '.claude')
}

function server(request: InstallRequest): DesiredJson {
  const { home, env, project } = request.place
  const user = join(env.CLAUDE_CONFIG_DIR || home, '.claude.json')
  return {
    kind: 'json',
    path: project ? join(project, '.mcp.json') : user,
    values: [{ at: ['mcpServers', SERVER_NAME], value: claudeServer(request) }],
    lists: [],
    isOurs: ours(NAME),
  }
}

/** The entry of the server: the bridge, or the address with the token. */
export function claudeServer(request: InstallRequest) {
  if (!request.http) return { type: 'stdio', ...bridge(request, HOLD_S) }
  // A project is shared: its files name the token and do not hold it.
  const headers = { ...authorization(request, `\${BECKON_TOKEN}`), ...holding(HOLD_S) }
  // Without a time of its own, Claude Code gives up after a minute.
  return { type: 'http', url: request.url, headers, timeout: LONG_TIMEOUT_MS }
}

function settings(request: InstallRequest): DesiredJson {
  const { place, nativeDeny } = request
  const file = settingsFile(place)
  const permissions = [{ at: ['permissions', 'allow'], items: [`mcp__${SERVER_NAME}__*`] }]
  const deny = { at: ['permissions', 'deny'], items: NATIVE_DENY }
  return {
    kind: 'json',
    path: file,
    values: isJailed(request) ? [{ at: PREFIX_AT, value: shellFile(place) }] : [],
    lists: [...permissions, ...(nativeDeny ? [deny] : []), ...claudeHooks(request)],
    hooksAt: ['hooks'],
    isOurs: ours(NAME),
  }
}

function settingsFile(place: Place): string {
  return place.project
    ? join(place.project, '.claude', 'settings.local.json')
    : join(folderOf(place), 'settings.json')
}

const PREFIX_AT = ['env', 'CLAUDE_CODE_SHELL_PREFIX']
const EXECUTABLE = 0o755

/** Beside the hooks, which no scope allows to be changed. */
function shellFile(place: Place): string {
  const folder = place.project ? join(place.project, '.claude') : folderOf(place)
  return join(folder, 'hooks', 'beckon-shell')
}

/** Claude Code starts each shell command with it, after its own rules have judged the command. */
function shell(request: InstallRequest): OwnFile[] {
  if (!isJailed(request)) return []
  return [
    {
      kind: 'own',
      path: shellFile(request.place),
      text: shellStarter(request, NAME),
      mode: EXECUTABLE,
    },
  ]
}

/**
 * Returns true if the kernel can contain commands here and the person has not set another prefix
 * for them.
 */
function isJailed({ place }: Pick<InstallRequest, 'place'>): boolean {
  return place.platform === 'linux' && !/ -/.test(shellFile(place)) && !otherPrefix(place)
}

function otherPrefix(place: Place): boolean {
  const set = /"CLAUDE_CODE_SHELL_PREFIX"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(
    place.read(settingsFile(place)),
  )?.[1]
  return set !== undefined && set !== '""' && set !== JSON.stringify(shellFile(place))
}

// No session needs to read or write these, and hooks never see files that are named with @.
const NATIVE_DENY = [
  'Edit(~/.config/beckon/**)',
  'Read(~/.config/beckon/**)',
  'Edit(~/.local/state/beckon/**)',
]

/** One entry for each event; started without a shell, so that no shell profile interferes. */
export function claudeHooks(request: Pick<InstallRequest, 'program' | 'strict' | 'place'>) {
  return hookLists(CLAUDE_HOOK_EVENTS, (event, timeout) => {
    const isBlocking = event === BLOCKING
    const [command, ...args] = isBlocking
      ? guardedHookWords(request, NAME)
      : hookWords(request, NAME)
    // Without it a tool runs although its hook failed to start.
    const onFailure = isBlocking && { onFailure: 'block' }
    const wakes = event === WAKING ? WAKES : {}
    const entry = { type: 'command', command, args, timeout, ...onFailure, ...wakes }
    const matcher = WITH_TOOLS.has(event) ? '*' : event === WAKING ? 'idle_prompt' : undefined
    return { ...(matcher === undefined ? {} : { matcher }), hooks: [entry] }
  })
}

/** The plugin, when it is installed beside the settings. */
function findDuplicate(place: Place): string | undefined {
  const installed = join(place.home, '.claude', 'plugins', 'installed_plugins.json')
  if (!place.read(installed).includes('"beckon@')) return undefined
  return 'The plugin and the settings both start the hook; keep one: beckon setup claude --undo.'
}

// The servers that Claude Code skips, by name.
const SIGN_IN_CACHE = '.claude/mcp-needs-auth-cache.json'
const CACHE_MAX = 256 * 1024

/**
 * Claude Code remembers, by name, the servers that once refused it, and skips them without a
 * request even after the token was corrected. Undefined if beckon is not among them.
 */
function findSkippedServer(home: string): ReturnType<NonNullable<ClientSetup['findTrouble']>> {
  if (!namesBeckon(join(home, SIGN_IN_CACHE))) return undefined
  return {
    said: 'Claude Code remembers that beckon asked for a sign-in, and may skip it without a word.',
    cure: `When the token is right, remove "beckon" from ~/${SIGN_IN_CACHE} and restart Claude Code.`,
  }
}

function namesBeckon(path: string): boolean {
  try {
    if (statSync(path).size > CACHE_MAX) return false
    const servers: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return servers !== null && typeof servers === 'object' && Object.hasOwn(servers, 'beckon')
  } catch {
    return false
  }
}
