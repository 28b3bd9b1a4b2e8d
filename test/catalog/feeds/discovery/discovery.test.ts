import { expect, test } from 'bun:test'
import { parseXml } from '@rgrove/parse-xml'
import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { CatalogSnapshot } from '../../../../src/catalog/feeds/catalog-snapshot.ts'
import { jsonLd } from '../../../../src/catalog/feeds/discovery/json-ld.ts'
import { llmsFullText, llmsText } from '../../../../src/catalog/feeds/discovery/llms.ts'
import { robotsText, sitemapXml } from '../../../../src/catalog/feeds/discovery/sitemap.ts'
import { apiCatalog, securityText } from '../../../../src/catalog/feeds/discovery/well-known.ts'
import type { ToolDetail } from '../../../../src/catalog/records/tool.ts'
import { BASE, filledWith, HOSTILE_TEXTS, sampleSnapshot } from '../../snapshot-of.ts'

const snapshot = sampleSnapshot(40)
const plain = snapshot.tools[6] as ToolDetail

const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 200 }),
)

function hostileView(text: string): CatalogSnapshot {
  const tools = [filledWith(plain, text)]
  const name = text || 'n'
  const categories = snapshot.settings.categories.map((one) => ({
    ...one,
    name,
    description: text,
  }))
  const settings = { ...snapshot.settings, name, description: text, attribution: text, categories }
  return { ...snapshot, settings, tools, bySlug: new Map([[plain.slug, tools[0] as ToolDetail]]) }
}

function withSettings(own: Partial<CatalogSnapshot['settings']>): CatalogSnapshot {
  return { ...snapshot, settings: { ...snapshot.settings, ...own } }
}

const text = llmsText(snapshot)

test('llms.txt has the shape of llmstxt.org: one title, a quotation, then sections of links', () => {
  const lines = text.split('\n')
  expect(lines[0]).toBe('# Generated catalog')
  expect(lines[2]).toStartWith('> ')
  expect(lines.filter((line) => line.startsWith('# '))).toHaveLength(1)
  const sections = text.split(/^## /m).slice(1)
  expect(sections.map((part) => part.split('\n')[0])).toEqual(['Feeds', 'Categories', 'Optional'])
  for (const section of sections) {
    for (const line of section.split('\n').slice(1).filter(Boolean)) {
      expect(line).toMatch(/^- \[[^\]]+\]\(https:\/\/catalog\.example\/\S*\): \S/)
    }
  }
})

test('llms.txt stays small however many tools there are', () => {
  expect(countTokens(llmsText(sampleSnapshot(1000)))).toBeLessThan(1500)
})

test('llms.txt of a catalog without tools is still one', () => {
  const empty = { ...snapshot, tools: [], changes: [], bySlug: new Map() }
  expect(llmsText(empty)).toStartWith('# Generated catalog')
  expect(llmsFullText(empty)).toStartWith('# Generated catalog')
})

test('llms-full.txt has one line for each tool, with its slim twin', () => {
  const lines = llmsFullText(snapshot)
    .split('\n')
    .filter((line) => line.startsWith('- ['))
  expect(lines).toHaveLength(snapshot.tools.length)
  for (const { slimMarkdownUrl } of snapshot.tools) {
    expect(lines.filter((line) => line.includes(`(${slimMarkdownUrl})`))).toHaveLength(1)
  }
})

test('in both no text becomes markup or a link that is not ours', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const markdown of [llmsText(hostileView(text)), llmsFullText(hostileView(text))]) {
        const html = Bun.markdown.html(markdown)
        for (const [, tag] of html.matchAll(/<([a-z0-9]+)/gi)) {
          expect(['h1', 'h2', 'p', 'ul', 'li', 'a', 'blockquote', 'code']).toContain(tag as string)
        }
        for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toStartWith(BASE)
        expect(html.match(/<h1>/g)).toHaveLength(1)
      }
    }),
  )
})

test('the sitemap lists the pages and every tool', () => {
  const xml = sitemapXml(snapshot)
  const locations = [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map((match) => match[1])
  expect(locations).toEqual([
    ...['/tools', '/x402', '/changes', '/methodology'].map((path) => `${BASE}${path}`),
    ...snapshot.tools.map((tool) => tool.url),
  ])
  const odd = sitemapXml({ ...snapshot, baseUrl: 'https://a.example/?a=1&b=<' })
  expect(odd).toContain('&amp;b=&lt;')
  expect(() => parseXml(odd)).not.toThrow()
})

test('a published catalog is open to crawlers, the pages of the question service are not', () => {
  const text = robotsText(withSettings({ preview: false }))
  const lines = text.split('\n')
  expect(lines).toContain('Disallow: /')
  expect(lines).toContain('Allow: /tools')
  expect(lines).toContain('Disallow: /tools?')
  expect(lines).toContain(`Sitemap: ${BASE}/sitemap.xml`)
})

test('a preview is not to be indexed', () => {
  expect(robotsText(withSettings({ preview: true }))).toBe('User-agent: *\nDisallow: /\n')
})

test('the API catalog is a linkset that names the description of the feeds', () => {
  const { linkset } = JSON.parse(apiCatalog(snapshot))
  const own = linkset.find((one: { anchor: string }) => one.anchor === `${BASE}/api/v1/`)
  expect(own['service-desc'][0].href).toBe(`${BASE}/openapi.json`)
  for (const context of linkset) {
    expect(URL.canParse(context.anchor)).toBe(true)
    for (const [relation, targets] of Object.entries(context)) {
      if (relation === 'anchor') continue
      for (const { href } of targets as Array<{ href: string }>) {
        expect(href).toStartWith('https://')
      }
    }
  }
})

test('security.txt has a contact and an end within a year, and is absent without a contact', () => {
  const text = securityText(withSettings({ contact: 'mailto:security@catalog.example' }))
  expect(text).toBe(
    [
      'Contact: mailto:security@catalog.example',
      'Expires: 2027-10-01T00:00:00Z',
      'Preferred-Languages: en',
      `Canonical: ${BASE}/.well-known/security.txt`,
      '',
    ].join('\n'),
  )
  expect(securityText(snapshot)).toBeUndefined()
})

test('a contact cannot add a line', () => {
  const text = securityText(withSettings({ contact: 'https://a.example/x\nPolicy: https://b' }))
  expect(text?.split('\n').filter(Boolean)).toHaveLength(4)
  expect(text).not.toContain('\nPolicy')
})

test('JSON-LD is the record in the words of schema.org', () => {
  const graded = snapshot.tools.find((tool) => tool.graded) as ToolDetail
  const data = JSON.parse(jsonLd(graded, snapshot))
  expect(data['@context']).toBe('https://schema.org')
  expect(data.name).toBe(graded.name)
  expect(data.url).toBe(graded.url)
  expect(data.review.reviewRating).toMatchObject({
    ratingValue: graded.catalog.score,
    bestRating: 100,
  })
  expect(data.subjectOf.license).toBe('CC-BY-4.0')
})

test('JSON-LD claims no rating for a record without a grade', () => {
  const without = snapshot.tools.find((tool) => !tool.graded) as ToolDetail
  expect(JSON.parse(jsonLd(without, snapshot))).not.toHaveProperty('review')
  const { vendorUrl, ...unnamed } = { ...without, vendor: '' }
  expect(JSON.parse(jsonLd(unnamed, snapshot))).not.toHaveProperty('provider')
})

test('JSON-LD cannot end its element, and names no address that is not http', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const json = jsonLd({ ...filledWith(plain, text), repo: `javascript:${text}` }, snapshot)
      expect(json).not.toMatch(/[<>&\u2028\u2029]/)
      expect(JSON.parse(json)).not.toHaveProperty('sameAs')
    }),
  )
})
