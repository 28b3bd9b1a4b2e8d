import { join } from 'node:path'
import type { InstallRequest } from '../client-files/client-setup.ts'
import type { DesiredJson } from '../client-files/desired-json.ts'
import {
  authorization,
  bridge,
  HOLD_S,
  type HookEvents,
  holding,
  hookLine,
  hookLists,
  LONG_TIMEOUT_MS,
  mcpServer,
  ours,
  TIMEOUT_MS,
} from '../client-files/entries.ts'
import { guardedHookLine } from '../client-files/guarded-hook.ts'

/** Differences between Gemini CLI and its forks. */
export type GeminiSettings = {
  /** The client, and its folder in the home or the project. */
  name: string
  folder: string
  /** The address of the server as this client needs it over HTTP. */
  httpUrl: string
  events: HookEvents
  /** True if this client was seen to wait for the end of a question. */
  holds?: true
  /** Limits an event to some tools; without it the hook runs every time. */
  matchers: Readonly<Record<string, string>>
}

// As Gemini CLI and Qwen Code call it.
const BEFORE_TOOL = new Set(['BeforeTool', 'PreToolUse'])

/** The one file that holds the server and the hooks. */
export function geminiSettings(request: InstallRequest, of: GeminiSettings): DesiredJson {
  const { place } = request
  const holdS = of.holds && HOLD_S
  const hold = holdS === undefined ? {} : holding(holdS)
  const headers = { ...authorization(request, `\${BECKON_TOKEN}`), ...hold }
  const way = request.http ? { httpUrl: of.httpUrl, headers } : bridge(request, holdS)
  const timeout = of.holds ? LONG_TIMEOUT_MS : TIMEOUT_MS
  const [command, guarded] = [hookLine(request, of.name), guardedHookLine(request, of.name)]
  return {
    kind: 'json',
    path: join(place.project ?? place.home, of.folder, 'settings.json'),
    values: mcpServer({ ...way, timeout, trust: true }),
    lists: hookLists(of.events, (event, timeout) => ({
      ...(of.matchers[event] === undefined ? {} : { matcher: of.matchers[event] }),
      hooks: [
        {
          type: 'command',
          name: 'beckon',
          command: BEFORE_TOOL.has(event) ? guarded : command,
          timeout,
        },
      ],
    })),
    hooksAt: ['hooks'],
    isOurs: ours(of.name),
  }
}
