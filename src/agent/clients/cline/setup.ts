import { join } from 'node:path'
import type {
  ClientSetup,
  InstallRequest,
  OwnFile,
  Place,
} from '../../client-files/client-setup.ts'
import type { DesiredJson } from '../../client-files/desired-json.ts'
import {
  authorization,
  bridge,
  FILE_MARK,
  hookLine,
  serverFile,
  TIMEOUT_S,
} from '../../client-files/entries.ts'
import { guardedHookLine } from '../../client-files/guarded-hook.ts'
import { refusal } from './refusal.ts'

const NAME = 'cline'
const EXECUTABLE = 0o755

// A hook is an executable with the name of the event, and nothing else.
const EVENTS = [
  'TaskStart',
  'TaskResume',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'TaskCancel',
  'TaskComplete',
]

const EXTENSION = 'saoudrizwan.claude-dev'

export const setup: ClientSetup = {
  detect: (place) =>
    place.has(storageOf(place)) || place.has(join(place.home, '.cline')) || place.onPath('cline'),
  files: (request) =>
    request.place.project ? hooks(request) : [...servers(request), ...hooks(request)],
  after: ({ place }) =>
    place.has(storageOf(place))
      ? ['In the extension, switch hooks on in its settings; each is named after its event.']
      : [],
  check: 'The MCP servers of Cline show beckon with five tools.',
}

function storageOf({ home, env, platform }: Place): string {
  const mac = platform === 'darwin'
  const code = mac
    ? join(home, 'Library', 'Application Support', 'Code')
    : join(env.XDG_CONFIG_HOME || join(home, '.config'), 'Code')
  return join(code, 'User', 'globalStorage', EXTENSION)
}

/** Of the extension, and of Cline at a terminal, which is written if there is no extension. */
function servers(request: InstallRequest): DesiredJson[] {
  const { place, url } = request
  const terminal = join(place.home, '.cline')
  const storage = storageOf(place)
  const http = { type: 'streamableHttp', url, headers: authorization(request) }
  const way = request.http ? http : bridge(request)
  const value = { ...way, timeout: TIMEOUT_S, disabled: false }
  const isExtension = place.has(storage)
  const folders = [
    ...(isExtension ? [storage] : []),
    ...(place.has(terminal) || !isExtension ? [join(terminal, 'data')] : []),
  ]
  return folders.map((folder) =>
    serverFile(NAME, join(folder, 'settings', 'cline_mcp_settings.json'), value),
  )
}

function hooks(request: InstallRequest): OwnFile[] {
  const folder = request.place.project
    ? join(request.place.project, '.clinerules', 'hooks')
    : join(request.place.home, 'Documents', 'Cline', 'Hooks')
  return EVENTS.map((event) => ({
    kind: 'own',
    path: join(folder, event),
    text: `#!/bin/sh\n# ${FILE_MARK} cline\`.\nexec ${commandOf(request, event)}\n`,
    mode: EXECUTABLE,
  }))
}

function commandOf(request: InstallRequest, event: string): string {
  if (event !== 'PreToolUse') return hookLine(request, NAME, event)
  return guardedHookLine(request, NAME, {
    event,
    answer: refusal,
    exitsWell: true,
    failsFreely: true,
  })
}
