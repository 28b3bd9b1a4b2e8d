import { afterAll, beforeAll, expect, test } from 'bun:test'
import { systemClock } from '../../../../src/platform/clock.ts'
import { createLog } from '../../../../src/platform/log.ts'
import { addPersonWithPassword, signInAs } from '../../../support/sign-in.ts'
import { type SlackWorld, slackWorld } from '../../../support/slack-world.ts'

const logged: string[] = []
let it: SlackWorld
beforeAll(async () => {
  const log = createLog({ format: 'json', level: 'debug', write: (line) => logged.push(line) })
  it = await slackWorld({ inEnvironment: false, log })
})
afterAll(() => it[Symbol.asyncDispose]())

const page = async () => (await it.world.get('/settings/slack')).text()
const save = (botToken: string, signingSecret: string) =>
  it.world.post('/settings/slack', { botToken, signingSecret })

test('before anything is set up, the page has the manifest with the address of this server', async () => {
  const text = await page()
  expect(text).toMatch(/request_url: http:\/\/localhost:\d+\/slack\/interactions/)
  expect(text).toContain('set BECKON_BASE_URL first')
  expect(text).not.toContain('Connect a channel')
  expect(await (await it.world.get('/settings')).text()).toContain('/settings/slack')
})

test('what Slack does not take is not kept, and what is wrong stands beside its field', async () => {
  const { slack } = it
  const wrong = await save('xoxb-another-token', slack.signingSecret)
  expect(wrong.status).toBe(422)
  const text = await wrong.text()
  expect(text).toContain('does not work')
  expect(text).toContain('invalid_auth')
  expect(text).not.toContain('xoxb-another-token')
  // The form is below the manifest; the top of the page leads there.
  expect(text).toContain('Nothing was saved.')
  expect(text).toContain('<a href="#botToken">Bot token</a>')
  for (const [token, secret] of [
    ['', ''],
    ['short', 'x'],
    ['xoxb-\u00e9-token-here', slack.signingSecret],
    ['xapp-1-the-token-of-an-app', slack.signingSecret],
  ]) {
    const calls = slack.calls.length
    expect((await save(token ?? '', secret ?? '')).status).toBe(422)
    expect(
      slack.calls.slice(calls).filter(({ authorization }) => authorization?.includes(token || '-')),
    ).toEqual([])
  }
  expect(await page()).toContain('Connect Slack')
})

test('saved secrets work at once, are shown nowhere, and answer over their signature', async () => {
  const { slack, world } = it
  expect((await save(slack.botToken, slack.signingSecret)).status).toBe(303)
  const text = await page()
  expect(text).toContain('Signed in to Acme as @beckon.')
  expect(text).not.toContain(slack.botToken)
  expect(text).not.toContain(slack.signingSecret)
  await it.connect()
  const id = await it.ask({ question: 'Saved?' })
  await slack.press(world.url, 'Yes')
  expect((await it.question(id))?.value).toBe('yes')
})

test('a channel is connected once its first message arrived, under the name that it resolved to', async () => {
  const { world, slack } = it
  for (const [channel, words] of [
    ['nonsense', 'must be #name'],
    ['', 'must be #name'],
    ['<!channel>', 'must be #name'],
    ['C0NOWHERE', 'Slack knows no such channel'],
    ['https://acme.slack.com/archives/C0NOWHERE/p1', 'Slack knows no such channel'],
  ]) {
    const refused = await world.post('/settings/slack/channels', {
      channel: channel ?? '',
      label: '',
    })
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining(words ?? ''),
    ])
  }
  const direct = await it.connect('U0ADA')
  const connected = (await it.devices()).find(({ id }) => id === direct)
  expect(connected).toMatchObject({ kind: 'chat', transport: 'slack', label: 'Slack U0ADA' })
  expect(connected?.endpoint).toEndWith('/archives/D0ADA')
  expect(await it.connect('U0ADA')).toBe('')
  expect(await page()).toContain('Slack U0ADA')
  expect([...slack.messages.values()].at(-1)).toMatchObject({ channel: 'D0ADA' })
  const listed = await (await world.get('/api/v1/subscribers')).json()
  expect(JSON.stringify(listed)).not.toContain('archives')
})

test('a channel begins with its tags and id, keeps them when it is connected again, and is reached by them', async () => {
  const { world, slack } = it
  const join = (fields: Record<string, string>) =>
    world.post('/settings/slack/channels', { channel: '#ops', label: '', ...fields })
  const posted = slack.messages.size
  for (const [fields, words] of [
    [{ tags: 'ok, \u3164' }, 'Tag 2 must have something that can be seen.'],
    [{ tags: 'x'.repeat(65) }, 'Tag 1 must have at most 64 characters.'],
    [{ externalId: 'x'.repeat(201) }, 'The external id must have at most 200 characters.'],
  ] as const) {
    const refused = await join(fields)
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining(words)])
  }
  expect(slack.messages.size).toBe(posted)
  expect((await join({ tags: 'team, ops', externalId: 'c-ops' })).status).toBe(303)
  const channel = async () => (await it.devices()).find(({ externalId }) => externalId === 'c-ops')
  expect(await channel()).toMatchObject({ tags: ['ops', 'team'] })
  expect((await join({})).status).toBe(303)
  expect(await channel()).toMatchObject({ tags: ['ops', 'team'] })
  const text = await page()
  expect(text).toContain('<span class="chip">team</span>')
  const before = slack.messages.size
  await it.ask({ question: 'By tag?', tags: ['team'] })
  expect(slack.messages.size).toBe(before + 1)
})

test('a test message, the devices page and the doctor speak of Slack', async () => {
  const { world, slack } = it
  const [device] = await it.devices()
  const tested = await world.post(`/settings/devices/${device?.id}/test`, {})
  expect(await tested.text()).toContain('Slack took the message (200)')
  slack.behave('chat.postMessage', { error: 'not_in_channel' })
  const refused = await world.post(`/settings/devices/${device?.id}/test`, {})
  expect(await refused.text()).toContain('/invite')
  slack.behave('chat.postMessage')
  const checks = async () => {
    const health = (await (await world.get('/api/v1/health')).json()) as {
      checks: Array<{ name: string; state: string; said: string; cure?: string }>
    }
    return health.checks.find(({ name }) => name === 'Slack')
  }
  expect(await checks()).toMatchObject({
    state: 'warn',
    said: expect.stringContaining('@beckon in Acme'),
  })
  slack.behave('auth.test', { error: 'token_revoked' })
  expect(await checks()).toMatchObject({
    state: 'fail',
    said: expect.stringContaining('token_revoked'),
  })
  slack.behave('auth.test')
})

test('members see and change none of it', async () => {
  const { world } = it
  const { id } = await addPersonWithPassword(
    { db: world.db, clock: systemClock },
    { email: 'bo@example.org', name: 'Bo', role: 'member' },
  )
  const cookie = await signInAs(world.app, id)
  expect((await world.get('/settings/slack', cookie)).status).toBe(403)
  for (const path of ['', '/channels', '/forget']) {
    const form = { botToken: 'xoxb-mine-mine', signingSecret: 'minemine', channel: '#ops' }
    expect((await world.post(`/settings/slack${path}`, form, { cookie })).status).toBe(403)
  }
  expect(await (await world.get('/settings', cookie)).text()).not.toContain('/settings/slack')
})

test('forgotten secrets are gone: nothing is posted, nothing is taken, and the doctor says so', async () => {
  const { world, slack } = it
  expect((await world.post('/settings/slack/forget', {})).status).toBe(303)
  expect(await page()).toContain('Connect Slack')
  const calls = slack.calls.length
  const result = await it.call('ask_user', { question: 'Anybody?', timeoutMs: 2_000 })
  expect(result).toMatchObject({ noDevices: true })
  expect(slack.calls).toHaveLength(calls)
  expect((await slack.send(world.url, { type: 'shortcut' })).status).toBe(403)
  const devices = await (await world.get('/settings/devices')).text()
  expect(devices).toContain('No Slack app is set up')
  const health = await (await world.get('/api/v1/health')).text()
  expect(health).toContain('A channel of Slack is connected, but no Slack app is set up')
  const trail = await (await world.get('/api/v1/audit?kind=slack.changed')).json()
  expect(JSON.stringify(trail)).toContain('removed')
})

test('nothing of it is in the log', () => {
  const text = logged.join('\n')
  expect(text).not.toContain(it.slack.botToken)
  expect(text).not.toContain(it.slack.signingSecret)
  expect(text).not.toContain('xoxb-another-token')
})

test('secrets of the configuration go before the page, which then only says so', async () => {
  await using set = await slackWorld()
  const text = await (await set.world.get('/settings/slack')).text()
  expect(text).toContain('set in the configuration of this server')
  expect(text).not.toContain('Replace them')
  expect(text).not.toContain(set.slack.botToken)
})
