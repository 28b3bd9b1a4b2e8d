import { join } from 'node:path'
import type { ClientSetup, InstallRequest, Place } from '../../client-files/client-setup.ts'
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
import type { JsonPath } from '../../client-files/json-document.ts'

const NAME = 'droid'

const EVENTS: HookEvents = [
  ['SessionStart', REPORT_S],
  ['UserPromptSubmit', REPORT_S],
  ['PreToolUse', DECISION_S],
  ['PostToolUse', REPORT_S],
  ['Stop', REPORT_S],
  ['SessionEnd', REPORT_S],
]

const WITH_TOOLS = new Set(['PreToolUse', 'PostToolUse'])

export const setup: ClientSetup = {
  detect: (place) => place.has(join(place.home, '.factory')) || place.onPath('droid'),
  files: (request) => [server(request), hooks(request)],
  after: () => ['Restart droid, and review the hooks it shows you.'],
  check: '/mcp lists beckon with five tools, /hooks the hooks.',
}

function folderOf({ home, project }: Place): string {
  return join(project ?? home, '.factory')
}

function server(request: InstallRequest): DesiredJson {
  const headers = authorization(request, `\${BECKON_TOKEN}`)
  const http = { type: 'http', url: request.url, headers }
  const way = request.http ? http : { type: 'stdio', ...bridge(request) }
  return serverFile(NAME, join(folderOf(request.place), 'mcp.json'), { ...way, disabled: false })
}

function hooks(request: InstallRequest): DesiredJson {
  const [command, guarded] = [hookLine(request, NAME), guardedHookLine(request, NAME)]
  const { path, under } = hooksFile(request.place)
  return {
    kind: 'json',
    path,
    values: [],
    lists: hookLists(
      EVENTS,
      (event, timeout) => ({
        ...(WITH_TOOLS.has(event) ? { matcher: '*' } : {}),
        hooks: [{ type: 'command', command: event === 'PreToolUse' ? guarded : command, timeout }],
      }),
      under,
    ),
    hooksAt: under,
    isOurs: ours(NAME),
  }
}

/** A hooks.json hides the hooks of settings.json: it is used where it exists, and never created. */
function hooksFile(place: Place): { path: string; under: JsonPath } {
  const own = join(folderOf(place), 'hooks.json')
  if (!place.has(own)) return { path: join(folderOf(place), 'settings.json'), under: ['hooks'] }
  return { path: own, under: /"hooks"\s*:\s*\{/.test(place.read(own)) ? ['hooks'] : [] }
}
