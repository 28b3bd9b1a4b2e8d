import fc from 'fast-check'
import { httpOutcome, mcpOutcome } from '../../../../src/catalog/facts/answers/probe-attempt.ts'
import type { Probe } from '../../../../src/catalog/facts/fact.ts'
import { type AnyFact, FACTS, factValue, probesOf } from '../../../../src/catalog/facts/facts.ts'
import { toolsIn } from '../../../../src/catalog/facts/mcp-tools/mcp-request.ts'
import { fingerprintOf, textInHtml } from '../../../../src/catalog/facts/page-text.ts'
import { instantOf, plausibleDay } from '../../../../src/catalog/facts/read-address.ts'
import { readSecurityTxt } from '../../../../src/catalog/facts/security-txt.ts'
import { statusIoId } from '../../../../src/catalog/facts/vendor-status/makers.ts'
import { readTerms } from '../../../../src/catalog/facts/x402/read-terms.ts'
import { readRobots } from '../../../../src/catalog/probing/robots.ts'
import type { Fetched } from '../../../../src/platform/outgoing/guarded-fetch.ts'
import { readRetryAfter } from '../../../../src/platform/outgoing/reply.ts'
import { codePoints } from '../../../../src/platform/text.ts'
import { aSubject, basesAt, NOW } from '../../../catalog/facts/subjects.ts'
import { asJsonText, mutatedText, nearly, ODD_TEXT } from '../mutate.ts'
import { must, parser, type Target } from '../target.ts'

const HOST = 'https://vendor.invalid'
const OFFER = {
  ...{ scheme: 'exact', network: 'base', maxAmountRequired: '10000', resource: HOST },
  ...{ asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', payTo: `0x${'1'.repeat(40)}` },
}
const ROBOTS = 'User-agent: *\nDisallow: /private*\nAllow: /$\n\nUser-agent: Beckon/1\nDisallow:\n'
const SECURITY = 'Contact: mailto:a@b.example\nExpires: 2027-01-01T00:00:00Z\n'
const HTML =
  '<!doctype html><html><head><title>Prices</title><script>x()</script></head><body><h1>Price</h1>' +
  '<p>It costs $5 &amp; more since 21 Nov 2026.<!-- x --></p><pre> a </pre></body></html>'
const FEED =
  '<?xml version="1.0"?><rss><channel><item><title>1.2.3</title><pubDate>Sat, 21 Nov 2026 08:00:00 GMT</pubDate></item></channel></rss>'
const rpc = (result: object, id = 1) => ({ jsonrpc: '2.0', id, result })

/** What the servers that probes ask would say. */
const JSON_BODIES = [
  rpc({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } }),
  rpc({ tools: [{ name: 'search', description: 'Finds.', inputSchema: {} }], nextCursor: 'a' }, 2),
  { 'dist-tags': { latest: '1.2.3' }, time: { '1.2.3': '2026-11-01T00:00:00Z' }, versions: {} },
  { downloads: 12_345, version: '1.0.0', package: 'x' },
  { data: { last_week: 7 } },
  { Version: 'v1.2.3', Time: '2026-11-01T00:00:00Z' },
  { stargazers_count: 5, archived: false, pushed_at: '2026-11-01T00:00:00Z', full_name: 'a/b' },
  { tag_name: 'v1', published_at: '2026-11-01T00:00:00Z', prerelease: false, html_url: HOST },
  { status: { indicator: 'minor', description: 'Slow' }, incidents: [{ name: 'Slow' }] },
  {
    page: { name: 'x', url: HOST, status: 'HASISSUES' },
    activeIncidents: [{ name: 'a', impact: 'MAJOROUTAGE' }],
  },
  { data: { attributes: { aggregate_state: 'operational' } } },
  { services: [[['invalid', 'example'], [`${HOST}/rdap/`]]] },
  {
    ldhName: 'vendor.example',
    events: [{ eventAction: 'registration', eventDate: '2020-01-01T00:00:00Z' }],
  },
  { x402Version: 1, error: 'pay', accepts: [OFFER] },
]
const TEXT_BODIES = [
  ROBOTS,
  SECURITY,
  HTML,
  FEED,
  '# A tool\n\n> It does things.\n',
  'v1.0.0\nv1.1.0\n',
]
const SSE = JSON_BODIES.slice(0, 2).map(
  (body) => `event: message\ndata: ${JSON.stringify(body)}\n\n`,
)

const bytes = new TextEncoder()
const TYPES = [
  ...['application/json', 'text/event-stream', 'text/html; charset=utf-8', 'text/plain', ''],
  ...['text/html; charset=shift_jis', 'text/plain; charset="x-nothing"', 'application/rss+xml'],
]
const headerText = ODD_TEXT.map((text) =>
  text
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, 3_000)
    .trim(),
)

const TROUBLE = fc.constantFrom<Fetched>(
  { outcome: 'timeout', reason: 'It did not answer in time.' },
  { outcome: 'unreachable', reason: 'CERT_HAS_EXPIRED' },
  { outcome: 'blocked', reason: 'Not there.' },
)
const STATUS = fc.oneof(
  { weight: 8, arbitrary: fc.constant(200) },
  fc.constantFrom(402, 401, 404, 301, 307, 304, 405, 429, 500, 204, 100, 599, 999),
)
const PAYMENT = Buffer.from(JSON.stringify({ x402Version: 2, accepts: [OFFER] })).toString('base64')
const HEADERS = fc.dictionary(
  fc.constantFrom(
    ...['location', 'retry-after', 'etag', 'mcp-session-id', 'payment-required', 'link', 'allow'],
    ...['x-ratelimit-remaining', 'x-ratelimit-reset', 'last-modified'],
  ),
  fc.oneof(
    headerText,
    fc.constantFrom(`${HOST}/next`, '//elsewhere.invalid/x', '5', '"e"', PAYMENT),
  ),
  { maxKeys: 3 },
)

/** Anything that a server may answer, and that it may not; `likely` is what this one would. */
function replyOf(likely: readonly (object | string)[]): fc.Arbitrary<Fetched> {
  const typed = (type: string) => (body: string) => ({ body, type })
  const texts = likely.filter((one) => typeof one === 'string')
  const values = likely.filter((one) => typeof one !== 'string')
  const bodies = [
    asJsonText(nearly(...(values.length > 0 ? values : JSON_BODIES))).map(
      typed('application/json'),
    ),
    mutatedText(texts.length > 0 ? texts : [...TEXT_BODIES, ...SSE]).map(typed('text/xml')),
  ]
  const weight = (many: number) => (many > 0 ? 6 : 1)
  const body = fc.oneof(
    { weight: weight(values.length), arbitrary: bodies[0] as (typeof bodies)[number] },
    { weight: weight(texts.length), arbitrary: bodies[1] as (typeof bodies)[number] },
  )
  const type = fc.option(fc.constantFrom(...TYPES), { freq: 2, nil: undefined })
  const cut = fc.constantFrom<false | 'long' | 'broken'>(
    false,
    false,
    false,
    false,
    'long',
    'broken',
  )
  const more = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, HEADERS)
  const answered = fc.record({ status: STATUS, content: body, type, more, cut }).map(
    ({ status, content, type, more, cut }): Fetched => ({
      ...{ outcome: 'answered', status, body: bytes.encode(content.body), cut },
      headers: new Headers({ 'content-type': type ?? content.type, ...more }),
    }),
  )
  return fc.oneof({ weight: 12, arbitrary: answered }, { weight: 1, arbitrary: TROUBLE })
}

const REPLY = replyOf([])

const SUBJECT = aSubject(
  {
    remoteUrl: `${HOST}/mcp`,
    transports: ['streamable-http'],
    repo: 'https://github.com/a/b',
    kind: 'http-api',
    category: 'models',
    packages: [
      { registry: 'npm', name: 'a-tool' },
      { registry: 'pypi', name: 'a-tool' },
      { registry: 'go', name: 'vendor.example/a' },
    ],
    ...{ pricingUrl: `${HOST}/pricing`, llmsTxt: `${HOST}/llms.txt`, docsUrl: `${HOST}/docs` },
    openapi: `${HOST}/openapi.json`,
    provenance: { terms: `${HOST}/terms`, statusPage: `${HOST}/status`, changelog: `${HOST}/log` },
    x402: {
      level: 'yes',
      endpoints: [{ url: `${HOST}/paid`, priceUsd: 0.01, network: 'eip155:8453' }],
    },
  } as never,
  {
    vendor: {
      url: 'https://vendor.example',
      statusPage: `${HOST}/status`,
      terms: `${HOST}/terms`,
    } as never,
  },
)

const MADE = probesOf(basesAt(HOST))
const REQUESTS_MOST = 400

/** What the servers of a probe would say, in the order it asks; for the others anything. */
const LIKELY: Record<string, readonly (object | string)[]> = {
  npm: JSON_BODIES.slice(2, 4),
  pypi: [FEED, JSON_BODIES[4] as object],
  go: JSON_BODIES.slice(5, 6),
  github: JSON_BODIES.slice(6, 8),
  rdap: JSON_BODIES.slice(11, 13),
  openapi: [
    {
      openapi: '3.1.0',
      info: { title: 'x', version: '1' },
      paths: { '/a': { get: { operationId: 'a', responses: { 200: { $ref: '#/paths/~1a' } } } } },
    },
  ],
}

/** One probe: whatever the world answers, it says what it found in the words of the feeds. */
function probe(one: Probe): Target {
  const input = fc.array(replyOf(LIKELY[one.name] ?? []), { minLength: 1, maxLength: 5 })
  return {
    ...parser(`probe: ${one.name}`, [`probe ${one.name}`], input, () => 'taken'),
    begin: () => {
      must(one.appliesTo(SUBJECT), `${one.name} has nothing to do here`)
      let round = 0
      return {
        input,
        async attempt(replies: Fetched[]) {
          let count = 0
          const fetch = async (url: string): Promise<Fetched> => {
            must(++count < REQUESTS_MOST, `asks more than ${REQUESTS_MOST} times`)
            must(URL.canParse(url), `asks for no address: ${url}`)
            // The guarded fetch goes nowhere else.
            if (!/^https?:/.test(url)) return { outcome: 'blocked', reason: 'No web address.' }
            return replies[count % replies.length] as Fetched
          }
          // What is kept for a while has run out each time.
          const findings = await one.run(
            { fetch },
            SUBJECT,
            NOW + (round++ % 1_000) * 40 * 86_400_000,
          )
          for (const { subject, value } of findings.facts) fitFact(subject, value)
          JSON.stringify(findings)
          return findings.facts.length > 0 ? 'taken' : 'refused'
        },
      }
    },
  }
}

function fitFact(subject: string, value: unknown): void {
  const [kind = ''] = subject.split(' ')
  if (kind === 'memory') return
  must(
    FACTS.some(({ name }) => name === kind),
    `a fact of no kind: ${subject}`,
  )
  must(
    factValue(kind as AnyFact['name'], value) !== undefined,
    `no ${kind}: ${JSON.stringify(value)}`,
  )
}

export const PROBE_TARGETS: readonly Target[] = [
  ...MADE.map(probe),
  parser(
    'probe: robots.txt',
    ['src/catalog/probing/robots.ts#readRobots'],
    fc.tuple(mutatedText([ROBOTS]), mutatedText(['/private/a', '/'])),
    ([text, path]) => (readRobots(text, 'beckon').allows(path) ? 'taken' : 'refused'),
  ),
  parser(
    'probe: security.txt',
    ['src/catalog/facts/security-txt.ts#readSecurityTxt'],
    mutatedText([SECURITY]),
    (text) => (readSecurityTxt(text, NOW).status === 'none' ? 'refused' : 'taken'),
  ),
  parser(
    'probe: text of pages',
    [
      'src/catalog/facts/page-text.ts#fingerprintOf',
      'src/catalog/facts/page-text.ts#normalText',
      'src/catalog/facts/page-text.ts#textInHtml',
      'src/catalog/facts/vendor-status/makers.ts#statusIoId',
    ],
    mutatedText([HTML, FEED]),
    (text) => {
      textInHtml(text)
      statusIoId(text)
      return fingerprintOf(text, true) === undefined ? 'refused' : 'taken'
    },
  ),
  parser(
    'probe: replies in all',
    [
      'src/catalog/facts/answers/probe-attempt.ts#httpOutcome',
      'src/catalog/facts/x402/read-terms.ts#readTerms',
      'src/catalog/facts/mcp-tools/mcp-request.ts#toolsIn',
    ],
    REPLY,
    (reply) => {
      httpOutcome(reply)
      mcpOutcome(reply)
      if (reply.outcome !== 'answered') return 'refused'
      return 'offers' in readTerms(reply) ? 'taken' : 'refused'
    },
  ),
  parser(
    'probe: tools of a server',
    ['src/catalog/facts/mcp-tools/mcp-request.ts#toolsIn'],
    nearly({ tools: [{ name: 'a', description: 'b' }] }),
    (input) => {
      const tools = toolsIn(input)
      if (!tools) return 'refused'
      must(
        tools.every(({ name }) => codePoints(name) <= 200),
        'too much',
      )
      return tools.length > 0 ? 'taken' : 'refused'
    },
  ),
  parser(
    'probe: instants and days',
    [
      'src/catalog/facts/read-address.ts#instantOf',
      'src/catalog/facts/read-address.ts#plausibleDay',
      'src/platform/outgoing/reply.ts#readRetryAfter',
    ],
    mutatedText(
      ['2026-11-21T12:00:00Z', '2026-02-28T23:59:60+23:59', 'Sat, 21 Nov 2026 08:00:00 GMT', '120'],
      ['0', '9', '-', ':', 'T', 'Z', '+', '.', 't'],
    ),
    (text) => {
      const [at, day, rest] = [instantOf(text), plausibleDay(text), readRetryAfter(text, NOW)]
      must(at === undefined || Number.isFinite(at), `no instant: ${at}`)
      must(day === undefined || /^\d{4}-\d\d-\d\d$/.test(day), `no day: ${day}`)
      must(rest === undefined || Number.isFinite(rest), `no rest: ${rest}`)
      return at === undefined ? 'refused' : 'taken'
    },
  ),
]

/** The names of all probes that a server runs. */
export const PROBES = MADE.map(({ name }) => name)
