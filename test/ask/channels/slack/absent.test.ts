import { expect, test } from 'bun:test'
import { CHANNELS } from '../../../../src/ask/channels/channels.ts'
import { pageWorld } from '../../../support/page-world.ts'

test('without its entry in the list nothing of Slack is there', async () => {
  const channels = CHANNELS.filter(({ name }) => name !== 'slack')
  expect(channels.length).toBe(CHANNELS.length - 1)
  await using world = await pageWorld({ channels })
  expect((await world.get('/settings')).status).toBe(200)
  expect(await (await world.get('/settings')).text()).not.toMatch(/slack/i)
  for (const path of ['/settings/devices', '/settings/devices/add']) {
    expect(await (await world.get(path)).text()).not.toMatch(/slack/i)
  }
  expect((await world.get('/settings/slack')).status).toBe(404)
  for (const path of ['/settings/slack/channels', '/settings/slack/forget']) {
    expect((await world.post(path, {})).status).toBe(404)
  }
  const called = await world.post('/slack/interactions', {})
  expect([called.status, called.headers.get('content-type')]).toEqual([
    404,
    expect.stringContaining('text/html'),
  ])
  const input = { kind: 'chat', transport: 'slack', endpoint: 'https://slack.com/x' }
  const refused = await fetch(`${world.url}/api/v1/subscribers`, {
    method: 'POST',
    headers: { cookie: world.cookie, origin: world.url, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  expect(refused.status).toBe(422)
})
