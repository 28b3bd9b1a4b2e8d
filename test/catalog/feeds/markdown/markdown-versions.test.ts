import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import { fullMarkdown } from '../../../../src/catalog/feeds/markdown/full.ts'
import { SLIM_TOKENS, slimMarkdown } from '../../../../src/catalog/feeds/markdown/slim.ts'
import { tokensAtMost } from '../../../../src/catalog/feeds/markdown/token-bound.ts'
import { feedMeta } from '../../../../src/catalog/feeds/meta.ts'
import type { ToolDetail } from '../../../../src/catalog/records/tool.ts'
import { howOften } from '../../../support/share.ts'
import { changeItem, filledWith, HOSTILE_TEXTS, sampleSnapshot } from '../../snapshot-of.ts'

const snapshot = sampleSnapshot(40)
const about = { meta: feedMeta(snapshot) }
const plain = snapshot.tools[6] as ToolDetail

const words = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 400 }),
)

/** What Bun's own parser of CommonMark makes of a twin, without its front matter. */
function htmlOf(markdown: string): string {
  return Bun.markdown.html(markdown.replace(/^---\n[\s\S]*?\n---\n/, ''))
}

function tagsOf(html: string): string[] {
  return [...new Set([...html.matchAll(/<\/?([a-z0-9]+)/gi)].map((match) => match[1] as string))]
}

function tokensOf(text: string): number {
  return Math.max(o200k(text), cl100k(text))
}

// spec: CF-MARKDOWN
test('the slim twin has at most 600 tokens for every generated record, and says what an agent needs', () => {
  for (const tool of snapshot.tools) {
    const text = slimMarkdown(tool, snapshot.changes, about)
    expect(tokensOf(text)).toBeLessThanOrEqual(SLIM_TOKENS)
    for (const part of [tool.name, tool.summary, tool.markdownUrl, tool.jsonUrl, tool.auth]) {
      expect(text).toContain(part)
    }
  }
})

test('the slim twin has at most 600 tokens when every field is as long as it may be', () => {
  const prose = 'It answers with a clear error, says what to do next, and never asks twice. '
  const tool = filledWith(plain, prose.repeat(50))
  const changes = Array.from({ length: 50 }, (_, at) =>
    changeItem({ id: `c-${at}`, what: prose.repeat(20) }),
  )
  const text = slimMarkdown(tool, changes, about)
  expect(tokensOf(text)).toBeLessThanOrEqual(SLIM_TOKENS)
  expect(tokensOf(text)).toBeGreaterThan(250)
  expect(text).toContain('shutdown')
  expect(text).toContain(tool.markdownUrl)
})

test.each(HOSTILE_TEXTS.map((text) => [text]))(
  'the slim twin has at most 600 tokens with %p',
  (text) => {
    const changes = [changeItem({ what: text, name: text, kind: text })]
    const slim = slimMarkdown(filledWith(plain, text), changes, about)
    expect(tokensOf(slim)).toBeLessThanOrEqual(SLIM_TOKENS)
  },
)

test('the slim twin tells of a shutdown to come before anything that is only good to know', () => {
  const text = slimMarkdown(plain, [changeItem()], about)
  expect(text.indexOf('2026-12-31')).toBeGreaterThan(0)
  expect(text.indexOf('2026-12-31')).toBeLessThan(text.indexOf('Good:'))
  const ended = slimMarkdown(plain, [changeItem({ date: '2025-01-31' })], about)
  expect(ended).toContain('2025-01-31')
  const past = slimMarkdown(plain, [changeItem({ date: '2025-01-31', kind: 'price' })], about)
  expect(past).not.toContain('2025-01-31')
  const withdrawn = slimMarkdown(plain, [changeItem({ status: 'withdrawn' })], about)
  expect(withdrawn).not.toContain('2026-12-31')
})

test('a rare word stays within the bound however often it is said', () => {
  const text = 'Supercalifragilistic'.repeat(25)
  expect(tokensAtMost(text)).toBeGreaterThanOrEqual(tokensOf(text))
})

test('the bound is not below what two tokenizers count, for any text', () => {
  fc.assert(
    fc.property(fc.oneof(words, fc.lorem({ maxCount: 60 })), (long) => {
      const text = long.slice(0, 1_000)
      expect(tokensAtMost(text)).toBeGreaterThanOrEqual(tokensOf(text.toWellFormed()))
    }),
  )
})

test('the full twin starts with front matter that YAML reads, with the credit and licence', () => {
  const hostile = { ...about.meta, attribution: 'a"b\n---\nevil: true \u202e' }
  const text = fullMarkdown(plain, [], { ...about, meta: hostile })
  const [, yaml] = text.split(/^---$/m)
  expect(Bun.YAML.parse(yaml ?? '')).toEqual({
    title: plain.name,
    slug: plain.slug,
    url: plain.url,
    json: plain.jsonUrl,
    slim: plain.slimMarkdownUrl,
    license: 'CC-BY-4.0',
    attribution: 'a"b --- evil: true',
    generated: '2026-11-21',
    methodology: '1.0',
    method: 'https://catalog.example/methodology',
    preview: true,
  })
})

test('the full twin has the facts, the sum of the grade, prices, changes and reviews', () => {
  const tool = snapshot.tools.find((one) => one.reviews.length > 0 && one.graded) as ToolDetail
  const text = fullMarkdown(tool, [changeItem({ what: 'It ends.' })], about)
  const parts = [tool.vendor, 'A generated review', 'of 10, weight', 'USD per request', 'It ends.']
  for (const part of [...parts, tool.docsUrl as string]) expect(text).toContain(part)
})

// Emphasis and lists are the twin's own; nothing a record says makes a tag beside them.
const OWN_TAGS = [
  'h1',
  'h2',
  'h3',
  'p',
  'ul',
  'li',
  'strong',
  'em',
  'blockquote',
  'pre',
  'code',
  'a',
]
const OWN_HOSTS =
  /^https:\/\/(vendor\.example|vendor-\d+\.example|catalog\.example|github\.com)(\/|$)/

function expectOnlyText(markdown: string): void {
  const html = htmlOf(markdown)
  for (const tag of tagsOf(html)) expect(OWN_TAGS).toContain(tag)
  for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(OWN_HOSTS)
  expect(html.match(/<h1>/g)).toHaveLength(1)
  expect(html.match(/<strong>[^<]*<\/strong>(?!:)/g)?.filter((b) => !b.includes(':'))).toEqual([])
  expect(markdown).not.toMatch(/[\p{Bidi_Control}\u200b\ufeff\u{e0000}-\u{e007f}]/u)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(markdown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
  expect(markdown.isWellFormed()).toBe(true)
}

test.each(HOSTILE_TEXTS.map((text) => [text]))('text stays text in both twins: %p', (text) => {
  const tool = filledWith(plain, text)
  const changes = [changeItem({ what: text, kind: text, replacement: text, source: text })]
  expectOnlyText(fullMarkdown(tool, changes, about))
  expectOnlyText(slimMarkdown(tool, changes, about))
})

test('random text makes no tag, no heading and no link', () => {
  const signs = fc.string({
    unit: fc.constantFrom(...'ab1 \n\t\\`*_[]()<>#+-.!|~&;:"\'={}$/@'),
    maxLength: 40,
  })
  fc.assert(
    fc.property(fc.oneof(signs, words), (text) => {
      expectOnlyText(fullMarkdown(filledWith(plain, text), [], about))
    }),
    { numRuns: howOften(20, 150) },
  )
})

test('the same record gives the same bytes', () => {
  expect(fullMarkdown(structuredClone(plain), snapshot.changes, about)).toBe(
    fullMarkdown(plain, snapshot.changes, about),
  )
})
