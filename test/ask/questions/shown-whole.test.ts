import { expect, test } from 'bun:test'
import { isUnseen, missingOf, unseenWords } from '../../../src/ask/questions/model/shown-whole.ts'
import { bodyOf } from '../../../src/ask/wire/action-body.ts'
import { aQuestion } from '../../support/question.ts'

const about = (detail: object) => aQuestion('', { detail })

test('what the hook cut is missing, also if it was cut twice', () => {
  const once = bodyOf('x'.repeat(10_000))
  expect(missingOf(about(once))).toBe(6_100)
  const again = bodyOf(`${'- a file\n'.repeat(100)}${once.actionBody}`)
  expect(missingOf(about(again)) ?? 0).toBeGreaterThan(6_100)
  expect(missingOf(about(bodyOf('x'.repeat(4_000))))).toBe(0)
})

test('a yes is unseen, other answers are not', () => {
  const detail = { cut: 'c', missing: 12 }
  expect(isUnseen(about(detail))).toBe(true)
  expect(isUnseen({ ...about(detail), type: 'input' })).toBe(false)
  expect(isUnseen(about({ action: 'ls' }))).toBe(false)
  // An action that its body repeats in full.
  expect(isUnseen(about({ cut: 'c', missing: 0 }))).toBe(false)
  // Stored by an earlier version.
  expect(isUnseen(about({ cut: 'c' }))).toBe(true)
  expect(unseenWords(about({ cut: 'c' }))).toStartWith('A part of it is')
  expect(unseenWords(about({ cut: 'c', missing: 1_234 }))).toStartWith('About 1,234 characters')
})

test('a mark in the middle of a text, or one that is no number, says nothing', () => {
  const mark = bodyOf('x'.repeat(5_000)).actionBody?.slice(-80) ?? ''
  expect(missingOf(about({ actionBody: `${mark}\nmore` }))).toBe(0)
  expect(missingOf(about({ actionBody: mark.replace(/\d+/, 'no') }))).toBe(0)
})
