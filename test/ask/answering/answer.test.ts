import { expect, test } from 'bun:test'
import { type Answerable, readAnswer, readNote } from '../../../src/ask/questions/model/answer.ts'

const confirm: Answerable = { type: 'confirm', choices: [], detail: {} }
const choices = [{ label: 'red' }, { label: 'green' }, { label: 'dark blue' }]
const select = { type: 'select' as const, choices, detail: {} }
const several = { type: 'select' as const, choices, detail: { multiSelect: true } }
const open = { type: 'select' as const, choices, detail: { allowOther: true } }
const commas = {
  type: 'select' as const,
  choices: [{ label: 'Yes, always' }, { label: 'No' }],
  detail: { multiSelect: true },
}
const own = { type: 'select' as const, choices, detail: { multiSelect: true, allowOther: true } }
const input: Answerable = { type: 'input', choices: [], detail: {} }

const ACCEPTED: Array<[Answerable, string | string[], string]> = [
  [confirm, 'yes', 'yes'],
  [confirm, 'no', 'no'],
  [select, 'green', 'green'],
  [select, ['dark blue'], 'dark blue'],
  [several, ['red', 'dark blue', 'red'], 'red, dark blue'],
  [open, 'something else', 'something else'],
  [commas, ['Yes, always', 'No'], 'Yes, always\nNo'],
  [commas, ['Yes, always'], 'Yes, always'],
  [own, ['red', 'pink, or so'], 'red\npink, or so'],
  [own, ['red', 'two\n lines'], 'red, two lines'],
  [input, ' two\r\nlines ', 'two\nlines'],
]
for (const [question, value, stored] of ACCEPTED) {
  test(`${question.type} takes ${JSON.stringify(value)} as ${JSON.stringify(stored)}`, () => {
    expect(readAnswer(question, value)).toBe(stored)
  })
}

const LONG = 'x'.repeat(5_000)
test('an option can be chosen however long it is', () => {
  expect(readAnswer({ ...select, choices: [{ label: LONG }] }, LONG)).toBe(LONG)
  expect(() => readAnswer(open, LONG)).toThrow('longer than 4000')
})

const REFUSED: Array<[Answerable, string | string[], string]> = [
  [confirm, 'maybe', 'must be "yes" or "no"'],
  [confirm, ['yes', 'no'], 'Only one answer'],
  [confirm, ['yes'], '["yes"] is not one of the answers. It must be "yes" or "no".'],
  [confirm, ' yes', '" yes" is not one of the answers. It must be "yes" or "no".'],
  [confirm, 'no\n', 'must be "yes" or "no"'],
  [confirm, 'Yes', 'must be "yes" or "no"'],
  [confirm, 'y\u200bes', 'must be "yes" or "no"'],
  [confirm, '', 'empty'],
  [confirm, [], 'empty'],
  [select, 'blue', 'must be one of "red", "green", "dark blue"'],
  [select, ['red', 'green'], 'Only one answer'],
  [several, [], 'empty'],
  [several, ['red', 'pink'], '"pink" is not one of the answers'],
  [input, '  \u0000 ', 'empty'],
  [input, 'x'.repeat(4001), 'longer than 4000'],
]
for (const [question, value, sentence] of REFUSED) {
  test(`${question.type} refuses ${JSON.stringify(value).slice(0, 40)}`, () => {
    expect(() => readAnswer(question, value)).toThrow(sentence)
  })
}

test('a note is cleaned, and refused above 1000 characters', () => {
  expect(readNote(undefined)).toBeUndefined()
  expect(readNote(' \n ')).toBeUndefined()
  expect(readNote('fine\u202e')).toBe('fine')
  expect(readNote('👍'.repeat(1000))).toBe('👍'.repeat(1000))
  expect(() => readNote('x'.repeat(1001))).toThrow('longer than 1000')
})
