import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { ANNOTATIONS, type Tool } from '../../../src/ask/mcp/tool.ts'
import { mcpWorld } from '../../support/mcp-world.ts'

/** A tool that only this test knows. */
const echo: Tool = {
  name: 'echo',
  title: 'Echo',
  description: 'Says the same again.',
  inputSchema: Type.Object({ text: Type.String() }),
  outputSchema: Type.Object({ text: Type.String() }),
  annotations: ANNOTATIONS,
  waits: () => false,
  call: async ({ text }) => ({ text }),
}

test('a tool is one value in the list: it is listed and called like the others', async () => {
  await using world = await mcpWorld({}, undefined, [echo])
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  expect(JSON.stringify(await world.reply(list))).toContain('Says the same again.')
  const params = { name: 'echo', arguments: { text: 'once more' } }
  const called = await world.reply({ jsonrpc: '2.0', id: 2, method: 'tools/call', params })
  expect(JSON.stringify(called)).toContain('"structuredContent":{"text":"once more"}')
})
