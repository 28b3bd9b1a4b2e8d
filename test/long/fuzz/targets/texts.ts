import fc from 'fast-check'
import { readEvents } from '../../../../src/agent/bridge/post.ts'
import { readLines } from '../../../../src/agent/bridge/stdio.ts'
import { looksLikeToken } from '../../../../src/ask/accounts/model/agent.ts'
import { looksLikePairingCode } from '../../../../src/ask/accounts/model/pairing.ts'
import { wrongEmail, wrongPersonName } from '../../../../src/ask/accounts/model/person-rules.ts'
import { AskUserInput } from '../../../../src/ask/wire/ask-fields.ts'
import { clientAddress, proxiesAt } from '../../../../src/platform/http/caller-address.ts'
import { networkOf } from '../../../../src/platform/http/limits.ts'
import { readQuery } from '../../../../src/platform/http/mount.ts'
import { readJson } from '../../../../src/platform/http/request.ts'
import { readJsonObject } from '../../../../src/platform/json.ts'
import { readMessage } from '../../../../src/platform/mcp/message.ts'
import { isPublicAddress } from '../../../../src/platform/outgoing/allowed-targets.ts'
import { redactSecrets } from '../../../../src/platform/redact/redact.ts'
import {
  cleanLine,
  cleanText,
  codePoints,
  cutText,
  visibleText,
} from '../../../../src/platform/text.ts'
import { asJsonText, mutatedText, nearly } from '../mutate.ts'
import { must, parser, type Target, takesLater } from '../target.ts'

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
    'text: cleaned, cut and barred',
    ['src/platform/text.ts#cleanText', 'src/platform/redact/redact.ts#redactSecrets'],
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
    ['src/platform/http/request.ts#readJson', 'src/platform/json.ts#readJsonObject'],
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
      'src/platform/outgoing/allowed-targets.ts#isPublicAddress',
      'src/platform/http/limits.ts#networkOf',
      'src/platform/http/caller-address.ts#clientAddress',
      'src/platform/http/mount.ts#readQuery',
    ],
    mutatedText(ADDRESSES, [':', '.', '::', '%', '/', 'f', '0', ',', ' ', '"', 'for=']),
    (text) => {
      const header = text.replace(/[^\x20-\x7e]/g, '').slice(0, 1_000)
      networkOf(text)
      const request = new Request('http://localhost/?limit=1', {
        headers: { 'x-forwarded-for': header, forwarded: header },
      })
      must(
        typeof clientAddress(request, '10.0.0.1', proxiesAt(['private'])) === 'string',
        'no address',
      )
      readQuery(`http://localhost/?limit=${encodeURIComponent(text.toWellFormed())}`, AskUserInput)
      return isPublicAddress(text) ? 'taken' : 'refused'
    },
  ),
  parser(
    'people: what they are called',
    [
      'src/ask/accounts/model/person-rules.ts#wrongEmail',
      'src/ask/accounts/model/person-rules.ts#wrongPersonName',
      'src/ask/accounts/model/pairing.ts#looksLikePairingCode',
    ],
    mutatedText(['ada@example.com', 'Ada', 'ABCD-EFGH']),
    (text) => {
      looksLikeToken(text)
      looksLikePairingCode(text)
      return wrongEmail(text).length + wrongPersonName(text).length > 0 ? 'refused' : 'taken'
    },
  ),
  parser(
    'bridge: lines and events',
    ['src/agent/bridge/stdio.ts#readLines', 'src/agent/bridge/post.ts#readEvents'],
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
    ['src/platform/mcp/message.ts#readMessage'],
    nearly({ jsonrpc: '2.0', id: 1, method: 'ping', params: {} }),
    (input) => (readMessage(input).kind === 'refusal' ? 'refused' : 'taken'),
  ),
]
