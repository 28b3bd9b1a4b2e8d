import { join } from 'node:path'
import { addressQuery } from '../../../ask/wire/address-form.ts'
import type { ClientSetup } from '../../client-files/client-setup.ts'
import { DECISION_MS, type HookEvents, REPORT_MS } from '../../client-files/entries.ts'
import { geminiSettings } from '../gemini-settings.ts'
import { GEMINI_STOP_MS } from './turns.ts'

const NAME = 'gemini'

const EVENTS: HookEvents = [
  ['SessionStart', REPORT_MS],
  ['BeforeAgent', REPORT_MS],
  ['BeforeTool', DECISION_MS],
  ['AfterTool', REPORT_MS],
  ['Notification', REPORT_MS],
  // While no answer is waited for, the hook ends within milliseconds.
  ['AfterAgent', GEMINI_STOP_MS],
  ['SessionEnd', REPORT_MS],
]

const MATCHERS = { BeforeTool: '.*', AfterTool: '.*', Notification: 'ToolPermission' }

export const setup: ClientSetup = {
  toolLimit: { key: 'timeout', perSecond: 1000 },
  detect: (place) =>
    place.has(join(place.home, '.gemini', 'settings.json')) || place.onPath('gemini'),
  files: (request) => [
    geminiSettings(request, {
      name: NAME,
      folder: '.gemini',
      httpUrl: request.url + addressQuery({ asksHuman: true }),
      holds: true,
      events: EVENTS,
      matchers: MATCHERS,
    }),
  ],
  after: ({ place }) => [
    'The question tool is called ask_human there: run with -p, Gemini CLI hides every tool called ask_user.',
    'Trust the folder when Gemini CLI asks: elsewhere it starts no servers, and with -p it does not run at all, except with --skip-trust.',
    ...(place.project ? ['Gemini CLI warns once about hooks of a project that are new.'] : []),
  ],
  signIn: [
    'Start Gemini CLI, sign in with /mcp auth beckon, and say yes to opening the browser.',
    'The question tool is called ask_human there: run with -p, Gemini CLI hides every tool called ask_user.',
  ],
  check: '/mcp lists beckon with five tools, /hooks the hooks.',
}
