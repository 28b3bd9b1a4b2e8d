import { expect, test } from 'bun:test'
import { RATES } from '../../../src/platform/http/limits.ts'
import { mcpWorld, modernHeaders, modernMeta, rpc, toolCall } from '../../support/mcp-world.ts'

const { burst, perMinute } = RATES.token
const ARGS = { correlationId: 'q_1' }
const CALL = toolCall('cancel_question', ARGS)

/** A face whose token has made as many calls as it may. */
async function spent() {
  const here = await mcpWorld()
  await Promise.all(Array.from({ length: burst }, () => here.reply(CALL)))
  return here
}

test('a token that runs wild is told so as a result, and when to go on', async () => {
  await using here = await spent()
  const modern = toolCall('cancel_question', ARGS, modernMeta())
  for (const [body, more] of [
    [CALL, {}],
    [CALL, { accept: 'application/json, text/event-stream' }],
    [modern, modernHeaders('tools/call', 'cancel_question')],
    [toolCall('no_such_tool', {}), {}],
  ] as const) {
    const { status, headers, json } = await here.reply(body, more)
    expect(status).toBe(200)
    expect(headers.get('retry-after')).toBe('1')
    expect(json).toMatchObject({
      id: 1,
      result: {
        isError: true,
        content: [
          { text: 'Too many calls with this token. Try again in 1 second. (rate_limited)' },
        ],
      },
    })
  }
  await here.world.clock.advance(60_000 / perMinute)
  expect((await here.reply(CALL)).json).toMatchObject({
    result: { structuredContent: { status: 'missing' } },
  })
})

test('what is no call is not counted', async () => {
  await using here = await spent()
  for (const method of ['ping', 'tools/list']) {
    expect((await here.reply(rpc(method))).json).not.toHaveProperty('result.isError')
  }
  const clientInfo = { name: 'x', version: '1' }
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  expect((await here.reply(rpc('initialize', hello))).json).toHaveProperty('result.serverInfo')
})
