import { join } from 'node:path'
import type { ClientSetup } from '../../client-files/client-setup.ts'
import { type HookEvents, REPORT_MS } from '../../client-files/entries.ts'
import { geminiSettings } from '../gemini-settings.ts'

const NAME = 'qwen'
// It waits no longer, whatever is written here.
const DECISION_MS = 60_000

const EVENTS: HookEvents = [
  ['SessionStart', REPORT_MS],
  ['UserPromptSubmit', REPORT_MS],
  ['PreToolUse', DECISION_MS],
  ['PermissionRequest', DECISION_MS],
  ['PostToolUse', REPORT_MS],
  ['PostToolUseFailure', REPORT_MS],
  ['Stop', DECISION_MS],
  ['SessionEnd', REPORT_MS],
]

const WITH_TOOLS = ['PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure']

export const setup: ClientSetup = {
  toolLimit: { key: 'timeout', perSecond: 1000 },
  detect: (place) => place.has(join(place.home, '.qwen')) || place.onPath('qwen'),
  files: (request) => [
    geminiSettings(request, {
      name: NAME,
      folder: '.qwen',
      httpUrl: request.url,
      events: EVENTS,
      matchers: Object.fromEntries(WITH_TOOLS.map((event) => [event, '*'])),
    }),
  ],
  after: () => ['Restart Qwen Code.'],
  check: '/mcp lists beckon with five tools, /hooks the hooks.',
}
