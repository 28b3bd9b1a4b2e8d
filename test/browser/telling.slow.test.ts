import { expect, setDefaultTimeout, test } from 'bun:test'
import { insertGroup, putGroupMembers } from '../../src/ask/groups/model/store.ts'
import { addRule } from '../../src/ask/policy/change-policy.ts'
import { putOwnQuietHours } from '../../src/ask/subscribers/model/own-quiet-store.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { newId } from '../../src/platform/ids.ts'
import { connect } from '../support/devices.ts'
import { pageWorld } from '../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../support/sign-in.ts'
import { openChromium, openTab } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(120_000)

const browser = await openChromium()
const SHOTS = process.env.SHOTS
const NAMES = ['Ana', 'Bob', 'Fay', 'Eve'] as const

type Page = Awaited<ReturnType<typeof openTab>>['page']
async function shoot(page: Page, name: string) {
  if (!SHOTS) return
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.screenshot({ path: `${SHOTS}/${name}-${width}.png`, fullPage: width === 390 })
  }
}

test('one takes a question, another sees it at once and decides it after one more tap', async () => {
  await using world = await pageWorld()
  const { db, workspaceId, app, url } = world
  const people = await Promise.all(
    NAMES.map((name) =>
      addPersonWithPassword(
        { db, clock },
        { email: `${name.toLowerCase()}@example.org`, name, role: 'member' },
      ),
    ),
  )
  const [ana = '', bob = '', fay = '', eve = ''] = people.map(({ id }) => id)
  const group = { id: newId('group', clock.now()), workspaceId, name: 'engineers' } as const
  const hour = (more: number) =>
    new Date(clock.now() + more * 3_600_000).toISOString().slice(11, 16)
  await db.write(async (tx) => {
    await insertGroup(tx, { ...group, source: 'hand', externalId: undefined, createdAt: 1 })
    await putGroupMembers(tx, group, 'hand', [ana, bob, fay])
    const hours = { from: hour(-1), to: hour(5), zone: 'UTC' }
    await putOwnQuietHours(tx, { workspaceId, personId: fay }, hours)
  })
  for (const personId of [ana, bob, fay, eve]) await connect(db, { workspaceId, personId })
  const escalate = [{ afterMs: 600_000, tell: ['owners'], inform: true }]
  await addRule({ db, clock }, workspaceId, {
    match: { toolName: 'Bash' },
    approve: { from: [group.id], asker: 'counts', tell: [group.id, eve], escalate },
  })
  const { token } = await createToken({ db, clock }, { workspaceId, name: 'agent', by: eve })
  const response = await fetch(`${url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'Apply the plan?', toolName: 'Bash', wait: false }),
  })
  const { correlationId: id } = (await response.json()) as { correlationId: string }
  await world.ask({ question: 'Which name for the branch?', type: 'input' })
  const open = async (personId: string) =>
    openTab(browser, { url, cookie: await signInAs(app, personId) })
  await using anas = await open(ana)
  await using bobs = await open(bob)
  await using eves = await open(eve)
  await bobs.page.goto(`${url}/d/${id}`)
  await anas.page.goto(`${url}/d/${id}`)
  await shoot(anas.page, 'before')
  await anas.page.getByRole('button', { name: 'I am on it' }).click()
  await anas.page.getByText('You look after this').waitFor()
  // Live, without a reload.
  await bobs.page.getByText('Taken by').waitFor()
  await shoot(bobs.page, 'taken')
  await bobs.page.getByRole('button', { name: /^(Approve|Yes)/ }).click()
  await bobs.page.getByText('looks after this now').waitFor()
  await shoot(bobs.page, 'once-more')
  await eves.page.goto(`${url}/d/${id}`)
  expect(await eves.page.getByRole('button', { name: /^(Approve|Yes)/ }).count()).toBe(0)
  await shoot(eves.page, 'informed')
  await eves.page.goto(`${url}/inbox`)
  await eves.page.getByText('Waiting for others').waitFor()
  await shoot(eves.page, 'inbox')
  await eves.page.goto(`${url}/settings/notifications`)
  await shoot(eves.page, 'quiet')
  await using owners = await openTab(browser, { url, cookie: world.cookie })
  await owners.page.goto(`${url}/settings/rules`)
  await owners.page.getByText('Notifies engineers').waitFor()
  await shoot(owners.page, 'rules')
  await owners.page.getByRole('link', { name: 'Change' }).first().click()
  await owners.page.getByLabel('Who is told').waitFor()
  await shoot(owners.page, 'rule')
  await bobs.page.getByRole('button', { name: /Approve anyway|Yes, do it/ }).click()
  await anas.page.getByText('Bob').first().waitFor()
  await anas.page.locator('.deciders form').waitFor({ state: 'detached' })
})
