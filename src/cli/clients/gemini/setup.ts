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

const NAME = 'gemini'

const EVENTS: HookEvents = [
  ['SessionStart', REPORT_MS],
  ['BeforeAgent', REPORT_MS],
  ['BeforeTool', DECISION_MS],
  ['AfterTool', REPORT_MS],
  ['AfterAgent', REPORT_MS],
  ['SessionEnd', REPORT_MS],
]

const WITH_TOOLS = new Set(['BeforeTool', 'AfterTool'])

export const geminiSetup: SetupClient = {
  name: NAME,
  title: 'Gemini CLI',
  isHere: (place) =>
    place.has(join(place.home, '.gemini', 'settings.json')) || place.onPath('gemini'),
  files: (wish) => [settings(wish)],
  after: ({ place }) => [
    'The question tool is called ask_human there: run with -p, Gemini CLI hides every tool called ask_user.',
    ...(place.project ? ['Gemini CLI warns once about hooks of a project that are new.'] : []),
  ],
  check: '/mcp lists beckon with five tools, /hooks the hooks.',
}

function settings(wish: Wish): JsonWish {
  const { place } = wish
  const headers = authorization(wish, `\${BECKON_TOKEN}`)
  const value = { httpUrl: `${wish.url}?ask=ask_human`, headers, timeout: TIMEOUT_MS, trust: true }
  const command = hookLine(wish, NAME)
  return {
    kind: 'json',
    path: join(place.project ?? place.home, '.gemini', 'settings.json'),
    values: mcpServer(value),
    lists: hookLists(EVENTS, (event, timeout) => ({
      ...(WITH_TOOLS.has(event) ? { matcher: '.*' } : {}),
      hooks: [{ type: 'command', name: 'beckon', command, timeout }],
    })),
    hooksAt: ['hooks'],
    isOurs: ours(NAME),
  }
}
