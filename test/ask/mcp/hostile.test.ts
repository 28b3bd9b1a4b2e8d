import { expect, test } from 'bun:test'
import { type McpWorld, mcpWorld, rpc, toolCall } from '../../support/mcp-world.ts'

/** Whatever came, the reply is a small, whole message with a status that blames the right side. */
async function survives(here: McpWorld, body: unknown, headers: Record<string, string> = {}) {
  const { status, json } = await here.reply(body, headers)
  expect(status).toBeLessThan(500)
  if (status === 200) expect(json).toMatchObject({ jsonrpc: '2.0' })
  return json
}

test('ids of any size come back as they were', async () => {
  await using here = await mcpWorld()
  for (const id of [
    '',
    '0',
    '__proto__',
    'x'.repeat(500_000),
    '"\\\u2028',
    0,
    -1,
    Number.MAX_SAFE_INTEGER,
  ]) {
    expect((await here.reply(rpc('ping', {}, id))).json).toEqual({ jsonrpc: '2.0', id, result: {} })
  }
})

test.each([
  ['the body', (deep: string) => deep],
  ['params', (deep: string) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":${deep}}`],
  [
    'initialize',
    (deep: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":${deep},"clientInfo":{"name":"x","version":"1"}}}`,
  ],
  [
    '_meta',
    (deep: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cancel_question","_meta":${deep}}}`,
  ],
  [
    'a field',
    (deep: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_user","arguments":{"question":${deep}}}}`,
  ],
  [
    'an unknown field',
    (deep: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_user","arguments":{"x":${deep}}}}`,
  ],
])('very deep nesting in %s is survived', async (_, body) => {
  await using here = await mcpWorld()
  await survives(here, body(`${'['.repeat(200_000)}${']'.repeat(200_000)}`))
  await survives(here, body(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`))
  expect((await here.reply(rpc('ping'))).status).toBe(200)
})

test('a body full of wrong fields is answered shortly, and soon', async () => {
  await using here = await mcpWorld()
  const many = Array.from({ length: 200_000 }, () => 1)
  const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`f${i}`, 1]))
  for (const args of [
    { question: 'Go?', tags: many },
    { question: 'Go?', ...fields },
    { question: 'x'.repeat(1_000_000), env: 5 },
  ]) {
    const { status, text } = await here.reply(toolCall('ask_user', args))
    expect(status).toBe(200)
    expect(text.length).toBeLessThan(5_000)
  }
})
