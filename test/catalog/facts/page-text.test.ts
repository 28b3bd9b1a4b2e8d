import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { fingerprintOf, normalText, textInHtml } from '../../../src/catalog/facts/page-text.ts'
import { howOften } from '../../support/share.ts'

const visibleText = (html: string) => normalText(textInHtml(html))

test('of a page only what is shown counts: no scripts, styles, comments, attributes or hidden parts', () => {
  const same = [
    '<p>One  price</p>',
    '<!-- built 17 --><p class="a1b2" nonce="xyz">One <b>price</b></p>',
    '<head><title>T</title><meta content="9"></head><header></header>One price',
    '<script nonce="q">var a = "</p><p>x"</script>One price<style>p{}</style>',
    '<SCRIPT>x</SCRIPT >one price<svg><title>logo</title></svg><noscript>no</noscript>',
    '<p title="a > b" data-x=\'<i>\'>One&nbsp;price',
    'One pri\u00adce\u200b<time datetime="2026">today</time>',
    'One price<!-- never closed',
    'One price<script>never closed',
    'One price<p class="never closed',
  ]
  expect(same.map(visibleText)).toEqual(same.map(() => 'one price'))
})

test('tags part words, entities are read, and what is not a tag is text', () => {
  expect(visibleText('<td>5</td><td>USD</td>')).toBe('5 usd')
  expect(visibleText('a &lt; b &amp;&#65;&#x42;&bogus;&#99999999;')).toBe(
    'a < b &ab&bogus;&#99999999;',
  )
  expect(visibleText('1 < 2 <3')).toBe('1 2 3')
  expect(visibleText('<headline>kept</headline>')).toBe('kept')
})

test('the main part counts alone when there is enough in it', () => {
  const main = `<main>${'Ten dollars a month. '.repeat(20)}</main>`
  expect(visibleText(`<nav>Sale</nav>${main}<footer>Hi</footer>`)).toBe(visibleText(main))
  expect(visibleText('<nav>Sale</nav><main>…</main>')).toContain('sale')
})

describe('what passes is taken out:', () => {
  const SAME: Array<[string, string]> = [
    ['seen 2026-11-21', 'seen 2025-01-02'],
    ['at 2026-11-21T08:00:00.123Z.', 'at 2026-11-22T09:00:00+01:00.'],
    ['21.11.2026 | 11/21/2026', '1.2.2025 | 1/2/2025'],
    ['updated November 21, 2026', 'updated Jan 2nd 2025'],
    ['updated 21 Nov 2026', 'updated 1st sept. 2025'],
    ['now 08:00', 'now 12:34:56 PM UTC'],
    ['5 minutes ago', 'an hour ago'],
    ['© 2026 Acme', '© 2019–2027 Acme'],
    ['id 3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'id 00000000-4f89-11d3-9a0c-0305e82c3301'],
    ['build 9f86d081884c7d659a2f', 'build 00ba91c3e4d5f60718aa'],
  ]
  for (const [one, other] of SAME) {
    test(`${one}, ${other}`, () => {
      expect(normalText(one)).toBe(normalText(other))
    })
  }

  test('nothing is taken out that a customer would want to know', () => {
    const differ: Array<[string, string]> = [
      ['$5 per month', '$6 per month'],
      ['0.01 USD', '0.001 USD'],
      ['1,000 requests', '10,000 requests'],
      ['claude-3-5-sonnet-20241022', 'claude-3-5-sonnet-20250514'],
      ['for 30 days', 'for 7 days'],
      ['since 2024', 'since 2025'],
      ['ratio 16:9', 'ratio 4:3'],
      ['version 1.2.3', 'version 1.2.4'],
      ['internationalization', 'nationalization'],
    ]
    for (const [one, other] of differ) expect(normalText(one)).not.toBe(normalText(other))
  })
})

const piece = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom(
    ...['2026-11-21', '1.2.2026', 'nov 21, 2026', '21 nov 2026', '08:00', '©', ' 2026', 'ago'],
    ...['5 minutes ', 'a', '<', '>', '</', '<main>', '</main>', '<script>', '"', '=', '&', '&#'],
    ...['t08:00z', ' ', '\u200b', '\u202e', 'İ', 'ß', 'Å', '·', '-', '9f86d081884c7d659a2f'],
  ),
)
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

test('what was normalised stays as it is', () => {
  fc.assert(
    fc.property(text, (some) => {
      const once = normalText(some)
      expect(normalText(once)).toBe(once)
    }),
    { numRuns: howOften(50, 500) },
  )
})

test('a script, a comment or an attribute more changes nothing', () => {
  const words = fc.array(fc.stringMatching(/^[a-z0-9]{1,12}$/), { minLength: 1, maxLength: 20 })
  const noise = fc.stringMatching(/^[a-zA-Z0-9 ;{}()'.]{0,40}$/)
  fc.assert(
    fc.property(words, noise, noise, (some, one, other) => {
      const page = (before: string, attribute: string) =>
        `${before}${some.map((word) => `<p data-a="${attribute}">${word}</p>`).join(before)}`
      const plain = fingerprintOf(page('', ''), true)
      expect(fingerprintOf(page(`<script>${one}</script>`, other), true)).toBe(plain)
      expect(fingerprintOf(page(`<!-- ${other} -->`, one), true)).toBe(plain)
    }),
  )
})

test('another word is another fingerprint', () => {
  const word = fc.stringMatching(/^[b-y]{3,10}$/)
  fc.assert(
    fc.property(fc.array(word, { maxLength: 10 }), word, (some, more) => {
      const page = (words: string[]) => fingerprintOf(`<p>${words.join(' ')} a</p>`, true)
      expect(page([...some, more])).not.toBe(page(some))
    }),
  )
})

test('the text of a page is read, and a page without text has no fingerprint', () => {
  fc.assert(
    fc.property(text, (some) => {
      expect(fingerprintOf(some, true) ?? '0'.repeat(64)).toMatch(/^[0-9a-f]{64}$/)
    }),
  )
  expect(fingerprintOf('<script>x</script> \u202e', true)).toBeUndefined()
})

test.each([
  ['<p>One</p><svg/><p>Two</p>', 'one two'],
  ['<p>One</p><svg width="1" /><p>Two</p>', 'one two'],
  ['<p>One</p><svg hidden/><p>Two</p>', 'one two'],
  ['<p>One</p><svg><path d="M0 0"/><text>x</text></svg><p>Two</p>', 'one two'],
  // Here the slash belongs to the value, and elsewhere it closes nothing.
  ['<p>One</p><svg width=1/>no</svg><p>Two</p>', 'one two'],
  ['<p>One</p><script/>no</script><p>Two</p>', 'one two'],
])('what follows a picture is read: %s', (page, text) => expect(visibleText(page)).toBe(text))

test('a page that is made to take long takes no longer than any other', () => {
  const MB = 1_000_000
  const pages = [
    '<'.repeat(MB),
    '<a '.repeat(MB / 3),
    '<p title="'.repeat(MB / 10),
    '</head'.repeat(MB / 6),
    '<main>'.repeat(MB / 6),
    '<!--'.repeat(MB / 4),
    '&#'.repeat(MB / 2),
    '1'.repeat(MB),
    '1-'.repeat(MB / 2),
    'a1'.repeat(MB / 2),
    'nov 21, '.repeat(MB / 8) + '2026 '.repeat(MB / 5),
    ' '.repeat(MB),
    '\u200b'.repeat(MB),
    '\u0344'.repeat(MB),
    '\ufdfa'.repeat(MB),
  ]
  // Runs into the limit of the test if any of them takes time in proportion to its square.
  for (const page of pages) fingerprintOf(page, true)
}, 60_000)
