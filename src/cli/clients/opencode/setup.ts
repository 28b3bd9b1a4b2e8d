import { join } from 'node:path'
import { ours, STRICT } from '../../setup/hook-entries.ts'
import { authorization, mcpServer, TIMEOUT_MS } from '../../setup/http-server.ts'
import type { JsonWish } from '../../setup/json-wish.ts'
import { wordsOf } from '../../setup/program.ts'
import type { OwnFile, Place, SetupClient, Wish } from '../../setup/setup-client.ts'
import { openCodeShim } from './shim.ts'

const NAME = 'opencode'

export const openCodeSetup: SetupClient = {
  name: NAME,
  title: 'OpenCode',
  isHere: (place) => place.has(folderOf(place)) || place.onPath('opencode'),
  files: (wish) => [server(wish), plugin(wish)],
  after: () => ['Start OpenCode anew.'],
  check: '"opencode mcp list" shows beckon as connected.',
}

function folderOf({ home, env }: Place): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')
}

function server(wish: Wish): JsonWish {
  const { place, url } = wish
  const folder = place.project ?? folderOf(place)
  const jsonc = join(folder, 'opencode.jsonc')
  const headers = authorization(wish, '{env:BECKON_TOKEN}')
  const value = { type: 'remote', url, headers, enabled: true, timeout: TIMEOUT_MS }
  return {
    kind: 'json',
    path: place.has(jsonc) ? jsonc : join(folder, 'opencode.json'),
    values: mcpServer(value, 'mcp'),
    lists: [],
    isOurs: ours(NAME),
  }
}

/** OpenCode has plugins in place of hooks; ours starts the hook. */
function plugin({ place, program, strict }: Wish): OwnFile {
  const folder = place.project ? join(place.project, '.opencode') : folderOf(place)
  return {
    kind: 'own',
    path: join(folder, 'plugins', 'beckon.js'),
    text: openCodeShim(wordsOf(program), strict ? [STRICT] : []),
  }
}
