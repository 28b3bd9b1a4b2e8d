import { join } from 'node:path'
import type { ClientSetup, OwnFile, Place, Wish } from '../../setup/client-setup.ts'
import {
  authorization,
  bridge,
  FILE_MARK,
  hookLine,
  serverFile,
  TIMEOUT_S,
} from '../../setup/entries.ts'
import type { JsonWish } from '../../setup/json-wish.ts'

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
  detect: (place) => place.has(storageOf(place)) || place.has(join(place.home, '.cline')),
  files: (wish) => (wish.place.project ? hooks(wish) : [server(wish), ...hooks(wish)]),
  after: () => ['Switch hooks on in the settings of Cline; each is named after its event.'],
  check: 'The MCP servers of Cline show beckon with five tools.',
}

function storageOf({ home, env, platform }: Place): string {
  const mac = platform === 'darwin'
  const code = mac
    ? join(home, 'Library', 'Application Support', 'Code')
    : join(env.XDG_CONFIG_HOME || join(home, '.config'), 'Code')
  return join(code, 'User', 'globalStorage', EXTENSION)
}

function server(wish: Wish): JsonWish {
  const { place, url } = wish
  const folder = place.has(storageOf(place)) ? storageOf(place) : join(place.home, '.cline', 'data')
  const http = { type: 'streamableHttp', url, headers: authorization(wish) }
  const way = wish.http ? http : bridge(wish)
  const value = { ...way, timeout: TIMEOUT_S, disabled: false }
  return serverFile(NAME, join(folder, 'settings', 'cline_mcp_settings.json'), value)
}

function hooks(wish: Wish): OwnFile[] {
  const folder = wish.place.project
    ? join(wish.place.project, '.clinerules', 'hooks')
    : join(wish.place.home, 'Documents', 'Cline', 'Hooks')
  return EVENTS.map((event) => ({
    kind: 'own',
    path: join(folder, event),
    text: `#!/bin/sh\n# ${FILE_MARK} cline\`.\nexec ${hookLine(wish, NAME, event)}\n`,
    mode: EXECUTABLE,
  }))
}
