import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { listQuestions } from '../../src/ask/questions/model/store.ts'
import { listSubscribers } from '../../src/ask/subscribers/model/store.ts'
import { pushServer } from '../support/push-server.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const push = await pushServer()
afterAll(() => push[Symbol.asyncDispose]())

/** A push service in the page: Chromium’s own asks Google. */
function subscribeThere(subscription: { endpoint: string; keys: object }) {
  PushManager.prototype.getSubscription = async () => null
  PushManager.prototype.subscribe = async () =>
    ({ ...subscription, toJSON: () => subscription }) as never
}

for (const [size, options] of [
  ['phone', PHONE],
  ['desk', DESK],
] as const) {
  const { world, browser } = await openWorld({
    whole: true,
    env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' },
  })

  test(`an agent, a question and a device, in any order: ${size}`, async () => {
    await using tab = await openTab(browser, world, options)
    const { page, context } = tab
    await context.grantPermissions(['notifications'], { origin: world.url })
    await context.addInitScript(subscribeThere, push.subscribe(size, { status: 201 }))
    await page.goto('/')

    await page.getByRole('button', { name: 'Connect an agent' }).click()
    await page.locator('#step-agent').getByText('Waiting for its first call').waitFor()
    const pasted = await page.locator('.clients').textContent()
    const [token] = /bk_\w+/.exec(pasted ?? '') ?? []
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const args = { question: 'Deploy build 42?', agentName: 'Codex', wait: false }
    const reply = await fetch(`${world.url}/api/v1/questions`, {
      method: 'POST',
      headers,
      body: JSON.stringify(args),
    })
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('q_')])
    await page.locator('#step-agent.done').waitFor()
    expect(await page.locator('.clients').count()).toBe(1)

    await page.goto('/')
    await page.getByRole('button', { name: 'Connect this browser' }).click()
    await page.locator('#step-device.done').waitFor()

    await page.getByRole('button', { name: 'Ask me something now' }).click()
    await page.locator('#step-ask').getByText('rings on one device').waitFor()
    const newest = { before: undefined, limit: 5 }
    const questions = await listQuestions(world.db.read, { workspaceId: world.workspaceId }, newest)
    const own = questions.find(({ agentName }) => agentName === 'Beckon')
    const devices = await listSubscribers(world.db.read, world.workspaceId)
    expect(own?.targeting).toEqual({ subscriberIds: devices.map(({ id }) => id) })
    const row = page.locator(`#card-${own?.id}`)
    await row.getByRole('button', { name: 'Yes', exact: true }).click()
    await page.locator('#step-ask.done').getByText('Your agents do the same.').waitFor()
    expect(tab.complaints).toEqual([])
  })

  test(`a phone that cannot open the address gets a sentence, and no code: ${size}`, async () => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    await page.goto('/')
    expect(await page.getByText('A phone cannot open http').count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Connect a phone' }).count()).toBe(0)
    await page.goto('/settings/pair')
    await page.getByRole('button', { name: 'Show the code' }).click()
    await page.getByText('A phone cannot open http').waitFor()
    expect(await page.locator('.scan svg.qr').count()).toBe(0)
  })
}
