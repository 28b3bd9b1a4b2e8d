import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { FormSchema } from '../../packages/js/src/form.ts'
import { readQuestion } from '../../src/ask/inbox/read-questions.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()

const FORM: FormSchema = {
  type: 'object',
  properties: {
    amount: { type: 'number', title: 'Refund in EUR', minimum: 0.5, maximum: 50, default: 20 },
    reason: { type: 'string', title: 'Why', enum: ['Damaged', 'Late', 'Other'] },
    country: {
      type: 'string',
      title: 'Country',
      enum: ['Austria', 'France', 'Germany', 'Italy', 'Spain'],
    },
    until: { type: 'string', title: 'Paid by', format: 'date' },
    tell: { type: 'boolean', title: 'Tell the customer?', description: 'By e-mail, at once.' },
    tags: { type: 'array', title: 'Tags', items: { type: 'string', enum: ['VIP', 'Fraud'] } },
    words: { type: 'string', title: 'Words for the customer', maxLength: 400 },
  },
  required: ['amount', 'reason', 'country', 'tell'],
}

const ask = () =>
  world.ask({
    type: 'input',
    question: 'What does customer 4711 get back?',
    agentName: 'Refund bot - shop',
    detail: { form: FORM, context: 'They wrote twice; the parcel arrived wet.' },
  })

async function stored(id: QuestionId) {
  const question = await readQuestion(
    { db: world.db, clock: systemClock },
    { workspaceId: world.workspaceId },
    id,
  )
  return [question?.status, question?.value]
}

describe.each([
  ['without scripts, on a phone', { ...PHONE, javaScriptEnabled: false }],
  ['with scripts, on a phone', PHONE],
  ['with scripts, on a desk', DESK],
])('%s', (_, options) => {
  test('a form names what is wrong, keeps what was typed, and is answered as a whole', async () => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    const id = await ask()
    await page.goto(`/inbox?open=${id}`)
    await page.getByRole('link', { name: 'Look closer' }).first().click()
    await page.getByLabel('Refund in EUR').waitFor()
    expect(await page.getByLabel('Refund in EUR').inputValue()).toBe('20')
    await page.getByLabel('Refund in EUR').fill('70')
    await page.getByLabel('Late').check()
    await page.getByLabel('Country').selectOption('Italy')
    await page.getByLabel('Paid by (optional)').fill('2026-02-01')
    await page.getByLabel('No', { exact: true }).check()
    await page.getByLabel('VIP').check()
    await page.getByLabel('Words for the customer (optional)').fill('Sorry!\nIt was wet.')
    // The server says what a browser without such inputs would let through.
    await page.locator('form[data-answers]').evaluate((form) => {
      ;(form as unknown as { noValidate: boolean }).noValidate = true
    })
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.locator('.field .wrong').waitFor()
    expect(await page.locator('.wrong').allInnerTexts()).toEqual([
      'It must be a number of 0.5 to 50.',
    ])
    expect(await page.getByLabel('Country').inputValue()).toBe('Italy')
    expect(await page.getByLabel('VIP').isChecked()).toBe(true)
    expect(await stored(id)).toEqual(['pending', undefined])
    await page.getByLabel('Refund in EUR').fill('12.5')
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.locator('.outcome, .just').first().waitFor()
    const value = {
      ...{ amount: 12.5, reason: 'Late', country: 'Italy', until: '2026-02-01', tell: false },
      ...{ tags: ['VIP'], words: 'Sorry!\nIt was wet.' },
    }
    expect(await stored(id)).toEqual(['answered', JSON.stringify(value)])
    await page.goto(`/d/${id}`)
    expect(await page.locator('.outcome').textContent()).toContain('Refund in EUR')
    expect(tab.complaints).toEqual([])
  })
})
