import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { sightHook } from '../../src/ask/scopes/model/hook-store.ts'
import { findContract } from '../../src/ask/scopes/model/store.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()
const { workspaceId } = world
const hook = { workspaceId, machineId: 'm1', sessionId: 's1', client: 'claude', ended: false }
const examplePaths = ['src/a.ts', 'src/b.ts', 'docs/c.md', 'infra/d.tf']
await world.db.write((tx) => sightHook(tx, { ...hook, examplePaths, at: Date.now() }))

const contract = { allowedPaths: ['src', 'src/**'], offLimitsPaths: [], doneWhen: 'Green.' }
const proposal = {
  machineId: 'm1',
  sessionId: 's1',
  origin: 'scope',
  detail: { contract },
} as const

describe.each([
  ['without scripts, on a phone', { ...PHONE, javaScriptEnabled: false }],
  ['with scripts, on a phone', PHONE],
  ['with scripts, on a desk', DESK],
])('%s', (_, options) => {
  test('the lists are edited, seen to come to something, and agreed to', async () => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    const id = await world.ask(proposal)
    await page.goto(`/d/${id}`)
    await page.getByText('2 allowed').waitFor()
    await page.getByText('Edit the paths first').click()
    await page.getByLabel('May change').fill('src\ndocs')
    await page.getByLabel('Must not touch').fill('infra')
    if ('javaScriptEnabled' in options) {
      await page.getByRole('button', { name: 'Show what this matches' }).click()
    }
    await page.getByText('3 allowed').waitFor()
    await page.getByText('1 blocked').waitFor()
    expect(await page.getByLabel('May change').inputValue()).toBe('src\ndocs')
    await page.getByRole('button', { name: /Approve|Yes/ }).click()
    await page.locator('.outcome, .just').waitFor()
    await page.goto(`/d/${id}`)
    await page.getByText('Edited before they were agreed to').waitFor()
    expect(await findContract(world.db.read, world.workspaceId, id)).toMatchObject({
      allowedPaths: ['src', 'src/**', 'docs', 'docs/**'],
      offLimitsPaths: ['infra', 'infra/**'],
    })
    expect(tab.complaints).toEqual([])
  })

  test('what is wrong is said before and after a yes, and nothing is lost', async () => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    const id = await world.ask(proposal)
    await page.goto(`/d/${id}`)
    await page.getByText('Edit the paths first').click()
    await page.getByLabel('May change').fill('../up')
    await page.getByRole('button', { name: 'Show what this matches' }).click()
    await page.getByText('May change: (../up) must not contain').first().waitFor()
    await page.getByRole('button', { name: /Approve|Yes/ }).click()
    await page.locator('[role=alert]').getByText('May change: (../up)').waitFor()
    expect(await page.getByLabel('May change').inputValue()).toBe('../up')
    expect(await findContract(world.db.read, world.workspaceId, id)).toBeUndefined()
  })
})

test('a yes is sent although the examples are still on their way', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  const id = await world.ask(proposal)
  const release = Promise.withResolvers<void>()
  await page.route('**/d/*/scope', async (route) => {
    await release.promise
    await route.continue().catch(() => undefined)
  })
  await page.goto(`/d/${id}`)
  await page.getByText('Edit the paths first').click()
  const request = page.waitForRequest('**/d/*/scope')
  await page.getByLabel('May change').fill('docs')
  await request
  await page.getByRole('button', { name: /Approve|Yes/ }).click()
  await page.locator('.outcome, .just').waitFor()
  release.resolve()
  expect(await findContract(world.db.read, world.workspaceId, id)).toMatchObject({
    allowedPaths: ['docs', 'docs/**'],
  })
})

const rows: [string[], string][] = [
  [['/', '/**'], 'Everything on this machine.'],
  [['**'], 'All of the repository.'],
  [['/home/me', '/home/me/**'], 'The whole home folder /home/me.'],
]
test.each(rows)(
  'what a scope opens is read without scrolling on a phone: %j',
  async (allowedPaths, what) => {
    await using tab = await openTab(browser, world, PHONE)
    const { page } = tab
    const doneWhen = 'Tidy up '.repeat(37)
    const contract = { allowedPaths, offLimitsPaths: [], doneWhen }
    const question = `Agree to this scope? Done when: ${doneWhen}`
    const id = await world.ask({ ...proposal, sessionId: 's9', question, detail: { contract } })
    await page.goto(`/d/${id}`)
    const box = page.locator('#scope-opens')
    expect(await box.textContent()).toBe(
      `Allows: ${what}Nothing enforces it: no hook reports this session.`,
    )
    const { y = 0, height = 0 } = (await box.boundingBox()) ?? {}
    const bar = await page.locator('.bar').boundingBox()
    expect(y + height).toBeLessThan(bar?.y ?? 0)
  },
)

test('the preview of a scope follows the paths as they are edited, and says that a hook enforces them', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  await page.goto(`/d/${await world.ask(proposal)}`)
  const box = page.locator('#scope-opens')
  expect(await box.textContent()).toContain('One path in the repository: src.')
  expect(await box.textContent()).toContain('A hook on the agent’s machine enforces it after a yes')
  await page.getByText('Edit the paths first').click()
  await page.getByLabel('May change').fill('/')
  await box.getByText('Everything on this machine.').waitFor()
  expect(tab.complaints).toEqual([])
})

test('what deserves a second look says why, on the page and when it is asked again', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  const id = await world.ask({ question: 'Run this command?', detail: { action: 'npm publish' } })
  await page.goto(`/d/${id}`)
  await page.getByText('This publishes a package.').waitFor()
  await page.getByRole('button', { name: /Approve…|Yes…/ }).click()
  await page.getByText('Are you sure?').waitFor()
  await page.getByText('This publishes a package.').waitFor()
})
