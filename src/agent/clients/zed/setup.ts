import { join } from 'node:path'
import type { ClientSetup, InstallRequest, Place } from '../../client-files/client-setup.ts'
import type { DesiredJson } from '../../client-files/desired-json.ts'
import { authorization, bridge, serverFile } from '../../client-files/entries.ts'

const NAME = 'zed'

export const setup: ClientSetup = {
  detect: (place) => place.has(folderOf(place)) || place.onPath('zed'),
  // A project is shared, and over HTTP its file could only hold the token itself.
  files: (request) => (request.place.project ? [] : [settings(request)]),
  after: () => ['Zed has no hooks: it can ask and notify, but no scope is enforced there.'],
  check: 'The settings of the agent panel show beckon with a green dot.',
}

function folderOf({ home, env }: Place): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'zed')
}

function settings(request: InstallRequest): DesiredJson {
  const { place, url } = request
  return serverFile(
    NAME,
    join(folderOf(place), 'settings.json'),
    request.http ? { url, headers: authorization(request) } : bridge(request),
    { under: 'context_servers' },
  )
}
