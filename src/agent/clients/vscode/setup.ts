import { join } from 'node:path'
import type { ClientSetup, InstallRequest, Place } from '../../client-files/client-setup.ts'
import type { DesiredJson } from '../../client-files/desired-json.ts'
import { authorization, bridge, mcpServer } from '../../client-files/entries.ts'
import { copilotHooks } from '../copilot/setup.ts'

const INPUT = 'beckon-token'

export const setup: ClientSetup = {
  detect: (place) => place.has(folderOf(place)) || place.onPath('code'),
  files: (request) => [server(request), copilotHooks(request)],
  after: ({ place, http }) => [
    'Run "MCP: List Servers" in the command palette and start beckon; VS Code asks once whether you trust it.',
    ...(place.project && http ? ['VS Code asks for the token once and keeps it.'] : []),
    'The hooks are those of Copilot CLI, which VS Code reads too; hooks are a preview there.',
  ],
  signIn: [
    'Run "MCP: List Servers" in the command palette and start beckon: it opens the browser to sign in.',
  ],
  check: '"MCP: List Servers" shows beckon as running.',
}

function folderOf({ home, env, platform }: Place): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Code', 'User')
  if (platform === 'win32' && env.APPDATA) return join(env.APPDATA, 'Code', 'User')
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'Code', 'User')
}

function server(request: InstallRequest): DesiredJson {
  const { place, url, http, signIn } = request
  // A project is shared: over HTTP, VS Code asks for the token there.
  const headers = authorization(request, `\${input:${INPUT}}`)
  const prompt = { id: INPUT, type: 'promptString', description: 'Beckon token', password: true }
  const folder = place.project ? join(place.project, '.vscode') : folderOf(place)
  return {
    kind: 'json',
    path: join(folder, 'mcp.json'),
    values: mcpServer(
      http ? { type: 'http', url, headers } : { type: 'stdio', ...bridge(request) },
      'servers',
    ),
    // With no token to ask for, our earlier prompt is removed.
    lists: place.project ? [{ at: ['inputs'], items: http && !signIn ? [prompt] : [] }] : [],
    isOurs: (entry) => (entry as { id?: unknown } | null)?.id === INPUT,
  }
}
