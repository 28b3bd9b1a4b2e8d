import { join } from 'node:path'
import type { ClientSetup, InstallRequest } from '../../setup/client-setup.ts'
import type { DesiredJson } from '../../setup/desired-json.ts'
import {
  authorization,
  bridge,
  type HookEvents,
  hookLine,
  hookLists,
  ours,
  serverFile,
} from '../../setup/entries.ts'
import { guardedHookLine } from '../../setup/guarded-hook.ts'

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
  files: (wish) => (wish.place.project ? [hooks(wish)] : [server(wish), hooks(wish)]),
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

function server(wish: InstallRequest): DesiredJson {
  return serverFile(
    NAME,
    join(folderOf(wish.place.home), 'mcp_config.json'),
    wish.http ? { serverUrl: wish.url, headers: authorization(wish) } : bridge(wish),
  )
}

function hooks(wish: InstallRequest): DesiredJson {
  const folder = wish.place.project
    ? join(wish.place.project, '.windsurf')
    : folderOf(wish.place.home)
  const [command, guarded] = [hookLine(wish, NAME), guardedHookLine(wish, NAME)]
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
