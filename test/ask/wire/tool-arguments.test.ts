import { expect, test } from 'bun:test'
import { blocksFor } from '../../../src/ask/channels/slack/blocks.ts'
import { questionMessage } from '../../../src/ask/delivery/question-message.ts'
import type { QuestionDetail } from '../../../src/ask/questions/model/question.ts'
import { actionWords } from '../../../src/ask/wire/tool-arguments.ts'
import { aQuestion } from '../../support/question.ts'

const VALUES = { amount: 20, note: 'Late.\nTwice.', to: 'DE02' }

function call(values: unknown, body = true): QuestionDetail {
  const text = JSON.stringify(values)
  const action = `book ${text.slice(0, 495)}`
  return { toolName: 'book', action, ...(body ? { actionBody: text } : {}) }
}

test('a push and a message in Slack name the arguments, the effect and the risk', () => {
  const detail = { ...call(VALUES), effect: 'The seat is taken.', risk: 'medium' as const }
  const question = aQuestion('1', { question: 'Book a seat?', detail })
  const { message } = questionMessage(question)
  const lines = message.body.split('\n')
  const [action = ''] = lines
  expect(lines).toEqual([
    'book amount: 20 · note: Late. Twice. · to: DE02',
    'Book a seat?',
    'The seat is taken.',
    'Risk: medium',
  ])
  const place = { questionId: 'q_1', subscriberId: 'sub_1' } as const
  const baseUrl = 'https://beckon.example.com'
  const blocks = JSON.stringify(blocksFor({ message, question, place, baseUrl, bare: true }))
  for (const text of [action, 'Book a seat?', 'Effect: The seat is taken.', 'Risk: medium']) {
    expect(blocks).toContain(text)
  }
  expect(blocks).not.toContain('{\\"amount')
})

test('what is cut in a text is named, too; the body is never used', () => {
  const words = actionWords(call({ to: 'a@b.de', body: 'word '.repeat(400) }))
  expect(words).toStartWith('book to: a@b.de · body: word word')
  expect(words).toEndWith('…')
  const other = { ...call({ a: 1 }), actionBody: '{"secret":"of the body"}' }
  expect(actionWords(other)).toBe('book a: 1')
})

test('a text cannot pass for another argument', () => {
  expect(actionWords(call({ to: 'DE02 · amount: 1', 'x: 1': '', amount: 20 }))).toBe(
    'book to: "DE02 · amount: 1" · "x: 1": "" · amount: 20',
  )
})

// The text of a token, which is put together so that no scanner takes this file for a leak.
const TOKEN = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')

test.each<[string, QuestionDetail]>([
  ['one tap could answer it, and a line break would be gone', call({ a: 'x\ny' }, false)],
  ['an escape hides a letter that cannot be seen', escaped('\\u202e')],
  ['an escape hides a secret', escaped(TOKEN.replace('p', '\\u0070'))],
  ['it is no JSON', { toolName: 'book', action: 'book 20 EUR' }],
  ['it is cut outside a text', { ...call({ a: 1 }), action: 'book {"a":{"b":[1,' }],
  ['it has gaps', { ...call({ a: 1 }), action: 'book {"a":"x … y' }],
  ['it is a command', { toolName: 'Bash', action: 'rm -rf build' }],
])('the action stays as it is: %s', (_why, detail) => {
  expect(actionWords(detail)).toBe(detail.action)
})

function escaped(text: string): QuestionDetail {
  const action = `book {"to":"${text}"}`
  return { toolName: 'book', action, actionBody: action.slice(5) }
}
