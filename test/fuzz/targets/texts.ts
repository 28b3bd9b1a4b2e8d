import fc from 'fast-check'
import { looksLikeToken } from '../../../src/accounts/agent-token.ts'
import { looksLikePairingCode } from '../../../src/accounts/pairing.ts'
import { wrongEmail, wrongName } from '../../../src/accounts/person-rules.ts'
import { readEvents } from '../../../src/cli/bridge/events.ts'
import { readLines } from '../../../src/cli/bridge/lines.ts'
import { readLinkToken } from '../../../src/delivery/answer-link.ts'
import { readInteraction } from '../../../src/delivery/slack/interaction.ts'
import { readButton, readPlace } from '../../../src/delivery/slack/place.ts'
import { isFromSlack, signatureOf } from '../../../src/delivery/slack/signature.ts'
import { encrypt } from '../../../src/delivery/web-push/encrypt.ts'
import { clientAddress } from '../../../src/http/client-address.ts'
import { readQuery } from '../../../src/http/query.ts'
import { createGuardedFetch } from '../../../src/kernel/guarded-fetch.ts'
import { readJsonObject } from '../../../src/kernel/json-object.ts'
import { isPublicAddress } from '../../../src/kernel/public-address.ts'
import { redactSecrets } from '../../../src/kernel/redact.ts'
import { readJson } from '../../../src/kernel/request-body.ts'
import { cleanLine, cleanText, codePoints, cutText, visibleText } from '../../../src/kernel/text.ts'
import { networkOf } from '../../../src/kernel/token-bucket.ts'
import { readMessage } from '../../../src/protocol/message.ts'
import { AskUserInput } from '../../../src/questions/ask-fields.ts'
import {
  readTopic,
  topicAddress,
  topicLabel,
  topicOf,
} from '../../../src/subscribers/ntfy-topic.ts'
import { readSubscription } from '../../../src/subscribers/read-subscription.ts'
import { asJsonText, mutatedText, nearly, ODD_TEXT } from '../mutate.ts'
import { must, parser, refused, type Target, takes, takesLater } from '../target.ts'

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
const ADDRESSES = [
  '127.0.0.1',
  '10.1.2.3',
  '::1',
  '::ffff:192.168.0.1',
  'fe80::1%eth0',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '8.8.8.8',
  '169.254.169.254',
  '100.64.0.1',
]
const { refusal } = createGuardedFetch()
const isTexts = (given: unknown) => {
  const { endpoint, keys } = (given ?? {}) as { endpoint?: unknown; keys?: Record<string, unknown> }
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
const SECRET_TEXTS = [
  'token=ghp_0123456789abcdefghijklmnopqrstuvwxyz',
  'Authorization: Bearer bk_abc.def',
  '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----',
  'https://u:p@h/x',
  'AWS_SECRET_ACCESS_KEY="abc"',
  'eyJhbGciOi.eyJzdWIi.abc',
]

async function* parts(bytes: Uint8Array, cuts: readonly number[]) {
  const edges = [
    0,
    ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ]
  for (const [at, end] of edges.slice(1).entries()) yield bytes.subarray(edges[at], end)
}
const cuts = fc.array(fc.nat(10_000), { maxLength: 5 })

export const TEXT_TARGETS: readonly Target[] = [
  parser(
    'push: a subscription',
    [
      'src/subscribers/read-subscription.ts#readSubscription',
      'src/delivery/web-push/encrypt.ts#encrypt',
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
    (given) => {
      try {
        const read = readSubscription(given as typeof SUBSCRIPTION, refusal)
        // Whatever is taken can be written to.
        must(encrypt('hello', read.keys).length > 80, 'encrypts to nothing')
        return 'taken'
      } catch (error) {
        return refused(error)
      }
    },
  ),
  parser(
    'push: an ntfy topic',
    ['src/subscribers/ntfy-topic.ts#topicOf', 'src/subscribers/ntfy-topic.ts#topicAddress'],
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
    'slack: interactions',
    [
      'src/delivery/slack/interaction.ts#readInteraction',
      'src/delivery/slack/place.ts#readPlace',
      'src/delivery/slack/place.ts#readButton',
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
    ['src/delivery/slack/signature.ts#isFromSlack'],
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
    'links: answer links',
    ['src/delivery/answer-link.ts#readLinkToken'],
    mutatedText(['q_1.sub_1.page.abc']),
    (text) => (readLinkToken('secret', text) === undefined ? 'refused' : 'taken'),
  ),
  parser(
    'text: cleaned, cut and barred',
    ['src/kernel/text.ts#cleanText', 'src/kernel/redact.ts#redactSecrets'],
    fc.tuple(mutatedText([...SECRET_TEXTS, 'plain']), fc.nat(600)),
    ([text, most]) => {
      const clean = cleanText(text)
      must(cleanText(clean) === clean && clean.isWellFormed(), 'is not clean')
      must(!/[\n\r]/.test(cleanLine(text)), 'is no line')
      must(codePoints(cutText(text, most)) <= most, 'is too long')
      visibleText(text)
      must(codePoints(redactSecrets(clean, most)) <= most, 'is too long when barred')
      return 'taken'
    },
  ),
  parser(
    'http: a JSON body',
    ['src/kernel/request-body.ts#readJson', 'src/kernel/json-object.ts#readJsonObject'],
    fc.tuple(
      asJsonText(nearly({ a: [1] })),
      fc.constantFrom(
        'application/json',
        'application/x+json; charset=utf-8',
        'text/plain',
        'application/json-',
        '',
      ),
    ),
    ([body, type]) =>
      takesLater(async () => {
        readJsonObject(body)
        await readJson(
          new Request('http://localhost/', {
            method: 'POST',
            body,
            headers: { 'content-type': type },
          }),
        )
      }),
  ),
  parser(
    'http: addresses of callers',
    [
      'src/kernel/public-address.ts#isPublicAddress',
      'src/kernel/token-bucket.ts#networkOf',
      'src/http/client-address.ts#clientAddress',
      'src/http/query.ts#readQuery',
    ],
    mutatedText(ADDRESSES, [':', '.', '::', '%', '/', 'f', '0', ',', ' ', '"', 'for=']),
    (text) => {
      const header = text.replace(/[^\x20-\x7e]/g, '').slice(0, 1_000)
      networkOf(text)
      const request = new Request('http://localhost/?limit=1', {
        headers: { 'x-forwarded-for': header, forwarded: header },
      })
      must(typeof clientAddress(request, '10.0.0.1', true) === 'string', 'no address')
      readQuery(`http://localhost/?limit=${encodeURIComponent(text.toWellFormed())}`, AskUserInput)
      return isPublicAddress(text) ? 'taken' : 'refused'
    },
  ),
  parser(
    'outside: addresses that may not be reached',
    ['src/kernel/guarded-fetch.ts#createGuardedFetch'],
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
  parser(
    'people: what they are called',
    [
      'src/accounts/person-rules.ts#wrongEmail',
      'src/accounts/person-rules.ts#wrongName',
      'src/accounts/pairing.ts#looksLikePairingCode',
    ],
    mutatedText(['ada@example.com', 'Ada', 'ABCD-EFGH']),
    (text) => {
      looksLikeToken(text)
      looksLikePairingCode(text)
      return wrongEmail(text).length + wrongName(text).length > 0 ? 'refused' : 'taken'
    },
  ),
  parser(
    'bridge: lines and events',
    ['src/cli/bridge/lines.ts#readLines', 'src/cli/bridge/events.ts#readEvents'],
    fc.tuple(
      mutatedText(
        ['{"a":1}\n{"b":2}\r\n', 'event: message\ndata: {"a":1}\n\n: x\n\ndata: half'],
        ['\n', '\r', '\r\n', 'data:', 'data: ', ':', '\ufeff', '\ud800'],
      ),
      cuts,
    ),
    async ([text, at]) => {
      const bytes = Buffer.from(text)
      const [whole, cut] = [
        await Array.fromAsync(readLines(parts(bytes, []), 200)),
        await Array.fromAsync(readLines(parts(bytes, at), 200)),
      ]
      must(JSON.stringify(whole) === JSON.stringify(cut), 'lines depend on how they came')
      const [one, other] = [
        await Array.fromAsync(readEvents(parts(bytes, []))),
        await Array.fromAsync(readEvents(parts(bytes, at))),
      ]
      must(JSON.stringify(one) === JSON.stringify(other), 'events depend on how they came')
      return one.length > 0 ? 'taken' : 'refused'
    },
  ),
  parser(
    'mcp: one message',
    ['src/protocol/message.ts#readMessage'],
    nearly({ jsonrpc: '2.0', id: 1, method: 'ping', params: {} }),
    (given) => (readMessage(given).kind === 'refusal' ? 'refused' : 'taken'),
  ),
]
