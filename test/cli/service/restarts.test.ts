import { expect, test } from 'bun:test'
import { createRestarts } from '../../../src/cli/service/restarts.ts'

const SECOND = 1_000

/** After how many failures, one each `apart`, it gives up; undefined if it does not. */
function givesUpAfter(apart: number, code: number | null = 1): number | undefined {
  const giveUp = createRestarts()
  for (let n = 1; n <= 1_000; n++) if (giveUp(code, n * apart) !== undefined) return n
  return undefined
}

test('a hundred failures within an hour are for good, and fewer are not', () => {
  expect(givesUpAfter(2 * SECOND)).toBe(100)
  expect(givesUpAfter(2 * SECOND, null)).toBe(100)
  expect(givesUpAfter(36 * SECOND)).toBe(100)
  expect(givesUpAfter(37 * SECOND)).toBeUndefined()
})

test('wrong settings are not tried again, whatever came before', () => {
  expect(givesUpAfter(SECOND, 2)).toBe(1)
  const giveUp = createRestarts()
  expect(giveUp(1, 0)).toBeUndefined()
  expect(giveUp(2, SECOND)).toContain('Settings')
})
