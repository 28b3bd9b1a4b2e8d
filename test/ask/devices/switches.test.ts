import { expect, test } from 'bun:test'
import { MESSAGE_SORTS, type MessageSort } from '../../../src/ask/subscribers/model/subscriber.ts'
import {
  eachChange,
  isOff,
  type Off,
  SwitchChanges,
  Switches,
  switchesOf,
} from '../../../src/ask/subscribers/model/switch-store.ts'
import { shape } from '../../../src/platform/schema.ts'

const INFO: Off = { sort: 'info', kind: 'phone' }
const QUESTION: Off = { sort: 'question', kind: 'phone' }
const ERROR: Off = { sort: 'error', kind: 'phone' }

test('everything is on until somebody switches it off', () => {
  const all = switchesOf([])
  expect(Object.keys(all)).toEqual([...MESSAGE_SORTS])
  for (const sort of MESSAGE_SORTS)
    expect(all[sort]).toEqual({ browser: true, phone: true, chat: true })
  expect(switchesOf([INFO])).toEqual({ ...all, info: { browser: true, phone: false, chat: true } })
  expect(shape(Switches).wrong(all)).toEqual([])
})

test('a message of two sorts is held only when both are off', () => {
  const cases: Array<[Off[], MessageSort[], boolean]> = [
    [[], ['info'], false],
    [[INFO], ['info'], true],
    [[INFO], ['error'], false],
    [[QUESTION], ['question', 'error'], false],
    [[ERROR], ['question', 'error'], false],
    [[QUESTION, ERROR], ['question', 'error'], true],
    [[INFO], [], false],
  ]
  for (const [off, sorts, held] of cases) {
    expect([off, sorts, isOff(off, sorts, 'phone')]).toEqual([off, sorts, held])
    expect(isOff(off, sorts, 'browser')).toBe(false)
  }
})

test('changes name single switches, and nothing that does not exist', () => {
  const changes = { info: { phone: false }, question: { browser: true, phone: true } }
  expect(eachChange(changes)).toEqual([
    { sort: 'question', kind: 'browser', on: true },
    { sort: 'question', kind: 'phone', on: true },
    { sort: 'info', kind: 'phone', on: false },
  ])
  expect(eachChange({})).toEqual([])
  const changesShape = shape(SwitchChanges)
  expect(changesShape.wrong(changes)).toEqual([])
  for (const wrong of [{ news: {} }, { info: { watch: true } }, { info: { phone: 'no' } }, []]) {
    expect(changesShape.wrong(wrong)).not.toEqual([])
  }
})
