import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { findQuestion } from '../../src/ask/questions/model/store.ts'
import type { QuestionId } from '../../src/platform/ids.ts'
import { PLACES } from './answer-places.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()

const stored = async (id: QuestionId) => {
  const found = await findQuestion(world.db.read, world.workspaceId, id)
  return [found?.status, found?.value]
}

const CUT = { detail: { action: 'npm run a-long-command', cut: 'digest', missing: 1_234 } }

describe.each([
  ['without scripts, on a phone', { ...PHONE, javaScriptEnabled: false }],
  ['with scripts, on a desk', DESK],
])('%s', (_, options) => {
  test.each(PLACES)('what is not shown whole cannot be approved on $name', async (place) => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    const { id, path } = await place.open(world, CUT)
    await page.goto(path)
    const part = page.locator(place.card ? `#card-${id}` : '#decision')
    await part.getByText('About 1,234 characters are not shown here').waitFor()
    expect(await part.getByRole('button', { name: /Approve|Yes/ }).count()).toBe(0)
    await part.getByText('Add a note').waitFor()
    await part.getByText('Stop the agent', { exact: true }).waitFor()
    // A page of an earlier version still has the button.
    await part.locator('form.answers').evaluate((form) => {
      const yes = document.createElement('button')
      Object.assign(yes, { type: 'submit', name: 'value', value: 'yes', textContent: 'Approve' })
      form.append(yes)
    })
    await part.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('alert').getByText('cannot be approved here').waitFor()
    expect((await stored(id))[0]).toBe('pending')
    await page.getByRole('button', { name: 'Decline' }).first().click()
    await page.getByText('Declined').first().waitFor()
    expect(await stored(id)).toEqual(['answered', 'no'])
  })
})

test('a signed-in program is refused a yes as pages are, and says no', async () => {
  const id = await world.ask(CUT)
  const answer = (value: string) =>
    fetch(`${world.url}/api/v1/questions/${id}/answer`, {
      method: 'POST',
      headers: { cookie: world.cookie, origin: world.url, 'content-type': 'application/json' },
      body: JSON.stringify({ value }),
    })
  const refused = await answer('yes')
  expect(refused.status).toBe(403)
  const problem = (await refused.json()) as { code?: string; detail?: string }
  expect(problem.detail).toContain('About 1,234 characters are not shown here')
  expect((await stored(id))[0]).toBe('pending')
  expect((await answer('no')).status).toBe(200)
})
