import { join } from 'node:path'
import { ours } from '../../setup/hook-entries.ts'
import { authorization, mcpServer } from '../../setup/http-server.ts'
import type { JsonWish } from '../../setup/json-wish.ts'
import type { Place, SetupClient, Wish } from '../../setup/setup-client.ts'

const NAME = 'zed'

export const zedSetup: SetupClient = {
  name: NAME,
  title: 'Zed',
  isHere: (place) => place.has(folderOf(place)) || place.onPath('zed'),
  // Its files of a project could only hold the token itself.
  files: (wish) => (wish.place.project ? [] : [settings(wish)]),
  after: () => ['Zed has no hooks: it can ask and tell, and no boundary is kept there.'],
  check: 'The settings of the agent panel show beckon with a green dot.',
}

function folderOf({ home, env }: Place): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'zed')
}

function settings(wish: Wish): JsonWish {
  const { place, url } = wish
  return {
    kind: 'json',
    path: join(folderOf(place), 'settings.json'),
    values: mcpServer({ url, headers: authorization(wish) }, 'context_servers'),
    lists: [],
    isOurs: ours(NAME),
  }
}
