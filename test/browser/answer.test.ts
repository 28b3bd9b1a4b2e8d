import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readQuestion } from '../../src/ask/inbox/read-questions.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'
import { openRow } from './rows.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()

async function storedOf(id: QuestionId) {
  const question = await readQuestion(
    { db: world.db, clock: systemClock },
    { workspaceId: world.workspaceId },
    id,
  )
  return [question?.status, question?.value, question?.note]
}

const choices = [{ label: 'SQLite', description: 'One file' }, { label: 'PostgreSQL' }]

describe.each([
  ['without scripts, on a phone', { ...PHONE, javaScriptEnabled: false }],
  ['with scripts, on a phone', PHONE],
  ['with scripts, on a desk', DESK],
])('%s', (_, options) => {
  test('a confirm is answered with a note', async () => {
    await using tab = await openTab(browser, world, options)
    const id = await world.ask()
    await tab.page.goto(`/d/${id}`)
    await tab.page.getByText('Add a note').click()
    await tab.page.getByLabel('A note that goes with the answer').fill('Only today')
    await tab.page.getByRole('button', { name: 'Yes' }).click()
    await tab.page.locator('.outcome, .just').waitFor()
    expect(await storedOf(id)).toEqual(['answered', 'yes', 'Only today'])
    expect(tab.complaints).toEqual([])
  })

  test('a tap on a choice selects it, and the button sends', async () => {
    await using tab = await openTab(browser, world, options)
    const id = await world.ask({ type: 'select', choices })
    await tab.page.goto(`/d/${id}`)
    await tab.page.getByText('PostgreSQL').click()
    await tab.page.getByText('SQLite').click()
    await tab.page.getByLabel('PostgreSQL').check()
    expect((await storedOf(id))[0]).toBe('pending')
    await tab.page.getByRole('button', { name: 'Send answer' }).click()
    await tab.page.locator('.outcome, .just').waitFor()
    expect(await storedOf(id)).toEqual(['answered', 'PostgreSQL', undefined])
  })

  test('a select takes words of its own instead of a choice', async () => {
    await using tab = await openTab(browser, world, options)
    const id = await world.ask({ type: 'select', choices, detail: { allowOther: true } })
    await tab.page.goto(`/d/${id}`)
    await tab.page.getByLabel('SQLite').check()
    await tab.page.getByLabel('In your own words').fill('DuckDB')
    if ('javaScriptEnabled' in options) await tab.page.getByLabel('Something else').check()
    await tab.page.getByRole('button', { name: 'Send answer' }).click()
    await tab.page.locator('.outcome, .just').waitFor()
    expect(await storedOf(id)).toEqual(['answered', 'DuckDB', undefined])
  })

  test('a select with several, and one of the own words', async () => {
    await using tab = await openTab(browser, world, options)
    const detail = { multiSelect: true, allowOther: true }
    const id = await world.ask({ type: 'select', choices, detail })
    await tab.page.goto(`/d/${id}`)
    await tab.page.getByLabel('SQLite').check()
    await tab.page.getByLabel('Something else as well').fill('DuckDB')
    await tab.page.getByRole('button', { name: 'Send answer' }).click()
    await tab.page.locator('.outcome, .just').waitFor()
    expect(await storedOf(id)).toEqual(['answered', 'SQLite, DuckDB', undefined])
  })

  test('an input takes typed text', async () => {
    await using tab = await openTab(browser, world, options)
    const id = await world.ask({ type: 'input', detail: { placeholder: 'A name' } })
    await tab.page.goto(`/d/${id}`)
    await tab.page.getByPlaceholder('A name').fill('Käthe & <Co>')
    await tab.page.getByRole('button', { name: 'Send answer' }).click()
    await tab.page.locator('.outcome, .just').waitFor()
    expect(await storedOf(id)).toEqual(['answered', 'Käthe & <Co>', undefined])
  })

  test('a destructive yes is asked for twice', async () => {
    await using tab = await openTab(browser, world, options)
    const id = await world.ask({ detail: { action: 'rm -rf build' } })
    await tab.page.goto(`/d/${id}`)
    await tab.page.getByRole('button', { name: 'Approve…' }).click()
    await tab.page.getByRole('heading', { name: 'Are you sure?' }).waitFor()
    expect((await storedOf(id))[0]).toBe('pending')
    await tab.page.getByRole('button', { name: 'Approve anyway' }).click()
    await tab.page.locator('.outcome, .just').waitFor()
    expect((await storedOf(id))[1]).toBe('yes')
    expect(tab.complaints).toEqual([])
  })

  test('the agent is stopped', async () => {
    await using tab = await openTab(browser, world, options)
    const id = await world.ask()
    await tab.page.goto(`/d/${id}`)
    await tab.page.getByText('Stop the agent').click()
    await tab.page.getByRole('button', { name: 'Stop it now' }).click()
    await tab.page.getByText('The agent was told to stop').waitFor()
    expect((await storedOf(id))[0]).toBe('stopped')
  })

  test('the inbox takes an answer and shows the outcome in its place', async () => {
    await using tab = await openTab(browser, world, options)
    const id = await world.ask({ question: 'In the inbox?' })
    await tab.page.goto('/inbox')
    const card = await openRow(tab.page, id)
    await card.getByRole('button', { name: 'No' }).click()
    await card.getByText('Answered').waitFor()
    expect((await storedOf(id))[1]).toBe('no')
    expect(tab.complaints).toEqual([])
  })
})

test('signing in leads back to the question', async () => {
  await using tab = await openTab(browser, { url: world.url, cookie: '' })
  const id = await world.ask({ question: 'After the door?' })
  await tab.page.goto(`/d/${id}`)
  await tab.page.getByLabel('E-mail').fill('mara@example.org')
  await tab.page.getByLabel('Password').fill('wrong one, sadly')
  await tab.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await tab.page.getByRole('alert').getByText('is wrong').waitFor()
  await tab.page.getByLabel('Password').fill('correct horse battery')
  await tab.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await tab.page.getByRole('heading', { name: 'After the door?' }).waitFor()
})
