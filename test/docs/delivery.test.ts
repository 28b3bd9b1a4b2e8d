import { expect, test } from 'bun:test'
import { faultLines, NTFY_FAULTS, PUSH_FAULTS } from '../support/fault-table.ts'
import { telegramLines } from '../support/telegram-faults.ts'
import { page } from './blocks.ts'

/** The rows of the table under a heading. */
async function rowsUnder(heading: string): Promise<string[]> {
  const [, section = ''] = (await page('docs/delivery.md')).split(`## ${heading}\n`)
  const [text = ''] = section.split('\n## ')
  return text.split('\n').filter((line) => /^\| (?!the |what |---)/.test(line))
}

test('the tables of docs/delivery.md say what the tests of the faults prove, and nothing else', async () => {
  expect(await rowsUnder('Web Push')).toEqual(faultLines(PUSH_FAULTS))
  expect(await rowsUnder('ntfy')).toEqual(faultLines(NTFY_FAULTS))
  expect((await rowsUnder('Telegram')).slice(1)).toEqual(telegramLines())
})
