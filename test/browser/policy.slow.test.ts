import { describe, expect, test } from 'bun:test'
import { addPerson } from '../../src/ask/people/people.ts'
import { listRules, readPolicy } from '../../src/ask/policy/model/store.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { PASSWORD } from '../support/auth-server.ts'
import { pageWorld } from '../support/page-world.ts'
import { isWide } from '../support/share.ts'
import { DESK, openChromium, openTab, PHONE } from './chromium.ts'

const browser = await openChromium()

const PRESETS = [
  ['Only my devices, the terminal does not ask', 'the terminal does not ask.', 'push_only'],
  ['Keep it quiet: notifications only', 'ask in the terminal without waiting.', 'notify_only'],
  ['The terminal decides', 'nothing is sent.', 'terminal_only'],
] as const

describe.each([
  ['without scripts, on a phone', { ...PHONE, javaScriptEnabled: false }],
  ['with scripts, on a desk', DESK],
])('%s', (way, options) => {
  // In the quick run each is done in one way.
  const testIf = (done: string) => test.skipIf(!isWide && !way.startsWith(done))

  testIf('without')(
    'the policy is changed; a mistake is named, keeps the rest, and is put right',
    async () => {
      await using world = await pageWorld()
      await using tab = await openTab(browser, world, options)
      const { page } = tab
      await page.goto('/settings/policy')
      await page.getByText('More: exact times').click()
      await page.getByLabel('Devices only').check()
      await page.getByLabel('Wait', { exact: true }).fill('52 s')
      await page.getByLabel('Phone delay').fill('7.5')
      await page.getByLabel('Approvals ring nowhere').check()
      await page.getByLabel('From').fill('23:15')
      await page.getByLabel('Time zone').fill('Mars/Base')
      await page.getByLabel('Only devices tagged').fill('pocket')
      await page.getByRole('button', { name: 'Save the policy' }).click()
      await page.getByRole('alert').getByText('Must be a time zone like Europe/Berlin.').waitFor()
      expect(await page.getByLabel('Devices only').isChecked()).toBe(true)
      expect(await page.getByLabel('Wait', { exact: true }).inputValue()).toBe('52 s')
      expect(await page.getByLabel('From').inputValue()).toBe('23:15')
      expect(await page.getByLabel('Time zone').inputValue()).toBe('Mars/Base')
      await page.getByRole('alert').getByRole('link', { name: 'Time zone' }).click()
      await page.getByLabel('Time zone').fill('America/Lima')
      await page.getByRole('button', { name: 'Save the policy' }).click()
      await page.getByText('It applies from the next question on.').waitFor()
      expect(await readPolicy(world.db.read, world.workspaceId)).toMatchObject({
        deliveryMode: 'push_only',
        waitMs: 52_000,
        graceMs: 7_500,
        quietHours: { from: '23:15', to: '07:00', zone: 'America/Lima' },
        targeting: { tags: ['pocket'] },
      })
      expect(tab.complaints).toEqual([])
    },
  )

  testIf('with ')('a preset is one tap, says what is in force, and can be taken back', async () => {
    await using world = await pageWorld()
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    await page.goto('/settings/policy')
    const now = page.locator('#in-force')
    const pressed = page.locator('.preset[aria-pressed=true]')
    expect(await pressed.textContent()).toStartWith('Ask me on every device, wait up to 45 s')
    for (const [name, sentence, mode] of PRESETS) {
      const button = page.getByRole('button', { name })
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(52)
      await button.click()
      await now.getByText(sentence).waitFor()
      expect(await pressed.textContent()).toStartWith(name)
      const { deliveryMode } = await readPolicy(world.db.read, world.workspaceId)
      expect(deliveryMode).toBe(mode)
    }
    await page.getByRole('button', { name: 'Undo' }).click()
    await now.getByText('Agents show on every device that they ask').waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  testIf('without')('a rule is added, tried on a call, changed and removed', async () => {
    await using world = await pageWorld()
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    await world.ask({ detail: { toolName: 'Bash', toolTarget: 'git push origin' } })
    await world.ask({ detail: { toolName: 'Edit' } })
    await page.goto('/settings/rules')
    await page.getByRole('link', { name: 'Add a rule' }).click()
    await page.getByLabel('Tool', { exact: true }).fill('Bash')
    await page.getByLabel('On what').fill('git push*')
    await page.getByRole('button', { name: 'Add the rule' }).click()
    await page.getByRole('alert').getByText('Change at least one thing').waitFor()
    expect(await page.getByLabel('On what').inputValue()).toBe('git push*')
    await page.getByLabel('Delivery mode').selectOption('terminal_only')
    await page.getByRole('button', { name: 'Try it on the last calls' }).click()
    await page.getByText('It would have decided 1 of the last 2 calls.').waitFor()
    await page.locator('#tried').getByText('asked this way').waitFor()
    expect(await listRules(world.db.read, world.workspaceId)).toEqual([])
    expect(await page.getByLabel('On what').inputValue()).toBe('git push*')
    const offers = page.locator('#toolTarget-offers option')
    expect(await offers.evaluateAll((all) => all.map((one) => one.getAttribute('value')))).toEqual([
      'git push origin',
    ])
    await page.getByRole('button', { name: 'Add the rule' }).click()
    await page.getByText('ask in the terminal only').waitFor()

    await page.getByLabel('Tool', { exact: true }).fill('Bash')
    await page.getByLabel('On what').fill('git push origin')
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.locator('#preview').getByText('Nothing is sent.', { exact: true }).waitFor()
    await page.locator('#preview').getByRole('link', { name: 'git push*' }).waitFor()

    await page.getByRole('link', { name: 'Change' }).click()
    await page.getByLabel('Delivery mode').selectOption('notify_only')
    await page.getByRole('button', { name: 'Save the rule' }).click()
    await page.getByText('notify only', { exact: true }).waitFor()
    await page.getByText('Remove', { exact: true }).click()
    await page.getByRole('button', { name: 'Remove the rule' }).click()
    await page.getByText('No exceptions yet').waitFor()
    expect(await listRules(world.db.read, world.workspaceId)).toEqual([])
    expect(tab.complaints).toEqual([])
  })
})

test('trying a call loses nothing that was typed into the policy', async () => {
  await using world = await pageWorld()
  await using tab = await openTab(browser, world)
  const { page } = tab
  await page.goto('/settings/policy')
  await page.getByText('More: exact times').click()
  await page.getByLabel('Only devices tagged').fill('not saved yet')
  await page.getByLabel('a question of its own').check()
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByText('Nobody is notified: no device matches.').waitFor()
  expect(await page.getByLabel('Only devices tagged').inputValue()).toBe('not saved yet')
  expect(tab.complaints).toEqual([])
})

test('the time zone of this browser is what quiet hours begin with', async () => {
  await using world = await pageWorld()
  await using tab = await openTab(browser, world, { ...PHONE, timezoneId: 'Asia/Tokyo' })
  await tab.page.goto('/settings')
  await tab.page.locator('a[href="/settings/policy"]').click()
  expect(await tab.page.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo')
})

test('on a phone, two people to be told next stand beside each other', async () => {
  await using world = await pageWorld()
  const bo = { email: 'bo@example.org', name: 'Bo', password: PASSWORD }
  await addPerson({ db: world.db, clock }, bo)
  await using tab = await openTab(browser, world, PHONE)
  await tab.page.goto('/settings/rules/new')
  const [first, second] = await Promise.all(
    ['First', 'Second'].map((name) => tab.page.getByLabel(name, { exact: true }).boundingBox()),
  )
  expect([second?.y, second?.width]).toEqual([first?.y, first?.width])
})

test.each([
  ['on a phone', PHONE],
  ['without scripts', { ...PHONE, javaScriptEnabled: false }],
])('the form of a rule that allows shows only what applies to it: %s', async (_, options) => {
  await using world = await pageWorld()
  await using tab = await openTab(browser, world, options)
  const { page } = tab
  await page.goto('/settings/rules/new')
  const wait = page.getByLabel('Wait', { exact: true })
  expect(await wait.isVisible()).toBe(true)
  await page.getByLabel('Decision').selectOption('allow')
  await wait.waitFor({ state: 'hidden' })
  expect(await page.getByText('What deserves a second look is asked').isVisible()).toBe(true)
  await page.getByLabel('Decision').selectOption('ask')
  await wait.waitFor()
  expect(tab.complaints).toEqual([])
})
