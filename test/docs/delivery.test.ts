import { expect, test } from 'bun:test'
import { NTFY_FAULTS, PUSH_FAULTS } from '../support/fault-table.ts'
import { TELEGRAM_FAULTS } from '../support/telegram-faults.ts'
import { page } from './blocks.ts'

const CHANNELS = { 'Web Push': PUSH_FAULTS, ntfy: NTFY_FAULTS, Telegram: TELEGRAM_FAULTS }

/** Of each state, what each channel's cell says. */
async function repliesByState(): Promise<Record<string, Record<string, string>>> {
  const lines = (await page('docs/delivery.md')).split('\n')
  const from = lines.findIndex((line) => line.startsWith('| the message is |'))
  const cellsOf = (line = '') => line.split('|').map((cell) => cell.trim())
  const heads = cellsOf(lines[from])
  const table = lines.slice(from + 2)
  const end = table.findIndex((line) => !line.startsWith('|'))
  const rows = table.slice(0, end).map((line) => {
    const cells = cellsOf(line)
    const [state = ''] = (cells[1] ?? '').split(':')
    return [state, Object.fromEntries(heads.map((head, at) => [head, cells[at] ?? '']))]
  })
  return Object.fromEntries(rows)
}

test('the table of replies has each status of the faults under the state that it leads to', async () => {
  const replies = await repliesByState()
  for (const [channel, faults] of Object.entries(CHANNELS)) {
    for (const { answer, row, alarm } of faults) {
      const [, state = '', status = '0'] = /^(\w+) (\d+)/.exec(row) ?? []
      const cell = replies[alarm ? `${state}, with an alarm` : state]?.[channel] ?? ''
      const isThere = status === '0' || cell.includes(status) || cell.includes(`${status[0]}xx`)
      expect([channel, answer, isThere]).toEqual([channel, answer, true])
    }
  }
})
