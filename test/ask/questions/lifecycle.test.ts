import { expect, test } from 'bun:test'
import { canMove, MOVES, type Move, statusAt } from '../../../src/ask/questions/model/lifecycle.ts'
import { STORED_STATUSES } from '../../../src/ask/wire/question-fields.ts'

const EXPIRES = 1_000
const POSSIBLE = new Set([
  'pending answer inside',
  'pending cancel inside',
  'pending stop inside',
  'pending hand_over inside',
  'pending expire after',
])

// spec: QS-STATES
for (const status of STORED_STATUSES) {
  for (const move of Object.keys(MOVES) as Move[]) {
    for (const [when, now] of [
      ['inside', EXPIRES - 1],
      ['after', EXPIRES],
    ] as const) {
      const possible = POSSIBLE.has(`${status} ${move} ${when}`)
      test(`${move} of a ${status} question ${when} its window is ${possible ? '' : 'im'}possible`, () => {
        expect(canMove(move, { status, expiresAt: EXPIRES }, now)).toBe(possible)
      })
    }
  }
}

test('a reader sees expired from the very instant the window is over', () => {
  expect(statusAt({ status: 'pending', expiresAt: EXPIRES }, EXPIRES - 1)).toBe('pending')
  expect(statusAt({ status: 'pending', expiresAt: EXPIRES }, EXPIRES)).toBe('expired')
  expect(statusAt({ status: 'answered', expiresAt: EXPIRES }, EXPIRES + 1)).toBe('answered')
})
