import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { blocksFor, endWords, outcomeBlocks } from '../../../../src/ask/channels/slack/blocks.ts'
import { answerModal, closingModal } from '../../../../src/ask/channels/slack/form.ts'
import {
  buttonText,
  channelEndpoint,
  channelOf,
  readButton,
} from '../../../../src/ask/channels/slack/place.ts'
import { escaped, fallback, plainText } from '../../../../src/ask/channels/slack/text.ts'
import { questionMessage } from '../../../../src/ask/delivery/question-message.ts'
import type { Question } from '../../../../src/ask/questions/model/question.ts'
import { CORPUS } from '../../../support/hostile-corpus.ts'
import { aQuestion } from '../../../support/question.ts'
import { everyNth, howOften } from '../../../support/share.ts'
import { checkBlocks, checkView } from '../../../support/slack-limits.ts'
import { buttonsOf } from '../../../support/slack-server.ts'

const place = { questionId: 'q_1a', subscriberId: 'sub_1b' } as const
const baseUrl = 'https://beckon.example.com'

const MEAN = [...CORPUS, '&'.repeat(5_000), '<'.repeat(5_000), '😀'.repeat(3_000)]

function everywhere(text: string, more: Partial<Question> = {}): Question {
  const list = Array.from({ length: 40 }, () => text)
  return aQuestion(text, {
    question: text,
    agentName: text,
    choices: Array.from({ length: 6 }, (_, i) => ({ label: `${text}${i}`, description: text })),
    ...more,
    detail: {
      placeholder: text,
      context: text,
      action: text,
      blocker: text,
      intent: text,
      header: text,
      actionBody: 'NEVER SHOWN',
      allowOther: true,
      contract: { allowedPaths: list, offLimitsPaths: list, promises: list, doneWhen: text },
      ...more.detail,
    },
  })
}

function blocksOf(question: Question, bare = false) {
  const { message } = questionMessage(question)
  return blocksFor({ message, question, place, baseUrl, bare })
}

const KINDS: Array<Partial<Question>> = [
  { type: 'confirm' },
  { type: 'input' },
  { type: 'select' },
  { type: 'select', detail: { multiSelect: true } },
  { type: 'confirm', detail: { action: 'rm -rf /' } },
]

test.each(KINDS.map((kind, at) => [kind, at] as const))(
  'hostile text stays text, within every limit: %j',
  (kind, at) => {
    for (const text of everyNth(MEAN, KINDS.length, at)) {
      const question = everywhere(text, kind)
      const blocks = blocksOf(question)
      expect(checkBlocks(blocks, 50)).toBeUndefined()
      expect(checkView(answerModal(question, place) as never)).toBeUndefined()
      expect(checkView(closingModal(text) as never)).toBeUndefined()
      expect(checkBlocks(outcomeBlocks(endWords(question, text), text, text), 50)).toBeUndefined()
      expect(JSON.stringify(blocks)).not.toContain('NEVER SHOWN')
      const markup = JSON.stringify(blocks).match(/"type":"mrkdwn","text":"[^"]*"/g) ?? []
      expect(
        markup.every((one) =>
          /^"type":"mrkdwn","text":"Can be answered until <!date\^\d+\^\{time\}\|\d\d:\d\d UTC>\. One answer counts\."$/.test(
            one,
          ),
        ),
      ).toBe(true)
    }
  },
)

test('whatever the words are, Slack would take the message and the form', () => {
  const words = fc.oneof(
    fc.string({ maxLength: 600 }),
    fc.string({ unit: 'binary', maxLength: 300 }),
  )
  fc.assert(
    fc.property(words, fc.constantFrom(...KINDS), (text, kind) => {
      const question = everywhere(text, kind)
      expect(checkBlocks(blocksOf(question), 50)).toBeUndefined()
      expect(checkView(answerModal(question, place) as never)).toBeUndefined()
    }),
    { numRuns: howOften(20, 200) },
  )
})

test('the words of the notification mention nobody', () => {
  expect(fallback('<!channel> @here @Everyone & co', 99)).toBe(
    '&lt;!channel&gt; @\u200bhere @\u200bEveryone &amp; co',
  )
})

test('text is escaped once, cut by whole characters, and never empty', () => {
  expect(escaped('a && b < c > d')).toBe('a &amp;&amp; b &lt; c &gt; d')
  expect(plainText('', 9).text).toBe('–')
  expect(plainText('  ', 9).text).toBe('–')
  expect(plainText('😀'.repeat(9), 9).text).toMatch(/^(😀){1,4}…$/u)
  for (const text of ['&'.repeat(99), '<'.repeat(99), '😀'.repeat(99), 'a'.repeat(99)]) {
    expect(plainText(text, 75).text.length).toBeLessThanOrEqual(75)
    expect(plainText(text, 75).text).toMatch(/(&amp;|&lt;|😀|a)…$/u)
  }
})

test('a long option is cut on its button and stands whole above it', () => {
  const long = `${'x'.repeat(90)} to the end`
  const blocks = blocksOf(
    aQuestion('Which?', { type: 'select', choices: [{ label: long }, { label: 'B' }] }),
  )
  expect(buttonsOf(blocks)[0]).toHaveLength(75)
  expect(JSON.stringify(blocks)).toContain('to the end')
})

test('a button and an address say what they were made from, and nothing else is read', () => {
  for (const choice of ['yes', 'no', 'form', 0, 5] as const) {
    expect(readButton(buttonText(place, choice))).toEqual({ place, choice })
  }
  for (const text of [
    '',
    'yes',
    'q_1 sub_1',
    'q_1 sub_1 maybe',
    'q_1 sub_1 123',
    'sub_1 q_1 yes',
    'q_1  sub_1 yes',
    'q_1 sub_1 yes\n',
  ]) {
    expect(readButton(text)).toBeUndefined()
  }
  const endpoint = channelEndpoint('https://slack.com/api', 'C024BE7LR')
  expect([endpoint, channelOf(endpoint)]).toEqual([
    'https://slack.com/archives/C024BE7LR',
    'C024BE7LR',
  ])
  expect(channelOf('https://slack.com/archives/')).toBeUndefined()
})

test('how a question ended is said with who and where, and a typed answer is not', () => {
  const ended = (more: Partial<Question>) => endWords(aQuestion('Q', more), 'Ada')
  const answered = { status: 'answered', value: 'yes' } as const
  expect(ended({ ...answered, answerSource: 'mobile_app' })).toBe(
    'Answered “yes” by Ada, from the app on a phone.',
  )
  expect(ended({ ...answered, type: 'input', value: 'secret', answerSource: 'slack' })).toBe(
    'Answered by Ada, from Slack.',
  )
  expect(ended({ status: 'stopped' })).toBe('The agent was told to stop by Ada.')
  expect(endWords(aQuestion('Q', { status: 'expired' }), undefined)).toBe(
    'Expired without an answer.',
  )
})
