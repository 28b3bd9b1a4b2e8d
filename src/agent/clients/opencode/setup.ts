import { join } from 'node:path'
import { ownEnvironment } from '../../setup/environment.ts'
import { ours, STRICT } from '../../setup/hook-entries.ts'
import type { JsonWish } from '../../setup/json-wish.ts'
import { authorization, bridge, mcpServer, TIMEOUT_MS } from '../../setup/mcp-server.ts'
import { wordsOf } from '../../setup/program.ts'
import {
  type OwnFile,
  type Place,
  SERVER_NAME,
  type SetupClient,
  type Wish,
} from '../../setup/setup-client.ts'
import { openCodeShim } from './shim.ts'

const NAME = 'opencode'

export const openCodeSetup: SetupClient = {
  name: NAME,
  title: 'OpenCode',
  isHere: (place) => place.has(folderOf(place)) || place.onPath('opencode'),
  files: (wish) => [server(wish), ...otherServer(wish), plugin(wish)],
  after: () => ['Start OpenCode anew.'],
  check: '"opencode mcp list" shows beckon as connected.',
}

function folderOf({ home, env }: Place): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')
}

/** OpenCode reads both files; what was written before there was one with comments goes out. */
function otherServer({ place }: Wish): JsonWish[] {
  const [json, jsonc] = settingsOf(place)
  if (!place.has(jsonc) || !place.has(json)) return []
  const gone = [['mcp', SERVER_NAME]]
  return [{ kind: 'json', path: json, values: [], gone, lists: [], isOurs: ours(NAME) }]
}

function settingsOf(place: Place): [json: string, jsonc: string] {
  const folder = place.project ?? folderOf(place)
  return [join(folder, 'opencode.json'), join(folder, 'opencode.jsonc')]
}

function server(wish: Wish): JsonWish {
  const { place, url } = wish
  const [json, jsonc] = settingsOf(place)
  const headers = authorization(wish, '{env:BECKON_TOKEN}')
  const way = wish.http ? { type: 'remote', url, headers } : localServer(wish)
  const value = { ...way, enabled: true, timeout: TIMEOUT_MS }
  return {
    kind: 'json',
    path: place.has(jsonc) ? jsonc : json,
    values: mcpServer(value, 'mcp'),
    lists: [],
    isOurs: ours(NAME),
  }
}

/** It has names of its own for what others call the command, its words and its environment. */
function localServer(wish: Wish) {
  const { command, args, env } = bridge(wish)
  return { type: 'local', command: [command, ...args], environment: env }
}

/** OpenCode has plugins in place of hooks; ours starts the hook. */
function plugin(wish: Wish): OwnFile {
  const { place, program, strict } = wish
  const folder = place.project ? join(place.project, '.opencode') : folderOf(place)
  return {
    kind: 'own',
    path: join(folder, 'plugins', 'beckon.js'),
    text: openCodeShim(wordsOf(program), {
      options: strict ? [STRICT] : [],
      environment: ownEnvironment(place),
    }),
  }
}
