import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { insertGroup, putGroupMembers } from '../../src/ask/groups/model/store.ts'
import { addRule } from '../../src/ask/policy/change-policy.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { newId } from '../../src/platform/ids.ts'
import { type PageWorld, pageWorld } from '../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../support/sign-in.ts'
import { violations } from './axe.ts'
import { openChromium, openTab, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(120_000)

type Name = 'bob' | 'cleo' | 'fay'

const browser = await openChromium()
const world = await pageWorld()
afterAll(() => world[Symbol.asyncDispose]())
const { cookies, token } = await crew(world)

/** Three engineers, of whom two have to agree, and an agent of nobody among them. */
async function crew({ db, workspaceId, app }: PageWorld) {
  const cookies = {} as Record<Name, string>
  const ids: string[] = []
  for (const name of ['bob', 'cleo', 'fay'] as const) {
    const who = { email: `${name}@example.org`, name, role: 'member' } as const
    const { id } = await addPersonWithPassword({ db, clock }, who)
    ids.push(id)
    cookies[name] = await signInAs(app, id)
  }
  const group = { id: newId('group', clock.now()), workspaceId, name: 'engineers' } as const
  await db.write(async (tx) => {
    await insertGroup(tx, { ...group, source: 'hand', externalId: undefined, createdAt: 1 })
    await putGroupMembers(tx, group, 'hand', ids)
  })
  await addRule({ db, clock }, workspaceId, {
    match: { toolName: 'Bash' },
    approve: { from: [group.id], need: 3, asker: 'counts' },
  })
  const by = ids[0] ?? ''
  const { token } = await createToken({ db, clock }, { workspaceId, name: 'agent', by })
  return { cookies, token }
}

async function ask(more: object = {}): Promise<string> {
  const response = await fetch(`${world.url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'Apply?', toolName: 'Bash', wait: false, ...more }),
  })
  return ((await response.json()) as { correlationId: string }).correlationId
}
const vote = (id: string, who: Name) =>
  world.post(`/d/${id}/answer`, { value: 'yes', sure: 'yes' }, { cookie: cookies[who] })
const tabOf = (who: Name, options = {}) =>
  openTab(browser, { url: world.url, cookie: cookies[who] }, options)

async function openLive(page: Page, path: string) {
  await page.goto(path)
  await page.waitForFunction(() => document.getElementById('live-word')?.textContent === 'Live')
}
const news = (page: Page) => page.locator('#say').textContent()
const focus = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('value'))

test('a vote of somebody else keeps the note that is being typed, and is said', async () => {
  await using tab = await tabOf('cleo', PHONE)
  const { page } = tab
  const id = await ask()
  await openLive(page, `/d/${id}`)
  expect(await violations(page)).toEqual([])
  await page.getByText('Add a note').click()
  await page.getByLabel('A note that goes with the answer').fill('checked the plan')
  await page.getByRole('button', { name: 'Approve (1 of 3)' }).waitFor()
  await vote(id, 'bob')
  await page.getByRole('button', { name: 'Approve (2 of 3)' }).waitFor()
  expect(await news(page)).toBe('bob: yes. 1 of 3 have agreed.')
  expect(await page.locator('textarea[name=note]').inputValue()).toBe('checked the plan')
  expect(await violations(page)).toEqual([])
  expect(tab.complaints).toEqual([])
})

test('whoever is asked whether they are sure is still asked so after a vote of somebody else', async () => {
  await using tab = await tabOf('cleo')
  const { page } = tab
  const id = await ask({ toolTarget: 'terraform apply', action: 'terraform apply' })
  await openLive(page, `/d/${id}`)
  await page.getByRole('button', { name: 'Approve… (1 of 3)' }).click()
  await page.getByRole('heading', { name: 'Are you sure?' }).waitFor()
  const looked = page.waitForResponse((response) => response.url().includes(`/d/${id}`))
  await vote(id, 'bob')
  await looked
  await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => go(undefined))))
  expect(await page.getByRole('heading', { name: 'Are you sure?' }).count()).toBe(1)
  expect(tab.complaints).toEqual([])
})

test('a vote is given, heard and withdrawn by the keyboard alone', async () => {
  await using tab = await tabOf('fay')
  const { page } = tab
  // The same call again would join the question of the test before.
  const id = await ask({ question: 'By keyboard?' })
  await openLive(page, `/d/${id}`)
  const tabTo = async (name: string) => {
    for (let n = 0; n < 40; n++) {
      await page.keyboard.press('Tab')
      const text = await page.evaluate(() => document.activeElement?.textContent ?? '')
      if (text.includes(name)) return
    }
    throw new Error(`Tab does not lead to ${name}`)
  }
  await tabTo('Approve')
  expect(await focus(page)).toBe('yes')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Take it back' }).waitFor()
  expect(await news(page)).toContain('it counts.')
  await tabTo('Take it back')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Approve (1 of 3)' }).waitFor()
  expect(tab.complaints).toEqual([])
})

test('without scripts the page takes the vote', async () => {
  await using tab = await tabOf('fay', { ...PHONE, javaScriptEnabled: false })
  const { page } = tab
  const id = await ask({ question: 'Without scripts?' })
  await page.goto(`/d/${id}`)
  await page.getByRole('button', { name: 'Approve (1 of 3)' }).click()
  await page.getByRole('button', { name: 'Take it back' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/d/${id}`)
})
