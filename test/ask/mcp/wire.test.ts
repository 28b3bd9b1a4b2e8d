import { describe, expect, test } from 'bun:test'
import { Failure } from '../../../src/platform/failure.ts'
import { type McpWorld, mcpWorld, rpc, TOKEN, toolCall } from '../../support/mcp-world.ts'
import { NO_TOKEN, ROWS, type Row } from './wire-rows.ts'

async function check({ reply }: McpWorld, { body, headers, status, code, has }: Row) {
  const { status: statusCode, json, headers: back } = await reply(body, headers)
  expect(statusCode).toBe(status)
  if (code !== undefined) expect(json).toMatchObject({ jsonrpc: '2.0', error: { code } })
  if (has !== undefined) expect(json).toMatchObject(has)
  expect(back.get('mcp-session-id')).toBeNull()
  const request = body as { id?: unknown }
  if (
    code !== undefined &&
    status !== 403 &&
    status !== 415 &&
    code !== -32600 &&
    code !== -32700
  ) {
    expect(json.id).toBe(request.id as number)
  }
}

describe('what the address answers to', () => {
  for (const row of ROWS) {
    test(row.name, async () => {
      await using here = await mcpWorld()
      await check(here, row)
    })
  }

  for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
    test(`${method}, before any look at the token`, async () => {
      await using here = await mcpWorld()
      const response = await fetch(here.url, { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('POST')
    })
  }

  test('a body over 1 MiB, with its length', async () => {
    await using here = await mcpWorld()
    expect((await here.sender(`"${'x'.repeat(1024 * 1024)}"`)).status).toBe(413)
  })

  test('a body over 1 MiB that streams and says no length', async () => {
    await using here = await mcpWorld()
    const chunk = new TextEncoder().encode(' '.repeat(64 * 1024))
    let count = 0
    const body = new ReadableStream({
      pull(sink) {
        count += 1
        if (count > 64) return sink.close()
        sink.enqueue(chunk)
      },
    })
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` }
    const response = await fetch(here.url, { method: 'POST', headers, body })
    expect(response.status).toBe(413)
  })

  test('a 401 says how to sign in, and carries the id of the request', async () => {
    await using here = await mcpWorld()
    const { headers, json } = await here.reply(toolCall('ask_user', {}), NO_TOKEN)
    expect(headers.get('www-authenticate')).toStartWith('Bearer')
    expect(json).toMatchObject({ id: 1, error: { data: { code: 'unauthenticated' } } })
  })

  test('too many wrong tokens are told when to come back', async () => {
    const tooMany = new Failure('rate_limited', 'Too many calls.', { retryAfter: 7 })
    await using here = await mcpWorld({}, tooMany)
    const { status, headers, json } = await here.reply(toolCall('ask_user', {}))
    expect(status).toBe(429)
    expect(headers.get('retry-after')).toBe('7')
    expect(json).toMatchObject({ id: 1, error: { code: 429, data: { code: 'rate_limited' } } })
  })

  test('a bug before the work begins is told without detail, under the id of the request', async () => {
    await using here = await mcpWorld({}, new Error('secret detail'))
    const { status, json, text } = await here.reply(toolCall('ask_user', {}))
    expect(status).toBe(500)
    expect(json).toMatchObject({ id: 1, error: { code: -32603 } })
    expect(text).not.toContain('secret')
    expect(here.logged.join()).toContain('secret detail')
  })

  test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'])(
    'initialize with the older version %s speaks it',
    async (protocolVersion) => {
      await using here = await mcpWorld()
      const clientInfo = { name: 'x', version: '1' }
      const body = rpc('initialize', { protocolVersion, capabilities: {}, clientInfo })
      expect((await here.reply(body)).json).toMatchObject({ result: { protocolVersion } })
    },
  )

  test('initialize never echoes a version it does not know', async () => {
    await using here = await mcpWorld()
    const clientInfo = { name: 'x', version: '1' }
    const body = rpc('initialize', { protocolVersion: '1999-01-01', capabilities: {}, clientInfo })
    const { json } = await here.reply(body)
    expect(json).toMatchObject({
      result: { protocolVersion: '2025-11-25', instructions: expect.any(String) },
    })
  })

  test('callers with the same id at the same time each get their own reply', async () => {
    await using here = await mcpWorld()
    const bodies = Array.from({ length: 50 }, (_, i) =>
      toolCall('send_notification', { title: `t${i}`, body: i % 2 ? 'b' : '' }),
    )
    const replies = await Promise.all(bodies.map((body) => here.reply(body)))
    const errors = replies.map(
      ({ json }) => (json.result as { isError?: boolean }).isError === true,
    )
    expect(errors).toEqual(bodies.map((_, i) => i % 2 === 0))
  })
})
