import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { findQuestion } from '../../src/ask/questions/model/store.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { isWide } from '../support/share.ts'
import { until } from '../support/until.ts'
import { inOneWay, PLACES } from './answer-places.ts'
import { violations } from './axe.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'
import { openRow, unfold } from './rows.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()

const stored = async (id: QuestionId) => {
  const question = await findQuestion(world.db.read, world.workspaceId, id)
  return [question?.status, question?.value]
}

const CUT = { detail: { action: 'npm run a-long-command', cut: 'digest', missing: 1_234 } }

describe.each([
  ['without scripts, on a phone', { ...PHONE, javaScriptEnabled: false }, 0],
  ['with scripts, on a desk', DESK, 1],
] as const)('%s', (_, options, at) => {
  const some = inOneWay(PLACES, at)
  test.each(some)('what is not shown whole cannot be approved on $name', async (place) => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    const { id, path } = await place.open(world, CUT)
    await page.goto(path)
    const part = page.locator(place.card ? `#card-${id}` : '#decision')
    if (place.card) await unfold(part)
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
    await until(async () => (await stored(id))[0] !== 'pending')
    expect(await stored(id)).toEqual(['answered', 'no'])
    await page.getByText('Declined').first().waitFor()
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

const DIFF = `diff --git a/src/<img src=x onerror=alert(1)>.ts b/src/<img src=x onerror=alert(1)>.ts
--- a/src/<img src=x onerror=alert(1)>.ts
+++ b/src/<img src=x onerror=alert(1)>.ts
@@ -7,2 +7,14 @@
-const שלום = "</pre><script>alert(1)</script>"
+const token = "▇▇▇ (token)"
${Array.from({ length: 12 }, (_, i) => `+const line${i} = "${'long '.repeat(20)}"`).join('\n')}
 end
diff --git a/run.sh b/run.sh
--- a/run.sh
+++ b/run.sh
@@ -1,2 +1,2 @@
-ls
+ls -a
 exit`
const CHANGE = {
  question: 'Apply `git apply` to <b>this</b>?',
  detail: { action: 'git apply x.patch', actionBody: DIFF },
}

describe.each([
  ['without scripts, on a phone', { ...PHONE, javaScriptEnabled: false }, 0],
  ['with scripts, on a desk', DESK, 1],
  ['in the dark, on a phone', { ...PHONE, colorScheme: 'dark' }, 2],
] as const)('%s', (_, options, at) => {
  const pages = PLACES.filter(({ card }) => !card)
  const some = inOneWay(pages, at)
  const others = inOneWay(pages, at + 1)

  test.each(some)('a change is open and whole beside Approve on $name', async (place) => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    const { path } = await place.open(world, CHANGE)
    await page.goto(path)
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    const body = page.locator('.body')
    expect(await body.locator('summary').textContent()).toContain('+14 −2 in 2 files')
    const heads = await body.locator('.file-head').allTextContents()
    expect(heads).toEqual(['src/<img src=x onerror=alert(1)>.ts+13 −1', 'run.sh+1 −1'])
    // Every line can be seen, and nothing scrolls inside of the page.
    const lines = body.locator('.line')
    expect((await lines.allTextContents()).join('')).toBe(`${DIFF}\n`)
    expect(await lines.last().isVisible()).toBe(true)
    const scrolls = (pre: Element) =>
      pre.scrollHeight > pre.clientHeight + 1 || pre.scrollWidth > pre.clientWidth + 1
    for (const block of await body.locator('pre').all()) {
      expect(await block.evaluate(scrolls)).toBe(false)
    }
    expect(await body.locator('.line.add').first().getAttribute('data-n')).toBe('7')
    const hidden = body.locator('.redacted')
    expect(await hidden.textContent()).toBe('▇▇▇ (token)')
    expect(await hidden.getAttribute('title')).toBe('hidden: looked like a secret')
    expect(await page.locator('h1 code').textContent()).toBe('`git apply`')
    expect(await page.locator('h1').textContent()).toBe(CHANGE.question)
    // Wrapped text hangs below its own line, not below the number.
    const wrapped = await body
      .locator('.line.add')
      .nth(1)
      .evaluate((line) => {
        const range = document.createRange()
        range.selectNodeContents(line)
        const lefts = [...range.getClientRects()].filter(({ width }) => width > 1)
        return lefts.map(({ left }) => Math.round(left - line.getBoundingClientRect().left))
      })
    expect(wrapped.length).toBeGreaterThan(1)
    expect(wrapped[1]).toBeGreaterThan(wrapped[0] ?? 0)
    if (!('javaScriptEnabled' in options)) expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByText('Declined').first().waitFor()
    expect(tab.complaints).toEqual([])
  })

  test.each(others)('what is dangerous is marked wherever it stands on $name', async (place) => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    const detail = { action: 'sh: rm -rf /srv/data', actionBody: 'set -e\nrm -rf /srv/data\nls' }
    const { path } = await place.open(world, { detail })
    await page.goto(path)
    const marked = async () => (await page.locator('mark.danger').allTextContents()).join()
    expect(await marked()).toContain('rm -rf')
    expect(await page.locator('.line mark.danger').count()).toBeGreaterThan(0)
    expect(await page.locator('.line').nth(1).getAttribute('data-n')).toBe('2')
    if (!('javaScriptEnabled' in options)) expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Approve…' }).click()
    await page.getByRole('heading', { name: 'Are you sure?' }).waitFor()
    expect(await page.locator('.line mark.danger').count()).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByText('Declined').first().waitFor()
  })
})

// Home and the inbox have the same rows.
const LISTS = PLACES.filter(({ card }) => card).filter((_, i) => isWide || i % 2 === 1)

test.each(LISTS)(
  'a card shows all there is to approve, or has no Approve, on $name',
  async (place) => {
    await using tab = await openTab(browser, world, { ...PHONE, javaScriptEnabled: false })
    const { page } = tab
    const long = await place.open(world, CHANGE)
    await page.goto(long.path)
    const card = await openRow(page, long.id)
    await card.locator('.detail').getByText('+14 −2 in 2 files').waitFor()
    expect(await card.getByRole('button', { name: /Approve/ }).count()).toBe(0)
    await card.getByRole('link', { name: 'Look closer' }).waitFor()

    const detail = { action: `echo ${'word '.repeat(60)}`, actionBody: '-old\n+new' }
    const short = await place.open(world, { detail })
    await page.goto(short.path)
    const other = await openRow(page, short.id)
    await other.getByRole('button', { name: 'Approve' }).waitFor()
    expect(await other.locator('.line').allTextContents()).toEqual(['-old\n', '+new\n'])
    expect(await other.locator('.line.add').isVisible()).toBe(true)
    const action = other.locator('.card-action')
    expect(await action.evaluate((e) => e.scrollHeight <= e.clientHeight + 1)).toBe(true)
  },
)
