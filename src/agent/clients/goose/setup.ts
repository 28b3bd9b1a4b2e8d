import { join } from 'node:path'
import type { ClientSetup, Wish } from '../../setup/client-setup.ts'
import {
  DECISION_S,
  type HookEvents,
  hookLine,
  hookLists,
  ours,
  REPORT_S,
  TIMEOUT_S,
} from '../../setup/entries.ts'
import { guardedHookLine } from '../../setup/guarded-hook.ts'
import type { JsonWish } from '../../setup/json-wish.ts'
import { commandLine, wordsOf } from '../../setup/program.ts'

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
  files: (wish) => [hooks(wish)],
  after: ({ program }) => [
    'Its list of servers is YAML, which setup does not edit: run "goose configure", Add Extension, Command-line Extension,',
    `name beckon, command ${commandLine(wordsOf(program, 'mcp'))}, timeout ${TIMEOUT_S}, and no variables.`,
  ],
  check: '"goose info -v" names the extension beckon.',
}

/** Our plugin. `*` is not a matcher there: an entry with it is silently skipped. */
function hooks(wish: Wish): JsonWish {
  const [command, guarded] = [hookLine(wish, NAME), guardedHookLine(wish, NAME)]
  const folder = join(
    wish.place.project ?? wish.place.home,
    '.agents',
    'plugins',
    'beckon',
    'hooks',
  )
  return {
    kind: 'json',
    path: join(folder, 'hooks.json'),
    values: [],
    lists: hookLists(EVENTS, (event, timeout) => ({
      matcher: '.*',
      hooks: [
        {
          type: 'command',
          command: event === 'PreToolUse' ? guarded : command,
          timeout,
          ...(wish.strict && event === 'PreToolUse' ? { on_failure: 'block' } : {}),
        },
      ],
    })),
    hooksAt: ['hooks'],
    isOurs: ours(NAME),
  }
}
