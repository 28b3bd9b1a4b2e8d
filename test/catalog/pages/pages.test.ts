import { afterAll, beforeAll, expect, test } from 'bun:test'
import { methodologyPage } from '../../../src/catalog/pages/methodology.tsx'
import {
  aCatalogView,
  type CatalogSite,
  catalogSite,
  measured,
} from '../../support/catalog-pages.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'

// A page with everything, compressed.
const PAGE_MAX_BYTES = 40 * 1024
const VISITED = [
  '/tools',
  '/tools?q=tool&sort=name&page=2',
  '/tools/tool-0000',
  '/tools/tool-0001',
  '/tools/tool-0002',
  '/compare',
  '/compare?tools=tool-0000,tool-0001,tool-0003,tool-0004',
  '/x402',
  '/changes',
  '/changes?kind=shutdown',
  '/methodology',
]

let site: CatalogSite
let paths: string[]
beforeAll(async () => {
  const source = generatedCatalog(200)
  const live = new Map([['tool-0000', measured('tool-0000')]])
  site = await catalogSite(aCatalogView(source, live))
  paths = [...VISITED, ...site.pagesToVisit(VISITED)]
})
afterAll(() => site[Symbol.asyncDispose]())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(site.url + path, { headers, redirect: 'manual' })
const textOf = async (path: string) => (await get(path)).text()

async function packed(path: string): Promise<number> {
  const bytes = new Uint8Array(await (await get(path)).arrayBuffer())
  return Bun.gzipSync(bytes).length
}

function filesOf(page: string): string[] {
  return [...page.matchAll(/(?:src|href)="(\/tools-assets\/[^"]+)"/g)].map(([, file]) => file ?? '')
}

test('every page stays under 40 KB compressed with everything it loads', async () => {
  for (const path of paths) {
    const sizes = await Promise.all([path, ...filesOf(await textOf(path))].map(packed))
    const sum = sizes.reduce((a, b) => a + b, 0)
    expect([path, sum, sum <= PAGE_MAX_BYTES]).toEqual([path, sum, true])
  }
})

test('every page says what it is, where it belongs, and nothing runs on it but our files', async () => {
  for (const path of paths) {
    const response = await get(path)
    const page = await response.text()
    expect([path, response.status]).toEqual([path, 200])
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';")
    expect(response.headers.get('cache-control')).toContain('public')
    expect(response.headers.get('set-cookie')).toBeNull()
    const inline = page.replace(/<script type="application\/ld\+json">.*?<\/script>/s, '')
    expect([path, / style="|<style|<script>|\son\w+="/.test(inline)]).toEqual([path, false])
    expect([path, /(?:src)="(?:https?:)?\/\//.test(page)]).toEqual([path, false])
    expect(page).toMatch(/^<!doctype html><html lang="en">/)
    expect(page).toMatch(/<title>[^<]+ · Generated catalog<\/title>/)
    expect(page).toMatch(/<meta name="description" content="[^"]+"/)
    expect(page).toMatch(/<link rel="canonical" href="https:\/\/catalog\.example\//)
    expect(page.match(/<h1/g)).toHaveLength(1)
  }
})

test('the icon of a page is a file of the catalog, so a copy of plain files has it', async () => {
  const [, icon] = /<link rel="icon" href="([^"]+)"/.exec(await textOf('/tools')) ?? []
  expect(filesOf(await textOf('/tools'))).toContain(icon ?? 'no icon')
  expect((await get(icon ?? '')).headers.get('content-type')).toBe('image/svg+xml')
})

test('what a page loads is kept for ever, and is not there under another hash', async () => {
  const files = filesOf(await textOf('/tools/tool-0001'))
  expect(files.length).toBe(4)
  for (const file of files) {
    const response = await get(file)
    expect([file, response.status]).toEqual([file, 200])
    expect(response.headers.get('cache-control')).toContain('immutable')
  }
  expect((await get('/tools-assets/catalog.0000000000.css')).status).toBe(404)
})

test('the same catalog gives the same bytes', async () => {
  const twin = await catalogSite(
    aCatalogView(generatedCatalog(200), new Map([['tool-0000', measured('tool-0000')]])),
  )
  for (const path of paths) {
    expect([path, await (await fetch(twin.url + path)).text()]).toEqual([path, await textOf(path)])
  }
  await twin[Symbol.asyncDispose]()
})

test('pages name their feeds, so that a reader finds them by itself', async () => {
  const tool = await textOf('/tools/tool-0000')
  for (const href of [
    '/api/v1/tools/tool-0000.json',
    '/tools/tool-0000.md',
    '/tools/tool-0000.atom',
  ]) {
    expect(tool).toContain(`href="${href}"`)
  }
  expect(await textOf('/changes')).toContain('type="application/atom+xml"')
  expect(await textOf('/changes?kind=shutdown')).toContain(
    'webcal://catalog.example/sunsets.ics?kind=shutdown',
  )
})

test('a kind that no change has is told apart from a catalog without changes', async () => {
  const page = await textOf('/changes?kind=no-such-kind')
  expect(page).toContain('Nothing of this kind is announced.')
  expect(page).toContain('Nothing of this kind has happened yet.')
  expect(page).not.toContain('Nothing is announced.')
})

test('an empty comparison names a way that phones have too', async () => {
  // The boxes to tick are on wide screens alone.
  expect(await textOf('/compare')).toContain('under “Compare with”')
  expect(await textOf('/tools/tool-0000')).toContain('<h2>Compare with</h2>')
})

test('who follows an old link is told what became of it, in the look of the catalog', async () => {
  const gone = await get('/tools/tool-gone')
  expect(gone.status).toBe(410)
  expect(gone.headers.get('content-security-policy')).toContain("default-src 'none'")
  const page = await gone.text()
  expect(page).toContain('href="/tools/tool-0000"')
  expect(page).toContain('It closed.')
  const missing = await get('/tools/nobody')
  expect([missing.status, (await missing.text()).includes('/tools-assets/catalog.')]).toEqual([
    404,
    true,
  ])
  expect((await get('/tools/tool-old-name')).headers.get('location')).toContain('/tools/tool-0000')
})

test('a preview says so on every page with records', async () => {
  for (const path of ['/tools', '/tools/tool-0000', '/compare?tools=tool-0000', '/x402']) {
    expect([path, (await textOf(path)).includes('do not rely')]).toEqual([path, true])
  }
})

test('the page of a removed tool names what to use instead, and leads there', async () => {
  const source = generatedCatalog(6)
  const gone = { slug: 'old-tool', date: '2026-10-01', reason: 'The vendor stopped it.' }
  const removed = [{ ...gone, replacement: 'tool-0001' }]
  await using world = await catalogSite(aCatalogView({ ...source, removed }))
  const reply = await fetch(`${world.url}/tools/old-tool`, { headers: { accept: 'text/html' } })
  expect(reply.status).toBe(410)
  const html = await reply.text()
  expect(html).toContain('The vendor stopped it. Use tool-0001 instead.</p>')
  expect(html).toContain('href="/tools/tool-0001"')
})

test('the method is in words: shares that a gate names are numbers on the page', () => {
  const source = generatedCatalog(1)
  const gate = { code: 'thin', cap: 'A', means: 'Less than coverage.full of the weights.' }
  const html = methodologyPage(
    aCatalogView({ ...source, methodology: { ...source.methodology, gates: [gate] } }),
  )
  expect(html).toContain('Less than 80 % of the weights.')
  expect(html).not.toContain('coverage.')
})
