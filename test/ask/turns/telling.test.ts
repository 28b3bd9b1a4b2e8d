import { expect, test } from 'bun:test'
import { type Telling, type TurnFacts, tellOf } from '../../../src/ask/turns/model/telling.ts'

const MINUTE = 60_000
const NOW = 1_795_000_000_000
const FACTS: TurnFacts = {
  outcome: 'finished',
  durationMs: 12 * MINUTE,
  idleMs: 5 * MINUTE,
  attended: undefined,
  terminalActiveAt: undefined,
  fromPhone: false,
  endedMs: 0,
}

const AWAY: Telling = { is: 'now', presence: 'away' }
const CASES: Array<[what: string, facts: Partial<TurnFacts>, telling: Telling]> = [
  ['a long turn with nobody there', {}, AWAY],
  ['a failure', { outcome: 'failed' }, AWAY],
  ['background tasks that run', { outcome: 'busy' }, { is: 'never' }],
  ['a turn that the person interrupted', { outcome: 'interrupted' }, { is: 'never' }],
  ['a short turn', { durationMs: MINUTE }, { is: 'never' }],
  ['a turn of unknown length', { durationMs: undefined }, { is: 'never' }],
  ['a short turn that was begun from the phone', { durationMs: 1, fromPhone: true }, AWAY],
  ['a key half a minute ago', { idleMs: MINUTE / 2 }, { is: 'later', ms: 1.5 * MINUTE }],
  ['an unknown terminal that nobody is at', { idleMs: undefined, attended: false }, AWAY],
  [
    'an unknown terminal of a machine that was used a minute ago',
    { idleMs: undefined, terminalActiveAt: NOW - MINUTE },
    { is: 'later', ms: MINUTE },
  ],
  ['no word of who is there', { idleMs: undefined }, { is: 'later', ms: 2 * MINUTE }],
  [
    'no word of who is there, of a client that somebody started',
    { idleMs: undefined, attended: true, endedMs: MINUTE },
    { is: 'later', ms: MINUTE },
  ],
  [
    'no word of who is there, and a session that stands still',
    { idleMs: undefined, endedMs: 2 * MINUTE },
    { is: 'now', presence: 'unknown' },
  ],
  [
    'no word of who is there, begun from the phone',
    { idleMs: undefined, durationMs: 1, fromPhone: true },
    { is: 'now', presence: 'unknown' },
  ],
]
for (const [what, facts, telling] of CASES) {
  test(`${what}: ${JSON.stringify(telling)}`, () => {
    expect(tellOf({ ...FACTS, ...facts }, 2 * MINUTE, NOW)).toEqual(telling)
  })
}

test('nobody is told of turns where the policy says so', () => {
  expect(tellOf(FACTS, 0, NOW)).toEqual({ is: 'never' })
})
