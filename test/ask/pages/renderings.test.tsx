/** @jsxImportSource preact */

import { expect, test } from 'bun:test'
import { render } from 'preact-render-to-string'
import { ToolArguments } from '../../../src/ask/pages/tool-arguments.tsx'
import { argumentsOf } from '../../../src/ask/wire/tool-arguments.ts'

/** The arguments as a page shows them. */
function show(args: unknown): string {
  const actionBody = JSON.stringify(args, null, 2)
  const detail = { toolName: 'act', action: `act ${JSON.stringify(args)}`, actionBody }
  return render(<ToolArguments values={argumentsOf(detail) ?? {}} body={actionBody} />)
}
/** What of it is text. */
const words = (html: string) =>
  html
    .replace(/<details class="body">.*/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

const QUERY = 'SELECT id\nFROM carts\nWHERE owner IS NULL'

test.each([
  [
    'an e-mail',
    { to: ['kim@example.com', 'Ana <ana@example.org>'], subject: 'Hi', body: 'Dear Kim,\n\nbye' },
    [/class="mail"/, /<b>Hi<.b>/, /Dear Kim,\n\nbye/],
  ],
  ['SQL', { db: 'shop', query: QUERY }, [/<span class="key">SELECT<.span>/, /data-n="3"/]],
  ['money', { amount: 1250.5, currency: 'eur' }, [/>1,250\.50 EUR</]],
  ['money in cents', { amount_cents: 1999, currency: 'USD' }, [/>19\.99 USD \(1999 in cents\)</]],
  ['money that may be cents', { amount: '2000', currency: 'usd' }, [/>2,000 USD</]],
  ['money without cents', { price_cents: 500, currency: 'JPY' }, [/>500 JPY</]],
  [
    'a link',
    { page: 'https://bank.example@evil.example/a' },
    [/leads to <b>evil\.example</, /What stands before/],
  ],
  ['a link of look-alike letters', { page: 'https://pаypal.example/' }, [/leads to <b>xn--/]],
  [
    'a table',
    { rows: [{ id: 1, name: 'a' }, { id: 2 }] },
    [/<th scope="col">name/, /<td class="number"[^>]*>2</],
  ],
  ['a change', { patch: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b' }, [/class="line add"/]],
  ['JSON', { meta: { why: ['late'] } }, [/<span class="str">&quot;late&quot;/]],
  ['a list of arguments', ['a', 2], [/<dt>1 </, /<dt>2 </]],
] as const)('%s is shown as people read it', (_, args, patterns) => {
  const html = show(args)
  for (const pattern of patterns) expect(html).toMatch(pattern)
})

test.each([
  ['words about SQL', { note: 'Update the table on Monday.' }],
  ['a query that is none', { query: 'shoes for men' }],
  ['two amounts', { amount: 1, price: 2, currency: 'EUR' }],
  ['a currency that is none', { amount: 1, currency: 'Euro' }],
  ['somebody who is no address', { to: 'Kim', subject: 'Hi' }],
  ['a list of points', { notes: '- one\n- two' }],
  ['no address', { page: 'javascript:alert(1)' }],
  ['a prototype', JSON.parse('{"__proto__":"a","constructor":"b"}')],
])('%s stays text', (_, args) => {
  const html = show(args)
  expect(html).not.toMatch(/class="(?:mail|money|code lines|sheet)"|leads to/)
  for (const value of Object.values(args))
    expect(words(html)).toContain(String(value).replace(/\s+/g, ' '))
})

const HOSTILE = [
  '</p><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'a\u202eb\u2066c',
  '\u0000\u001b[31m',
  '`x` & <b>',
]

test('hostile text stays text in each of them, with letters that cannot be seen marked', () => {
  for (const text of HOSTILE) {
    const all = [
      { to: 'a@example.com', subject: text, body: text },
      { query: `SELECT '${text}' FROM a` },
      { rows: [{ [text]: text }, { [text]: text }] },
      { meta: { [text]: [text] } },
      { patch: `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-${text}\n+b` },
      { [text]: text, page: `https://evil.example/${encodeURI(text)}` },
    ]
    for (const args of all) {
      const html = show(args)
      expect(html).not.toMatch(/<script|<img/)
      // A page may not be turned around by what an agent writes.
      for (const [letter] of html.matchAll(/[\u202e\u2066]/g)) {
        expect(html).toMatch(new RegExp(`<mark class="letter"[^>]*>${letter}<`))
      }
    }
  }
})

const rowsOf = (length: number) => Array.from({ length }, (_, id) => ({ id }))

test('10,000 rows are cut, and it says so', () => {
  const html = render(<ToolArguments values={{ rows: rowsOf(10_000) }} />)
  expect(html).toContain('9,950 more of 10,000 rows')
  expect(html.match(/<tr>/g)).toHaveLength(51)
})

test('as many rows as a question may have are below, whole', () => {
  const html = show({ rows: rowsOf(100) })
  expect(words(html)).toContain('50 more of 100 rows')
  expect(html).toContain('As it is sent')
  expect(html).toMatch(/>99</)
})

test('what is huge or deep is shown, in a page that is not much longer', () => {
  const deep = JSON.parse(`${'['.repeat(1_900)}${']'.repeat(1_900)}`)
  for (const args of [
    { query: `SELECT ${'('.repeat(3_900)}` },
    { to: `${'a@'.repeat(1_900)}b`, subject: 'x' },
    { amount: '9'.repeat(3_900), currency: 'EUR' },
    { page: `https://${'a.'.repeat(1_900)}` },
    { body: `${'-- \n'.repeat(900)}`, query: `${'-- \n'.repeat(900)}x` },
    { deep },
  ]) {
    const html = render(<ToolArguments values={args} />)
    expect(html).toContain('<dl')
    expect(html.length).toBeLessThan(150_000)
  }
})
