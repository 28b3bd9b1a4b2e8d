import type { Locator, Page } from 'playwright-core'
import type { QuestionId } from '../../src/ask/wire/ids.ts'

/** The question in a list of questions, unfolded as a person would. */
export async function openRow(page: Page, id: QuestionId): Promise<Locator> {
  const card = page.locator(`#card-${id}`)
  await unfold(card)
  return card
}

/** Taps the row unless it is open already, or is none. */
export async function unfold(part: Locator): Promise<void> {
  await part.waitFor()
  const closed = part.locator('.fold:not([open]) > summary')
  // Beside the list the page itself opens the first row: a tap at that moment closes it.
  while ((await closed.count()) > 0) await closed.click()
}
