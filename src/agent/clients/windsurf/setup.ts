import { join } from 'node:path'
import type { ClientSetup, InstallRequest } from '../../client-files/client-setup.ts'
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

const NAME = 'windsurf'

// Entries have no timeout.
const EVENTS: HookEvents = [
  ['pre_user_prompt', undefined],
  ['pre_write_code', undefined],
  ['pre_read_code', undefined],
  ['pre_run_command', undefined],
  ['pre_mcp_tool_use', undefined],
  ['post_write_code', undefined],
  ['post_run_command', undefined],
  ['post_mcp_tool_use', undefined],
  ['post_cascade_response', undefined],
]

const BEFORE_TOOL = /^pre_(?!user_prompt)/

export const setup: ClientSetup = {
  detect: (place) => place.has(folderOf(place.home)) || place.onPath('windsurf'),
  files: (request) =>
    request.place.project ? [hooks(request)] : [server(request), hooks(request)],
  after: ({ place }) => [
    'Windsurf is called Devin Desktop now, and reads the same files.',
    'Press "Refresh" beside the MCP servers of Cascade.',
    ...(place.project
      ? ['Windsurf has no MCP servers of a project; run beckon setup windsurf for yours.']
      : []),
  ],
  check: 'The MCP servers of Cascade show beckon with five tools.',
}

function folderOf(home: string): string {
  return join(home, '.codeium', 'windsurf')
}

function server(request: InstallRequest): DesiredJson {
  return serverFile(
    NAME,
    join(folderOf(request.place.home), 'mcp_config.json'),
    request.http ? { serverUrl: request.url, headers: authorization(request) } : bridge(request),
  )
}

function hooks(request: InstallRequest): DesiredJson {
  const folder = request.place.project
    ? join(request.place.project, '.windsurf')
    : folderOf(request.place.home)
  const [command, guarded] = [hookLine(request, NAME), guardedHookLine(request, NAME)]
  return {
    kind: 'json',
    path: join(folder, 'hooks.json'),
    values: [],
    lists: hookLists(EVENTS, (event) => ({
      command: BEFORE_TOOL.test(event) ? guarded : command,
      show_output: false,
    })),
    hooksAt: ['hooks'],
    isOurs: ours(NAME),
  }
}
