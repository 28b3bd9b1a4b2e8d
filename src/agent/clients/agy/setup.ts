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
  type HookEvents,
  hookLine,
  hookLists,
  ours,
  REPORT_S,
  serverFile,
} from '../../client-files/entries.ts'
import { guardedHookLine } from '../../client-files/guarded-hook.ts'
import { refusal } from './refusal.ts'

const NAME = 'agy'

const EVENTS: HookEvents = [
  ['SessionStart', REPORT_S],
  ['PreInvocation', REPORT_S],
  ['PreToolUse', DECISION_S],
  ['PostToolUse', REPORT_S],
  ['Stop', REPORT_S],
]

const WITH_TOOLS = new Set(['PreToolUse', 'PostToolUse'])

export const setup: ClientSetup = {
  detect: (place) => place.onPath('agy') || place.has(join(place.home, '.gemini', 'config')),
  // A project is shared, and over HTTP its file could only hold the token itself.
  files: (request) =>
    request.place.project ? [hooks(request)] : [server(request), hooks(request)],
  after: () => ['Restart agy. Some versions load hooks only from plugins, and do not say so.'],
  check: 'Let it read a file: the session then shows under Sessions on the pages of the server.',
}

function folderOf({ home, project }: Place): string {
  return project ? join(project, '.agents') : join(home, '.gemini', 'config')
}

function server(request: InstallRequest): DesiredJson {
  return serverFile(
    NAME,
    join(folderOf(request.place), 'mcp_config.json'),
    request.http ? { serverUrl: request.url, headers: authorization(request) } : bridge(request),
    { strict: true },
  )
}

function commandOf(request: InstallRequest, event: string): string {
  if (event !== 'PreToolUse') return hookLine(request, NAME, event)
  // It prompts after a hook that failed.
  return guardedHookLine(request, NAME, {
    event,
    answer: refusal,
    exitsWell: true,
    failsFreely: true,
  })
}

/** The top-level names in the file are those of hooks; ours has the server's name. */
function hooks(request: InstallRequest): DesiredJson {
  return {
    kind: 'json',
    path: join(folderOf(request.place), 'hooks.json'),
    strict: true,
    values: [],
    lists: hookLists(
      EVENTS,
      (event, timeout) => ({
        ...(WITH_TOOLS.has(event) ? { matcher: '*' } : {}),
        // Some input does not name its event, so the command does.
        hooks: [{ type: 'command', command: commandOf(request, event), timeout }],
      }),
      [SERVER_NAME],
    ),
    hooksAt: [SERVER_NAME],
    isOurs: ours(NAME),
  }
}
