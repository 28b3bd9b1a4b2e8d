import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { agentHouse } from '../../support/agent-house.ts'
import { modernHeaders, modernMeta, rpc } from '../../support/mcp-world.ts'

const EXTENSIONS = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
const FOLLOWS = modernMeta({ 'io.modelcontextprotocol/clientCapabilities': EXTENSIONS })

test('a server that was killed around a reminder sends it once', async () => {
  await using house = await agentHouse()
  const { push, token, data } = house
  const first = await house.start()
  expect(await house.setPolicy({ remindMs: 3_600_000 })).toBe(200)
  const args = { question: 'Deploy?', timeoutMs: 1_000 }
  const response = await fetch(`${house.url}/api/mcp/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...modernHeaders('tools/call', 'ask_user'),
    },
    body: JSON.stringify(rpc('tools/call', { name: 'ask_user', arguments: args, _meta: FOLLOWS })),
  })
  expect(await response.text()).toContain('"resultType":"task"')
  // The first message, and the silent one that lives as long as the question.
  await push.until(2)
  await first.end('SIGKILL')
  {
    // An hour goes by.
    using db = new Database(join(data, 'beckon.db'))
    expect(db.query('select sent from reminders').all()).toEqual([{ sent: 0 }])
    db.run('update reminders set due_at = 1')
  }
  const second = await house.start()
  await push.until(3)
  await second.end('SIGKILL')
  await using _third = await house.start()
  await Bun.sleep(2_500)
  const titles = push.delivered.map(({ payload }) => payload.notification.title)
  expect(titles.filter((title) => String(title).startsWith('Still open: '))).toHaveLength(1)
  using db = new Database(join(data, 'beckon.db'))
  expect(db.query('select sent from reminders').all()).toEqual([{ sent: 1 }])
}, 60_000)
