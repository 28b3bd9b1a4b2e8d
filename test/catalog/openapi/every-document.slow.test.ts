import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { CatalogSource } from '../../../src/catalog/authoring/catalog-source.ts'
import { unsafeIn } from '../../../src/catalog/authoring/check-file.ts'
import { loadFeedModules } from '../../../src/catalog/feed-modules.ts'
import { exampleCatalog } from '../../support/example-catalog.ts'
import { describedPath, heldTo } from '../../support/held-to-description.ts'
import { hostileCatalog } from '../../support/hostile-catalog.ts'
import { MARKUP } from '../../support/hostile-corpus.ts'
import {
  asFiles,
  type PublishedCatalog,
  publishedCatalog,
} from '../../support/published-catalog.ts'
import { until } from '../../support/until.ts'
import { HOSTILE_TEXTS } from '../snapshot-of.ts'

const FEED_MODULES = await loadFeedModules()

// What `catalog lint` refuses is in no file of a catalog.
const TEXTS = [...HOSTILE_TEXTS, ...MARKUP].filter((text) => !unsafeIn(text))
const ADDRESSES = [
  'https://vendor.example/a?b=c&d=%20e#f',
  "https://vendor.example:8443/~a/;b=1,2/(c)'*!$@:x",
  'http://[2001:db8::1]/',
]

const CATALOGS: Array<[name: string, source: () => Promise<CatalogSource | undefined>]> = [
  ['the examples', exampleCatalog],
  ['every field, with text that tries to get out', () => asFiles(hostileCatalog(TEXTS, ADDRESSES))],
  ['nothing published', async () => undefined],
]

// As a browser shows them; readers that check addresses (RFC 3986) would refuse the whole document.
const NO_ADDRESSES = [
  ...['https://bücher.example/', 'https://a.example/ü', 'https://a.example/[1]', 'https://[x]/'],
  ...['https://a.example/%zz', 'https://a.example/a|b', 'https://a.example/#a#b'],
  ...['https://me:key@a.example/', 'https:///a', 'https://a.example:x/'],
]

const MIRRORED = ['manifest.json', 'manifest.jws.json', 'revisions.json', 'snapshot.tar.gz']

/** What mirrors read, with one of the files that the manifest names. */
async function mirrored(world: PublishedCatalog): Promise<string[]> {
  // Until everything is packed the answer is 503.
  await until(async () => (await world.get('/api/v1/manifest.json')).status === 200)
  const { files } = await (await world.get('/api/v1/manifest.json')).json()
  return [
    ...MIRRORED.map((name) => `/api/v1/${name}`),
    '/.well-known/catalog-keys.json',
    '/.well-known/catalog-minisign.pub',
    '/api/v1/catalog.sqlite.minisig',
    `/api/v1/blobs/sha256/${files[0].sha256}`,
  ]
}

const isAsset = (path: string) => path.startsWith('/tools-assets/')

describe.each(CATALOGS)('%s', (name, sourceOf) => {
  let world: PublishedCatalog
  let paths: string[]
  beforeAll(async () => {
    world = await publishedCatalog(await sourceOf())
    const built = FEED_MODULES.flatMap((module) => [...module.build(world.snapshot)])
    paths = built.flatMap((one) => (one && !isAsset(one.path) ? [one.path] : []))
    paths.push(...(await mirrored(world)))
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('every document that a module builds is what its description says', async () => {
    const check = heldTo(world.description)
    const described = new Set<string>()
    for (const path of paths) described.add(await check(path, await world.get(path)))
    expect(paths.length).toBeGreaterThanOrEqual(name === 'nothing published' ? 15 : 300)
    // And nothing is described that is not there.
    if (name.startsWith('every field')) {
      const all = Object.entries(world.description.paths)
      const own = all.filter(([, { get }]) => get?.tags.includes('catalog'))
      expect([...described].sort()).toEqual(own.map(([path]) => path).sort())
    }
  })

  test('a reader with the current document gets no body, and HEAD gets none', async () => {
    const check = heldTo(world.description)
    const one = paths.findIndex((path) => path.startsWith('/tools/'))
    for (const path of [
      ...paths.filter((path) => !path.includes('/tools/')),
      paths[one] ?? '/tools',
    ]) {
      const etag = (await world.get(path)).headers.get('etag') ?? ''
      const response = await world.get(path, { headers: { 'if-none-match': etag } })
      expect([path, response.status]).toEqual([path, 304])
      await check(path, response)
      const head = await world.get(path, { method: 'HEAD' })
      expect([path, head.status, await head.text()]).toEqual([path, 200, ''])
    }
  })
})

test('every address of every module is described, with the parameters that it answers', async () => {
  await using world = await publishedCatalog()
  for (const { routes, asks = [] } of FEED_MODULES) {
    for (const route of routes.filter((one) => !isAsset(one))) {
      const endings = route.includes(':file') ? ['x', 'x.json', 'x.md', 'x.atom'] : ['']
      const matches = endings.filter((it) =>
        describedPath(world.description, route.replace(':file', it)),
      )
      expect([route, matches.length > 0]).toEqual([route, true])
    }
    for (const { path } of asks) {
      const { parameters = [] } = world.description.paths[path]?.get ?? {}
      expect([path, parameters.length > 0]).toEqual([path, true])
    }
  }
  const paths = new Set(FEED_MODULES.flatMap(({ asks = [] }) => asks.map(({ path }) => path)))
  paths.add('/api/v1/revisions.json')
  for (const [path, { get }] of Object.entries(world.description.paths)) {
    if (!get?.tags.includes('catalog')) continue
    const takes = get.parameters.some((one) => one.in === 'query')
    expect([path, takes]).toEqual([path, paths.has(path)])
  }
})

test('what is not as it is described is found', async () => {
  await using world = await publishedCatalog(await exampleCatalog())
  const path = '/api/v1/tools.json'
  const errorAfter = async (change: (description: PublishedCatalog['description']) => unknown) => {
    const description = structuredClone(world.description)
    change(description)
    const error = await heldTo(description)(path, await world.get(path)).catch(String)
    return String(error)
  }
  const properties = (all: Record<string, object>, name: string) =>
    (all[name] as { properties: Record<string, object> }).properties
  expect(await errorAfter(() => {})).toBe(path)
  expect(
    await errorAfter(
      ({ components }) => delete properties(components.schemas, 'CatalogToolRecord').tags,
    ),
  ).toContain('additional')
  expect(
    await errorAfter(({ components }) => {
      properties(components.schemas, 'CatalogMeta').run = { type: 'string', format: 'date-time' }
    }),
  ).toContain('date-time')
  expect(await errorAfter(({ paths }) => delete paths[path])).toContain('nothing describes it')
  expect(
    await errorAfter(({ components }) => {
      Object.assign(components.headers.CatalogETag?.schema ?? {}, { pattern: '^W/' })
    }),
  ).toContain('ETag')
})

test.each(NO_ADDRESSES)('%s gets into no catalog', async (address) => {
  const source = await asFiles(hostileCatalog(['one'], [address])).catch(String)
  expect(String(source)).toContain('a web address')
})
