import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { beckon } from '../../support/beckon.ts'
import { bridgeProcess } from '../../support/bridge-process.ts'
import { hookWorld, NOTHING } from '../../support/hook-world.ts'
import { rpc, toolCall } from '../../support/mcp-world.ts'
import { programCopy } from '../../support/program-copy.ts'
import type { Ran } from '../../support/run-command.ts'
import { serverProcess } from '../../support/server-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const TOY = {
  'src/ask/toy/tools.ts': `import type { ToolEntry } from '../tools/tool-entry.ts'

export const echo = {
  name: 'echo',
  waits: false,
  repeatable: true,
  fills: ['agentName'],
  load: async () => (await import('./mcp.ts')).echoTool,
} satisfies ToolEntry
`,
  'src/ask/toy/mcp.ts': `import { type Static, Type } from '@sinclair/typebox'
import { shape } from '../../platform/schema.ts'
import type { ToolModule } from '../tools/tool.ts'
import { leanInput } from '../wire/lean-input.ts'

const Echo = Type.Object({
  text: Type.String(),
  path: Type.Optional(Type.String()),
  agentName: Type.Optional(Type.String()),
})
type Echo = Static<typeof Echo>
const echoInput = shape(Echo)

async function echo({ baseUrl }: { baseUrl: string }, { text, agentName }: Echo) {
  return { text: [text, agentName, baseUrl].join(' | ') }
}

export const echoTool: ToolModule<{ baseUrl: string }, Echo> = {
  title: 'Echo',
  description: 'Says the same again.',
  inputSchema: Echo,
  outputSchema: Type.Object({ text: Type.String() }),
  lean: { description: 'Says the same again.', inputSchema: leanInput(Echo, { text: '' }) },
  read: (args) => echoInput.parse(args),
  run: echo,
  say: ({ text }) => text,
  withoutServer: ({ text }) => ({ text: text + ', nobody hears' }),
}
`,
}
const LIST = {
  path: 'src/ask/agent-tools.ts',
  replace: [
    ['import ', "import { echo } from './toy/tools.ts'\nimport "],
    ['proposeScope]', 'proposeScope, echo]'],
  ],
} as const

test('a tool with a use case is a folder and a line in the list: server, bridge and hook know it', async () => {
  using folder = tempFolder()
  const { main, changed } = programCopy(folder.path, TOY, LIST)
  // An import and an entry; nothing else that was there changes.
  expect(changed).toBe(2)

  const data = join(folder.path, 'data')
  const key = await beckon(['key', 'create', '--name', 'test', '--data', data])
  const program = [process.execPath, '--no-env-file', main]
  const server = await serverProcess(data, 0, { program })
  await using bridge = bridgeProcess(
    { HOME: folder.path, BECKON_URL: server.url, BECKON_TOKEN: key.out.trim() },
    { main, cwd: folder.path },
  )
  const clientInfo = { name: 'toy-client', version: '1' }
  bridge.send(rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 1))
  await bridge.reply(1)
  bridge.send(rpc('tools/list', {}, 2))
  const called = async (id: number) => {
    bridge.send({ ...toolCall('echo', { text: 'once more' }), id })
    return ((await bridge.reply(id)) as { result: { structuredContent: { text: string } } }).result
      .structuredContent.text
  }
  try {
    expect(JSON.stringify(await bridge.reply(2))).toContain('Says the same again.')
    expect(await called(3)).toMatch(/^once more \| toy-client \| http:/)
  } finally {
    await server.end('SIGKILL')
  }
  expect(await called(4)).toBe('once more, nobody hears')
}, 120_000)

test('the hook takes what such a tool carries for no touch of a file', async () => {
  using folder = tempFolder()
  using world = hookWorld()
  const { main } = programCopy(folder.path, TOY, LIST)
  await world.ratify('claude', { offLimitsPaths: ['secret/**'] })
  const hook = (tool: string): Promise<Ran> =>
    beckon(['hook', 'claude'], {
      env: world.env,
      stdin: JSON.stringify(world.before(tool, { text: 'x', path: 'secret/key' })),
      cwd: world.home,
      main,
    })
  expect(await hook('mcp__beckon__echo')).toEqual(NOTHING)
  expect((await hook('mcp__other__say')).out).toContain('secret/key is off limits')
}, 120_000)
