import { join } from 'node:path'
import {
  type ClientSetup,
  type InstallRequest,
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
  hookLine,
  hookLists,
  ours,
  REPORT_S,
  serverFile,
} from '../../client-files/entries.ts'
import { guardedHookLine } from '../../client-files/guarded-hook.ts'
import { refusal } from './refusal.ts'
import { COPILOT_STOP_S } from './stop-hook.ts'

const NAME = 'copilot'

const EVENTS: HookEvents = [
  ['sessionStart', REPORT_S],
  ['userPromptSubmitted', REPORT_S],
  ['preToolUse', DECISION_S],
  ['permissionRequest', REPORT_S],
  ['postToolUse', REPORT_S],
  ['postToolUseFailure', REPORT_S],
  ['notification', REPORT_S],
  // While no answer is waited for, the hook ends within milliseconds.
  ['agentStop', COPILOT_STOP_S],
  ['errorOccurred', REPORT_S],
  ['sessionEnd', REPORT_S],
]

// permissionRequest comes for every call, not only for those that it would prompt for: our own
// tools are used without a prompt. A notification means that a prompt is open at the terminal.
const MATCHERS: Readonly<Record<string, string>> = {
  permissionRequest: `${SERVER_NAME}/.*`,
  notification: 'permission_prompt',
}
const OWN_TOOLS_ONLY = new Set(['permissionRequest'])

const ONLY_YOURS =
  'Copilot CLI has no servers of a project: run "beckon setup copilot" for yourself too.'

export const setup: ClientSetup = {
  toolLimit: { key: 'timeout', perSecond: 1000 },
  detect: (place) => place.has(folderOf(place)) || place.onPath('copilot'),
  files: (request) =>
    request.place.project ? [copilotHooks(request)] : [server(request), copilotHooks(request)],
  after: ({ place }) => [...(place.project ? [ONLY_YOURS] : [])],
  signIn: ['Start Copilot CLI: it opens the browser to sign in; /mcp auth beckon does so again.'],
  check: '/mcp show beckon lists five tools.',
}

function folderOf({ home, env }: Place): string {
  return env.COPILOT_HOME || join(home, '.copilot')
}

function server(request: InstallRequest): DesiredJson {
  // If any header is set, it ignores its own sign-in when it runs alone (1.0.102).
  const headers = request.signIn ? {} : { ...authorization(request), ...holding(HOLD_S) }
  const http = { type: 'http', url: request.url, headers }
  const way = request.http ? http : { type: 'local', ...bridge(request, HOLD_S) }
  const value = { ...way, tools: ['*'] }
  return serverFile(NAME, join(folderOf(request.place), 'mcp-config.json'), value)
}

/** One file for Copilot CLI and for VS Code, which reads the same folder. */
export function copilotHooks(request: InstallRequest): DesiredJson {
  const folder = request.place.project
    ? join(request.place.project, '.github')
    : folderOf(request.place)
  const bash = hookLine(request, NAME)
  // Copilot CLI refuses a call whose hook failed, with or without a scope.
  const clients = [NAME, 'vscode']
  const guarded = guardedHookLine(request, NAME, { clients, answer: refusal, failsFreely: true })
  return {
    kind: 'json',
    path: join(folder, 'hooks', 'beckon.json'),
    values: [{ at: ['version'], value: 1, lasting: true }],
    lists: hookLists(EVENTS, (event, timeoutSec) => ({
      type: 'command',
      ...(MATCHERS[event] === undefined ? {} : { matcher: MATCHERS[event] }),
      bash: `${event === 'preToolUse' ? guarded : bash} ${event}${OWN_TOOLS_ONLY.has(event) ? ' --own' : ''}`,
      timeoutSec,
      // VS Code's name for it; Copilot CLI prefers its own name where both are present.
      timeout: timeoutSec,
    })),
    hooksAt: ['hooks'],
    isOurs: ours(NAME),
  }
}
