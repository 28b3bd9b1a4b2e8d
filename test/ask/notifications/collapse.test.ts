import { expect, test } from 'bun:test'
import {
  COLLAPSE_MS,
  comesQuietly,
  groupOf,
} from '../../../src/ask/notifications/model/collapse.ts'
import type { Notification } from '../../../src/ask/notifications/model/notification.ts'
import { aNotification, OPENED_AT } from '../../support/question.ts'

const SAME = { sessionId: 's1', machineId: 'm1' }
const story = (id: string, changes: Partial<Notification> = {}) =>
  aNotification(id, { ...SAME, ...changes })
const first = story('1', { groupId: 'n_1', groupSize: 1 })
const third = story('3', { groupId: 'n_1', groupSize: 3, createdAt: OPENED_AT + 1_000 })

const done = { context: { type: 'task_complete' } } as const
const error = { context: { type: 'error' } } as const

const ALONE = { groupId: undefined, groupSize: undefined }
const BEGINS = { groupId: 'n_9', groupSize: 1 } as const
const SECOND = { groupId: 'n_1', groupSize: 2 } as const

type Group = Pick<Notification, 'groupId' | 'groupSize'>

test.each<[string, Partial<Notification>, Notification[], Group]>([
  ['begins a story when it is the first', {}, [], BEGINS],
  ['takes the place of the one before', {}, [first], SECOND],
  ['counts on from the newest', {}, [third, first], { groupId: 'n_1', groupSize: 4 }],
  [
    'ends a little before five minutes',
    { createdAt: OPENED_AT + COLLAPSE_MS - 1 },
    [first],
    SECOND,
  ],
  ['begins anew after five minutes', { createdAt: OPENED_AT + COLLAPSE_MS }, [first], BEGINS],
  [
    'counts on from the highest of one millisecond',
    {},
    [first, story('0', { groupId: 'n_1', groupSize: 2 })],
    { groupId: 'n_1', groupSize: 3 },
  ],
  ['stays apart from another session', { sessionId: 's2' }, [first], BEGINS],
  ['stays apart from another machine', { machineId: 'm2' }, [first], BEGINS],
  ['stays apart from another token', { tokenId: 'key_2' }, [first], BEGINS],
  ['stays apart from other devices', { targeting: { tags: ['night'] } }, [first], BEGINS],
  ['never takes the place of another type', done, [first], BEGINS],
  ['continues over an error in between', {}, [story('2', error), first], SECOND],
  ['an error is never part of it', error, [first], ALONE],
  ['a question is never part of it', { questionId: 'q_1' }, [first], ALONE],
  ['test traffic is never part of it', { test: true }, [first], ALONE],
  ['what is held is never part of it', { held: 'quiet_hours' }, [first], ALONE],
  ['without a session there is no story', { sessionId: undefined }, [first], ALONE],
  ['does not take the place of what was held', {}, [story('2', { held: 'switched_off' })], BEGINS],
])('a message %s', (_, changes, before, expected) => {
  expect(groupOf(story('9', changes), before)).toEqual(expected)
})

test('the order of names in the targeting does not matter', () => {
  const before = { ...first, targeting: { tags: ['a', 'b'] } }
  const next = story('9', { targeting: { tags: ['b', 'a'], externalIds: [] } })
  expect(groupOf(next, [before])).toEqual(SECOND)
})

test('only an update in a story that has rung comes without a sound', () => {
  expect(comesQuietly(story('1', { groupSize: 2 }))).toBe(true)
  expect(comesQuietly(story('1', { groupSize: 1 }))).toBe(false)
  expect(comesQuietly(story('1'))).toBe(false)
  expect(comesQuietly(story('1', { ...done, groupSize: 2 }))).toBe(false)
})
