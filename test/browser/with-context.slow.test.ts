import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { ntfyServer } from '../support/ntfy-server.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'
import { openRow } from './rows.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const ntfy = await ntfyServer()
afterAll(() => ntfy[Symbol.asyncDispose]())
const { world, browser } = await openWorld({ env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } })
const { db, workspaceId } = world
await world.post('/settings/devices/topics', { address: `${ntfy.origin}/mara`, label: 'Phone' })
const { token } = await createToken({ db, clock: systemClock }, { workspaceId, name: 'agent' })

const IN_SESSION = { machineId: 'm1', sessionId: 's1', agentName: 'Claude Code - shop-api' }
const session = await world.work(IN_SESSION)
const NOTICE = {
  title: 'Migration stopped at step 4',
  body: 'The orders table has rows that the new constraint refuses.',
  context: {
    type: 'error',
    details: ['312 rows have no customer', 'Steps 1 to 3 are applied'],
    errorMessage: 'ERROR: check constraint "orders_customer" is violated by some row',
    errorFile: 'drizzle/0042_orders.sql',
    filesChanged: ['src/db/orders.ts'],
    askQuestion: { question: 'Delete the 312 rows and go on?' },
  },
}
const response = await fetch(`${world.url}/api/v1/notifications`, {
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ ...NOTICE, ...IN_SESSION }),
})
const result = (await response.json()) as { sent: number; linkedCorrelationId: QuestionId }
const id = result.linkedCorrelationId
const { title, body, context } = NOTICE
const { details, errorMessage, errorFile, filesChanged } = context
const WORDS = [title, body, ...details, errorMessage, errorFile, ...filesChanged]

const top = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN
const directionOf = (part: Locator) => part.evaluate((it) => getComputedStyle(it).direction)

for (const [size, options] of [
  ['phone', PHONE],
  ['desk', DESK],
] as const) {
  test(`a question shows the notification that it came with above it, on a ${size}`, async () => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    for (const path of [`/d/${id}`, '/inbox', `/live/${session}`]) {
      await page.goto(path)
      const isAlone = path.startsWith('/d/')
      const place = isAlone ? page.locator('#decision') : await openRow(page, id)
      const question = place.locator(isAlone ? 'h1' : '.detail .card-question')
      for (const words of WORDS) {
        const part = place.getByText(words).filter({ visible: true }).last()
        expect(await part.count(), `${path}: ${words}`).toBe(1)
        expect(await top(part)).toBeLessThan(await top(question))
      }
    }
    expect(tab.complaints).toEqual([])
  })

  test(`its delivery is told once, and is that of the question, on a ${size}`, async () => {
    expect(result.sent).toBe(1)
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    await page.goto(`/live/${session}`)
    const events = page.locator('#feed .event').filter({ hasText: title })
    expect(await events.count()).toBe(1)
    expect(await events.textContent()).toContain('Sent to 1 of 1 device')
    for (const path of ['/activity', `/activity?q=${encodeURIComponent('migration stopped')}`]) {
      await page.goto(path)
      const rows = page.locator('#activity .row').filter({ hasText: title })
      expect(await rows.count()).toBe(1)
      expect(await rows.textContent()).toContain(context.askQuestion.question)
    }
  })

  test(`text runs as it is written, and commands from left to right, on a ${size}`, async () => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    const id = await world.ask({
      question: 'هل أحذف الملفات القديمة؟ `rm old.log`',
      detail: { context: 'المساحة على القرص قليلة.', action: 'rm old.log', toolName: 'Shell' },
    })
    await page.goto(`/d/${id}`)
    expect(await directionOf(page.locator('h1.question'))).toBe('rtl')
    expect(await directionOf(page.locator('#decision .context'))).toBe('rtl')
    for (const code of await page.locator('#decision code').all())
      expect(await directionOf(code)).toBe('ltr')
    await page.goto('/inbox')
    const card = await openRow(page, id)
    expect(await directionOf(card.locator('.detail .context').first())).toBe('rtl')
    await world.post(`/d/${id}/answer`, { value: 'no', from: 'decide_page' })
  })

  test(`the reason why Approve is missing stands on the buttons, on a ${size}`, async () => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    const lines = Array.from({ length: 120 }, (_, at) => `+const row${at} = ${at}`).join('\n')
    const actionBody = `--- a/src/rows.ts\n+++ b/src/rows.ts\n@@ -0,0 +1,120 @@\n${lines}`
    const detail = { toolName: 'Edit', toolPath: 'src/rows.ts', actionBody }
    const id = await world.ask({
      question: 'Apply this change?',
      detail: { ...detail, cut: 'digest', missing: 9_000 },
    })
    await page.goto(`/d/${id}`)
    const reason = page.getByText('cannot be approved here')
    const decline = page.getByRole('button', { name: 'Decline' })
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    if (size === 'desk') await decline.scrollIntoViewIfNeeded()
    const [of, button] = [await reason.boundingBox(), await decline.boundingBox()]
    if (!of || !button) throw new Error('nothing is shown')
    expect(of.y).toBeGreaterThan(0)
    expect(button.y + button.height).toBeLessThanOrEqual(options.viewport.height)
    expect(button.y - (of.y + of.height)).toBeLessThan(40)
    expect(button.y).toBeGreaterThan(of.y)
    await world.post(`/d/${id}/answer`, { value: 'no', from: 'decide_page' })
  })

  test(`the second question names agent and repository, on a ${size}`, async () => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    const action = 'git push --force origin main'
    const id = await world.ask({
      ...IN_SESSION,
      question: 'Run this command?',
      repoKey: 'github.com/acme/shop-api',
      detail: { toolName: 'Bash', toolTarget: action, action },
    })
    await page.goto(`/d/${id}`)
    await page.getByRole('button', { name: 'Approve…' }).click()
    await page.getByText('Are you sure?').waitFor()
    const words = await page.locator('#decision').textContent()
    expect(words).toContain('Claude Code')
    expect(words).toContain('github.com/acme/shop-api')
    await world.post(`/d/${id}/answer`, { value: 'no', from: 'decide_page' })
  })
}
