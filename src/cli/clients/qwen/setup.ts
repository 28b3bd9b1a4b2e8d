import { join } from 'node:path'
import { type HookEvents, hookLine, hookLists, ours } from '../../setup/hook-entries.ts'
import {
  authorization,
  DECISION_MS,
  mcpServer,
  REPORT_MS,
  TIMEOUT_MS,
} from '../../setup/http-server.ts'
import type { JsonWish } from '../../setup/json-wish.ts'
import type { SetupClient, Wish } from '../../setup/setup-client.ts'

const NAME = 'qwen'

const EVENTS: HookEvents = [
  ['SessionStart', REPORT_MS],
  ['UserPromptSubmit', REPORT_MS],
  ['PreToolUse', DECISION_MS],
  ['PermissionRequest', DECISION_MS],
  ['PostToolUse', REPORT_MS],
  ['PostToolUseFailure', REPORT_MS],
  ['Stop', REPORT_MS],
  ['SessionEnd', REPORT_MS],
]

const WITH_TOOLS = new Set(['PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure'])

export const qwenSetup: SetupClient = {
  name: NAME,
  title: 'Qwen Code',
  isHere: (place) => place.has(join(place.home, '.qwen')) || place.onPath('qwen'),
  files: (wish) => [settings(wish)],
  after: () => ['Start Qwen Code anew.'],
  check: '/mcp lists beckon with five tools, /hooks the hooks.',
}

function settings(wish: Wish): JsonWish {
  const { place } = wish
  const headers = authorization(wish, `\${BECKON_TOKEN}`)
  const command = hookLine(wish, NAME)
  return {
    kind: 'json',
    path: join(place.project ?? place.home, '.qwen', 'settings.json'),
    values: mcpServer({ httpUrl: wish.url, headers, timeout: TIMEOUT_MS, trust: true }),
    lists: hookLists(EVENTS, (event, timeout) => ({
      ...(WITH_TOOLS.has(event) ? { matcher: '*' } : {}),
      hooks: [{ type: 'command', name: 'beckon', command, timeout }],
    })),
    hooksAt: ['hooks'],
    isOurs: ours(NAME),
  }
}
