import { expect, test } from 'bun:test'
import { type TurnFacts, tellOf } from '../../../src/ask/turns/model/telling.ts'

const MINUTE = 60_000
const NOW = 1_795_000_000_000
const FACTS: TurnFacts = {
  outcome: 'finished',
  durationMs: 12 * MINUTE,
  idleMs: 5 * MINUTE,
  attended: undefined,
  terminalActiveAt: undefined,
  fromPhone: false,
}

const CASES: Array<[what: string, facts: Partial<TurnFacts>, telling: object]> = [
  ['a long turn with nobody there', {}, { is: 'now' }],
  ['a failure', { outcome: 'failed' }, { is: 'now' }],
  ['background tasks that run', { outcome: 'busy' }, { is: 'never' }],
  ['a turn that the person interrupted', { outcome: 'interrupted' }, { is: 'never' }],
  ['a short turn', { durationMs: MINUTE }, { is: 'never' }],
  ['a turn of unknown length', { durationMs: undefined }, { is: 'never' }],
  ['a short turn that was begun from the phone', { durationMs: 1, fromPhone: true }, { is: 'now' }],
  ['a key half a minute ago', { idleMs: MINUTE / 2 }, { is: 'later', ms: 1.5 * MINUTE }],
  ['an unknown terminal that nobody is at', { idleMs: undefined, attended: false }, { is: 'now' }],
  [
    'an unknown terminal of a machine that was used a minute ago',
    { idleMs: undefined, terminalActiveAt: NOW - MINUTE },
    { is: 'later', ms: MINUTE },
  ],
  ['an unknown terminal of a machine that nobody used', { idleMs: undefined }, { is: 'now' }],
]
for (const [what, facts, telling] of CASES) {
  test(`${what}: ${JSON.stringify(telling)}`, () => {
    expect(tellOf({ ...FACTS, ...facts }, 2 * MINUTE, NOW)).toEqual(telling as never)
  })
}

test('nobody is told of turns where the policy says so', () => {
  expect(tellOf(FACTS, 0, NOW)).toEqual({ is: 'never' })
})
