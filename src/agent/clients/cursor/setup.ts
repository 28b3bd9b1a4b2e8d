import { join } from 'node:path'
import type { ClientSetup, InstallRequest, Place } from '../../client-files/client-setup.ts'
import type { DesiredJson } from '../../client-files/desired-json.ts'
import {
  authorization,
  bridge,
  type HookEvents,
  hookLine,
  hookLists,
  ours,
  serverFile,
} from '../../client-files/entries.ts'
import { guardedHookLine } from '../../client-files/guarded-hook.ts'
import { refusal } from './refusal.ts'

const NAME = 'cursor'

// Without timeouts of our own: with one, Cursor was seen to ignore a block.
const EVENTS: HookEvents = [
  ['sessionStart', undefined],
  ['beforeSubmitPrompt', undefined],
  ['preToolUse', undefined],
  ['beforeReadFile', undefined],
  ['beforeShellExecution', undefined],
  ['beforeMCPExecution', undefined],
  ['postToolUse', undefined],
  ['postToolUseFailure', undefined],
  ['stop', undefined],
  ['sessionEnd', undefined],
]

const BLOCKING = new Set([
  'preToolUse',
  'beforeReadFile',
  'beforeShellExecution',
  'beforeMCPExecution',
])

export const setup: ClientSetup = {
  detect: (place) => place.has(join(place.home, '.cursor')) || place.onPath('cursor'),
  files: (request) => [server(request), hooks(request)],
  after: () => [
    'Restart Cursor, and switch beckon on under Settings, MCP.',
    'Cursor obeys hooks that block, but not hooks that ask: what a scope leaves open is blocked there.',
  ],
  signIn: [
    'Restart Cursor, and connect beckon under Settings, MCP: it opens the browser to sign in.',
  ],
  check: 'Settings, MCP shows beckon with five tools; Settings, Hooks lists the hooks.',
}

function folderOf({ home, project }: Place): string {
  return join(project ?? home, '.cursor')
}

function server(request: InstallRequest): DesiredJson {
  const headers = authorization(request, `\${env:BECKON_TOKEN}`)
  return serverFile(
    NAME,
    join(folderOf(request.place), 'mcp.json'),
    request.http ? { url: request.url, headers } : { type: 'stdio', ...bridge(request) },
  )
}

function hooks(request: InstallRequest): DesiredJson {
  const plain = hookLine(request, NAME)
  const guarded = guardedHookLine(request, NAME, { answer: refusal, failsFreely: true })
  return {
    kind: 'json',
    path: join(folderOf(request.place), 'hooks.json'),
    values: [{ at: ['version'], value: 1, lasting: true }],
    lists: hookLists(EVENTS, (event) => {
      if (!BLOCKING.has(event)) return { command: plain }
      if (!request.strict) return { command: guarded }
      // With failClosed, no output blocks: consent must be explicit.
      return { command: `${guarded} --fail-closed`, failClosed: true }
    }),
    hooksAt: ['hooks'],
    isOurs: ours(NAME),
  }
}
