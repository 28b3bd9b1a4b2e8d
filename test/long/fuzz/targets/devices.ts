import fc from 'fast-check'
import { mailboxOf, mailEndpoint } from '../../../../src/ask/channels/email/channel.ts'
import {
  readTopic,
  topicAddress,
  topicLabel,
  topicOf,
} from '../../../../src/ask/channels/ntfy/topic.ts'
import { readInteraction } from '../../../../src/ask/channels/slack/interaction.ts'
import { readButton, readPlace } from '../../../../src/ask/channels/slack/place.ts'
import { isFromSlack, signatureOf } from '../../../../src/ask/channels/slack/rest.ts'
import { chatOf } from '../../../../src/ask/channels/telegram/bot.ts'
import { readUpdates } from '../../../../src/ask/channels/telegram/updates.ts'
import { pushRequest } from '../../../../src/ask/channels/web-push/channel.ts'
import { readSubscription } from '../../../../src/ask/channels/web-push/web-push.ts'
import { readLinkToken } from '../../../../src/ask/delivery/model/links.ts'
import { createGuardedFetch } from '../../../../src/platform/outgoing/guarded-fetch.ts'
import { asJsonText, mutatedText, nearly, ODD_TEXT } from '../mutate.ts'
import { must, parser, refused, type Target, takes } from '../target.ts'

const KEYS = {
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CCXg',
}
const SUBSCRIPTION = { endpoint: 'https://push.invalid/x', keys: KEYS }
const ENDPOINTS = [
  'https://push.invalid/x',
  'https://127.0.0.1/',
  'http://[::ffff:10.0.0.1]/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://ntfy.sh/a-topic',
]
const { refusal } = createGuardedFetch()
const isTexts = (value: unknown) => {
  const { endpoint, keys } = (value ?? {}) as { endpoint?: unknown; keys?: Record<string, unknown> }
  const all = [endpoint, keys?.p256dh, keys?.auth]
  return all.every((one) => typeof one === 'string' && one.length <= 2_000)
}
const PRESS = {
  ...{ type: 'block_actions', user: { id: 'U1', username: 'ada' }, trigger_id: 't' },
  ...{
    response_url: 'https://hooks.slack.invalid/x',
    actions: [{ value: '["q_1","sub_1","yes"]' }],
  },
}
const SUBMITTED = {
  type: 'view_submission',
  user: { id: 'U1' },
  view: {
    callback_id: 'answer',
    private_metadata: '["q_1","sub_1"]',
    state: { values: { a: { b: { value: 'x' } } } },
  },
}

const STARTED = {
  update_id: 7,
  message: {
    text: '/start a-code',
    date: 1_000,
    chat: { id: 42, type: 'private' },
    from: { username: 'ada', first_name: 'Ada' },
  },
}

export const DEVICE_TARGETS: readonly Target[] = [
  parser(
    'push: a subscription',
    [
      'src/ask/channels/web-push/web-push.ts#readSubscription',
      'src/ask/channels/web-push/channel.ts#pushRequest',
    ],
    fc
      .oneof(
        { weight: 1, arbitrary: nearly(SUBSCRIPTION) },
        {
          weight: 1,
          arbitrary: fc.record({
            endpoint: mutatedText(ENDPOINTS),
            keys: fc.record({
              p256dh: fc.oneof(
                mutatedText([KEYS.p256dh], ['A', '_', '-', '=', '+', '/']),
                fc
                  .uint8Array({ minLength: 63, maxLength: 66 })
                  .map((bytes) => Buffer.from([4, ...bytes.slice(1)]).toString('base64url')),
              ),
              auth: mutatedText([KEYS.auth], ['A', '=', '+']),
            }),
          }),
        },
      )
      .filter(isTexts),
    async (input) => {
      try {
        const { keys } = readSubscription(input as typeof SUBSCRIPTION, refusal)
        // Whatever is taken can be written to.
        const usual = {
          authorization: 'vapid',
          ttl: 1,
          urgency: 'normal',
          topic: undefined,
        } as const
        const { body } = await pushRequest({ ...usual, text: 'hello', keys })
        must(body.length > 80, 'encrypts to nothing')
        return 'taken'
      } catch (error) {
        return refused(error)
      }
    },
  ),
  parser(
    'push: an ntfy topic',
    ['src/ask/channels/ntfy/topic.ts#topicOf', 'src/ask/channels/ntfy/topic.ts#topicAddress'],
    mutatedText([...ENDPOINTS, 'my-topic', 'ntfy.example/t']),
    (text) =>
      takes(() => {
        topicLabel(text)
        topicOf(text)
        const endpoint = topicAddress(text)
        readTopic(
          { kind: 'phone', transport: 'ntfy', endpoint, username: text, password: 'x' } as never,
          refusal,
        )
      }),
  ),
  parser(
    'push: a mailbox',
    ['src/ask/channels/email/channel.ts#mailboxOf'],
    mutatedText(
      ['mailto:ada@example.com', 'mailto:a+b@mail.example', 'mailto:@', 'ada@example.com'],
      ['@', ',', '<', '>', ';', '"', '\r\n', '%0d%0a', '\u2028', 'RCPT TO:', '?bcc='],
    ),
    (text) => {
      const address = mailboxOf(text)
      if (address === undefined) return 'refused'
      must(!/[\s<>,;"\p{Cc}]/u.test(address), `names more than one mailbox: ${address}`)
      must(address.split('@').length === 2, `is no address: ${address}`)
      must(mailboxOf(mailEndpoint(address)) !== undefined, 'is not taken again')
      return 'taken'
    },
  ),
  parser(
    'slack: interactions',
    [
      'src/ask/channels/slack/interaction.ts#readInteraction',
      'src/ask/channels/slack/place.ts#readPlace',
      'src/ask/channels/slack/place.ts#readButton',
    ],
    fc.oneof(
      {
        weight: 4,
        arbitrary: asJsonText(nearly(PRESS, SUBMITTED)).map(
          (text) => `payload=${encodeURIComponent(text.toWellFormed())}`,
        ),
      },
      ODD_TEXT,
    ),
    (body) =>
      takes(() => {
        readPlace(body)
        readButton(body)
        readInteraction(body)
      }),
  ),
  parser(
    'slack: signatures',
    ['src/ask/channels/slack/rest.ts#isFromSlack'],
    fc.tuple(
      ODD_TEXT,
      mutatedText([signatureOf('s', '1000', 'x'), 'v0=']),
      mutatedText(['1000', '1e3', '-1']),
    ),
    ([body, signature, at]) => {
      const header = (text: string) => text.replace(/[^\x20-\x7e]/g, '').slice(0, 500)
      const headers = new Headers({
        'x-slack-request-timestamp': header(at),
        'x-slack-signature': header(signature),
      })
      const is = isFromSlack('s', { headers, body, now: 1_000_000 })
      if (is)
        must(
          header(signature).trim() === signatureOf('s', header(at).trim(), body),
          'believes what nobody signed',
        )
      return is ? 'taken' : 'refused'
    },
  ),
  parser(
    'telegram: updates',
    ['src/ask/channels/telegram/listen.ts#readUpdates', 'src/ask/channels/telegram/bot.ts#chatOf'],
    fc.array(nearly(STARTED), { maxLength: 3 }),
    (input) => {
      const read = readUpdates(input)
      for (const { start } of read) {
        if (!start) continue
        must(/^[\w-]{1,64}$/.test(start.code), `a code of other signs: ${start.code}`)
        must(!/\p{Cc}/u.test(start.label) && start.label.length <= 100, 'a label that steers')
        must(chatOf(`https://api.invalid/#${start.chatId}`) !== undefined, 'no chat to answer to')
      }
      return read.length > 0 ? 'taken' : 'refused'
    },
  ),
  parser(
    'links: answer links',
    ['src/ask/delivery/model/links.ts#readLinkToken'],
    mutatedText(['q_1.sub_1.page.abc']),
    (text) => (readLinkToken('secret', text) === undefined ? 'refused' : 'taken'),
  ),
  parser(
    'outside: addresses that may not be reached',
    ['src/platform/outgoing/guarded-fetch.ts#createGuardedFetch'],
    mutatedText(ENDPOINTS, [
      '@',
      ':',
      '/',
      '\\',
      '.',
      '0x7f',
      '127.1',
      '[',
      ']',
      '%',
      '#',
      '?',
      '。',
    ]),
    (url) => {
      const why = refusal(url)
      if (why !== undefined) return 'refused'
      const { hostname, protocol } = new URL(url)
      must(
        protocol === 'https:' &&
          !/^((127|10|0|169\.254)(\.\d+)+|localhost|\[::1?\])$/.test(hostname),
        `may be reached: ${url}`,
      )
      return 'taken'
    },
  ),
]
