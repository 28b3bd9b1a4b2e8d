import { expect, test } from 'bun:test'
import { canMove, MOVES, type Move, statusAt } from '../../../src/ask/questions/model/lifecycle.ts'
import { STORED_STATUSES } from '../../../src/ask/wire/question-fields.ts'

const EXPIRES = 1_000
const POSSIBLE = new Set([
  'pending answer inside',
  'pending decide inside',
  'pending cancel inside',
  'pending stop inside',
  'pending hand_over inside',
  'pending expire after',
])
/** While an answer is held. */
const POSSIBLE_HELD = new Set([
  'pending release inside',
  'pending cancel inside',
  'pending stop inside',
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
      const held = POSSIBLE_HELD.has(`${status} ${move} ${when}`)
      test(`${move} of a ${status} question ${when} its window is ${held ? '' : 'im'}possible while an answer is held`, () => {
        const question = { status, expiresAt: EXPIRES, answerHeldUntil: 1 }
        expect(canMove(move, question, now)).toBe(held)
      })
    }
  }
}

test('a reader sees expired from the very instant the window is over', () => {
  expect(statusAt({ status: 'pending', expiresAt: EXPIRES }, EXPIRES - 1)).toBe('pending')
  expect(statusAt({ status: 'pending', expiresAt: EXPIRES }, EXPIRES)).toBe('expired')
  const held = { status: 'pending' as const, expiresAt: EXPIRES, answerHeldUntil: 1 }
  expect(statusAt(held, EXPIRES)).toBe('pending')
  expect(statusAt({ status: 'answered', expiresAt: EXPIRES }, EXPIRES + 1)).toBe('answered')
})
