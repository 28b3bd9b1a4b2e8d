import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { findSubscriber, listSubscribers } from '../../src/ask/subscribers/model/store.ts'
import type { SubscriberId } from '../../src/ask/subscribers/model/subscriber.ts'
import { connect } from '../support/devices.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()

async function device(more: object = {}): Promise<SubscriberId> {
  const [subscriber] = await connect(world.db, { workspaceId: world.workspaceId, ...more })
  return subscriber?.id ?? 'sub_none'
}
const stored = async (id: SubscriberId) => {
  const subscriber = await findSubscriber(world.db.read, world.workspaceId, id)
  return [subscriber?.label, subscriber?.tags, subscriber?.externalId]
}

describe.each([
  ['without scripts, on a phone', { ...PHONE, javaScriptEnabled: false }],
  ['with scripts, on a phone', PHONE],
  ['with scripts, on a desk', DESK],
] as const)('%s', (_, options) => {
  test('a device is given a name, tags and an id, and they are taken away again', async () => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    const id = await device({
      label: 'Old name',
      endpoint: `https://push.example/${crypto.randomUUID()}`,
    })
    await page.goto(`/settings/devices?at=${id}`)
    const card = page.locator(`#device-${id}`)
    await card.getByText('Edit', { exact: true }).click()
    await card.getByRole('textbox', { name: 'Name' }).fill('Pixel <b>8</b>')
    await card.getByLabel('Tags').fill('work, on call,, work')
    await card.getByLabel('External id').fill('mara-1')
    await card.getByRole('button', { name: 'Save' }).click()
    await card.locator('.targets').getByText('on call').waitFor()
    expect(await stored(id)).toEqual(['Pixel <b>8</b>', ['on call', 'work'], 'mara-1'])
    expect(await card.locator('.thing-name').textContent()).toContain('Pixel <b>8</b>')

    await card.getByText('Edit', { exact: true }).click()
    await card.getByLabel('Tags').fill('x'.repeat(65))
    await card.getByLabel('External id').fill('')
    await card.getByRole('button', { name: 'Save' }).click()
    await card.getByText('Tag 1 must have at most 64 characters.').waitFor()
    expect(await card.getByLabel('Tags').inputValue()).toBe('x'.repeat(65))
    expect((await stored(id))[2]).toBe('mara-1')
    await card.getByLabel('Tags').fill('')
    await card.getByRole('button', { name: 'Save' }).click()
    await card.locator('.targets').waitFor({ state: 'detached' })
    expect(await stored(id)).toEqual(['Pixel <b>8</b>', [], undefined])
    expect(tab.complaints).toEqual([])
  })

  test('a topic begins with its tags and its id', async () => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    const address = `https://ntfy.sh/beckon-${crypto.randomUUID()}`
    await page.goto('/settings/devices/add')
    const form = page.locator('#new-topic')
    await form.getByText('Add an ntfy topic').click()
    await form.getByLabel('Address of the topic').fill(address)
    await form.getByLabel('Tags').fill('\u3164')
    await form.getByRole('button', { name: 'Add topic' }).click()
    await form.getByText('Tag 1 must have something that can be seen.').waitFor()
    expect(await form.getByLabel('Address of the topic').inputValue()).toBe(address)
    await form.getByLabel('Tags').fill('work')
    await form.getByLabel('External id').fill('ada')
    await form.getByRole('button', { name: 'Add topic' }).click()
    await page.locator('.thing details[open] > .targets').getByText('ada').first().waitFor()
    const all = await listSubscribers(world.db.read, world.workspaceId)
    const topic = all.find(({ endpoint }) => endpoint === address)
    expect([topic?.tags, topic?.externalId]).toEqual([['work'], 'ada'])
    expect(tab.complaints).toEqual([])
  })
})

test('a page that was open meanwhile does not take back what another changed', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  const id = await device({ label: 'Shared', tags: ['a'], endpoint: 'https://push.example/shared' })
  await page.goto(`/settings/devices?at=${id}`)
  await world.post(`/settings/devices/${id}/change`, { tags: 'b', 'was-tags': 'a' })
  const card = page.locator(`#device-${id}`)
  await card.getByText('Edit', { exact: true }).click()
  await card.getByRole('textbox', { name: 'Name' }).fill('Renamed')
  await card.getByRole('button', { name: 'Save' }).click()
  await card.getByText('Renamed').waitFor()
  expect(await stored(id)).toEqual(['Renamed', ['b'], undefined])
})
