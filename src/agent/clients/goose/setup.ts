import { join } from 'node:path'
import type { ClientSetup, InstallRequest } from '../../client-files/client-setup.ts'
import type { DesiredJson } from '../../client-files/desired-json.ts'
import {
  bridge,
  DECISION_S,
  type HookEvents,
  hookLine,
  hookLists,
  ours,
  REPORT_S,
  serverFile,
  TIMEOUT_S,
} from '../../client-files/entries.ts'
import { guardedHookLine } from '../../client-files/guarded-hook.ts'
import { commandLine, wordsOf } from '../../client-files/program.ts'

const NAME = 'goose'

const EVENTS: HookEvents = [
  ['SessionStart', REPORT_S],
  ['UserPromptSubmit', REPORT_S],
  ['PreToolUse', DECISION_S],
  ['PostToolUse', REPORT_S],
  ['PostToolUseFailure', REPORT_S],
  ['Stop', REPORT_S],
  ['SessionEnd', REPORT_S],
]

export const setup: ClientSetup = {
  detect: (place) =>
    place.has(join(place.env.XDG_CONFIG_HOME || join(place.home, '.config'), 'goose')) ||
    place.onPath('goose'),
  files: (request) => [server(request), hooks(request)],
  after: ({ program }) => [
    'Before Goose 1.39 its servers are in YAML, which setup does not edit: run "goose configure", Add Extension, Command-line Extension,',
    `name beckon, command ${commandLine(wordsOf(program, 'mcp'))}, timeout ${TIMEOUT_S}, and no variables.`,
  ],
  check: '"goose info -v" names the extension beckon.',
}

function pluginOf({ place }: InstallRequest): string {
  return join(place.project ?? place.home, '.agents', 'plugins', 'beckon')
}

/** Goose starts the servers of a plugin since 1.39; it takes only programs there. */
function server(request: InstallRequest): DesiredJson {
  return serverFile(NAME, join(pluginOf(request), '.mcp.json'), bridge(request))
}

/** Our plugin. `*` is not a matcher there: an entry with it is silently skipped. */
function hooks(request: InstallRequest): DesiredJson {
  const [command, guarded] = [hookLine(request, NAME), guardedHookLine(request, NAME)]
  return {
    kind: 'json',
    path: join(pluginOf(request), 'hooks', 'hooks.json'),
    values: [],
    lists: hookLists(EVENTS, (event, timeout) => ({
      matcher: '.*',
      hooks: [
        {
          type: 'command',
          command: event === 'PreToolUse' ? guarded : command,
          timeout,
          ...(request.strict && event === 'PreToolUse' ? { on_failure: 'block' } : {}),
        },
      ],
    })),
    hooksAt: ['hooks'],
    isOurs: ours(NAME),
  }
}
