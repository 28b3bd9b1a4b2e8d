import { afterAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { insertGroup, putGroupMembers } from '../../src/ask/groups/model/store.ts'
import { listRules } from '../../src/ask/policy/model/store.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { newId } from '../../src/platform/ids.ts'
import { pageWorld } from '../support/page-world.ts'
import { addPersonWithPassword } from '../support/sign-in.ts'
import { openChromium, openTab } from './chromium.ts'

const PATH = '/settings/rules/new'

const browser = await openChromium()
const world = await pageWorld()
afterAll(() => world[Symbol.asyncDispose]())
const who = { email: 'ana@example.org', name: 'Ana', role: 'member' } as const
const ana = await addPersonWithPassword({ db: world.db, clock }, who)
const group = { id: newId('group', 1), workspaceId: world.workspaceId, name: 'engineers' } as const
await world.db.write(async (tx) => {
  await insertGroup(tx, { ...group, source: 'hand', externalId: undefined, createdAt: 1 })
  await putGroupMembers(tx, group, 'hand', [ana.id])
})

type Node = { role: string; name: string; description: string; focused: boolean }

/** What a screen reader is told of the page, in its order. */
async function tree(page: Page): Promise<Node[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const inOrder = (id: string): typeof nodes => {
    const node = byId.get(id)
    return node ? [node, ...(node.childIds ?? []).flatMap(inOrder)] : []
  }
  return inOrder(nodes[0]?.nodeId ?? '')
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, description, properties = [] }) => ({
      role: String(role?.value ?? ''),
      name: String(name?.value ?? ''),
      description: String(description?.value ?? ''),
      focused: properties.some((one) => one.name === 'focused' && one.value.value === true),
    }))
}
const focused = async (page: Page) => {
  const { role, name } = (await tree(page)).findLast((node) => node.focused) ?? {}
  return `${role} ${name}`
}
async function tabTo(page: Page, wanted: string) {
  const visited: string[] = []
  for (let n = 0; n < 60; n++) {
    await page.keyboard.press('Tab')
    visited.push(await focused(page))
    if (visited.at(-1) === wanted) return
  }
  throw new Error(`Tab does not lead to ${wanted}, but to ${visited.join(', ')}`)
}
/** The fields of the form in the order of a screen reader. */
const CONTROLS = /^(combobox|textbox|spinbutton|checkbox|radio|button)$/
async function fieldsOf(page: Page): Promise<string[]> {
  const all = await tree(page)
  const start = all.findIndex(({ name }) => name === 'When all of this matches')
  return all
    .slice(start)
    .filter(({ role }) => CONTROLS.test(role))
    .map(({ role, name }) => `${role} ${name}`)
}

test('Tab walks the fields of the form as a screen reader reads them, and each has a name', async () => {
  await using tab = await openTab(browser, world)
  const { page } = tab
  await page.goto(PATH)
  const fields = await fieldsOf(page)
  expect(fields.length).toBeGreaterThan(20)
  expect(fields.filter((one) => / $/.test(one))).toEqual([])
  // Two fields of one name are no names, unless a group tells them apart.
  expect(fields.filter((one, at) => fields.indexOf(one) < at)).toEqual([])
  await tabTo(page, fields[0] ?? '')
  const walked = [fields[0] ?? '']
  while (walked.length < fields.length) {
    await page.keyboard.press('Tab')
    walked.push(await focused(page))
  }
  expect(walked).toEqual(fields)
}, 60_000)

test('a rule is made by the keyboard alone', async () => {
  await using tab = await openTab(browser, world)
  const { page } = tab
  await page.goto(PATH)
  await tabTo(page, 'textbox Tool')
  await page.keyboard.type('Bash')
  await tabTo(page, 'checkbox engineers')
  await page.keyboard.press('Space')
  await tabTo(page, 'spinbutton How many of them')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('1')
  await tabTo(page, 'button Add the rule')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/settings\/rules(#.*)?$/)
  const [rule] = await listRules(world.db.read, world.workspaceId)
  expect(rule).toMatchObject({
    match: { toolName: 'Bash' },
    approve: { from: [group.id], need: 1 },
  })
  expect(tab.complaints).toEqual([])
}, 60_000)

test.each([true, false])(
  'a form that came back has the focus on why, and leads to each field (scripts: %p)',
  async (javaScriptEnabled) => {
    await using tab = await openTab(browser, world, { javaScriptEnabled })
    const { page } = tab
    await page.goto(PATH)
    await page.getByLabel('Tool', { exact: true }).fill('Bash')
    await page.getByLabel('Wait').fill('30 s')
    await page.getByLabel('Who else has to agree').fill('1 of managers')
    await page.getByRole('button', { name: 'Add the rule' }).click()
    await page.getByRole('alert').getByText('Nothing was saved.').waitFor()
    expect(await focused(page)).toStartWith('alert')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('link Who may decide')
    await page.keyboard.press('Enter')
    expect(await focused(page)).toBe('group Who may decide')
    const choice = (await tree(page)).find(({ role }) => role === 'group')
    expect(choice?.description).toContain('Choose who may decide')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('checkbox engineers')
    expect(tab.complaints).toEqual([])
  },
  60_000,
)
