import { expect, test } from 'bun:test'
import { answerButtons as slackButtons } from '../../../src/ask/channels/slack/answer-buttons.ts'
import { answerButtons as telegramButtons } from '../../../src/ask/channels/telegram/buttons.ts'
import { questionPart } from '../../../src/ask/delivery/question-message.ts'
import { aQuestion } from '../../support/question.ts'

const FORM = { type: 'object', properties: { amount: { type: 'number' } } } as const

test('a form is never answered from a message: chats and notifications lead to its page', () => {
  const form = aQuestion('1', { type: 'input', detail: { form: FORM } })
  const text = aQuestion('2', { type: 'input' })
  expect(questionPart(form)).toMatchObject({ quick: false, form: true })
  const place = { channel: 'C1', device: 'sub_1', question: 'q_1' } as never
  const actions = (of: typeof form) =>
    JSON.stringify(slackButtons(of, place, 'https://beckon.example.com/d/q_1'))
  expect(actions(text)).toContain('Answer…')
  expect(actions(form)).not.toContain('Answer…')
  expect(actions(form)).toContain('Look')
  const inTelegram = (of: typeof form) => telegramButtons({ question: questionPart(of) }, undefined)
  expect(inTelegram(text)).toHaveLength(1)
  expect(inTelegram(form)).toEqual([])
})
