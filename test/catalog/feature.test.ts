import { expect, test } from 'bun:test'
import { basename } from 'node:path'
import { loadFeedModules } from '../../src/catalog/feed-modules.ts'
import { ownership } from '../../src/catalog/feeds/addresses.ts'
import { publish } from '../../src/catalog/publishing/publish.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { aCatalogView } from '../support/catalog-pages.ts'
import { exampleCatalog } from '../support/example-catalog.ts'
import { generatedCatalog } from '../support/generated-catalog.ts'
import { startedApp } from '../support/started-app.ts'
import { until } from '../support/until.ts'

const FIGURE = /^beckon_catalog_tools (\d+)$/m

const modules = (await loadFeedModules()).map((module) => [module.routes[0] ?? '', module] as const)

test.each(modules)('the module of %s answers its addresses and no others', (_name, module) => {
  // More tools than one page of the directory lists.
  const snapshot = aCatalogView(generatedCatalog(60))
  snapshot.settings.contact = 'mailto:security@catalog.example'
  const built = [...module.build(snapshot)].flatMap((one) => (one ? [one.path] : []))
  const answered = [...built, ...(module.asks ?? []).map(({ path }) => path)]
  const owns = ownership(module.routes)
  expect(answered.filter((path) => !owns(path))).toEqual([])
  expect(module.routes.filter((route) => !answered.some(ownership([route])))).toEqual([])
})

test('requests that come at once while the catalog is loaded get the same answer', async () => {
  await using started = await startedApp()
  const { url } = started.app
  const paths = ['/api/v1/tools.json', '/api/v1/tools%2ejson', '/tools', '/robots.txt']
  const requests = [...paths, ...paths].map((path) => fetch(`${url}${path}`))
  const replies = await Promise.all(requests)
  expect(replies.map(({ status }) => status)).toEqual(requests.map(() => 200))
  const texts = await Promise.all(replies.map((reply) => reply.text()))
  expect(texts.slice(paths.length)).toEqual(texts.slice(0, paths.length))
  expect(JSON.parse(texts[0] ?? '')).toMatchObject({ tools: [] })
})

test('what is published first is served without anybody asking for it', async () => {
  await using started = await startedApp()
  const { db, url } = started.app
  const tools = async () => FIGURE.exec(await (await fetch(`${url}/metrics`)).text())?.[1]
  await until(async () => (await tools()) === '0')
  await publish({ db, clock: systemClock }, await exampleCatalog())
  await until(async () => Number(await tools()) > 0)
})

test('a server that stops while its catalog is loaded ends all the same', async () => {
  await using started = await startedApp()
  const request = fetch(`${started.app.url}/tools`).catch(() => undefined)
  await started.app.stop()
  expect([200, 503, undefined]).toContain((await request)?.status)
})

/** The files that are loaded with `entry`, before anything is imported on demand. */
async function loadedWith(entry: string): Promise<string[]> {
  const { metafile, outputs } = await Bun.build({
    entrypoints: [entry],
    target: 'bun',
    splitting: true,
    metafile: true,
  })
  const written = metafile?.outputs ?? {}
  const first = outputs.find(({ kind }) => kind === 'entry-point')?.path ?? ''
  const chunks = new Set<string>()
  const add = (path: string) => {
    // The name of another chunk may end in the same letters.
    const name = Object.keys(written).find((it) => basename(it) === basename(path))
    if (name === undefined || chunks.has(name)) return
    chunks.add(name)
    for (const { kind, path: next } of written[name]?.imports ?? []) {
      if (kind === 'import-statement') add(next)
    }
  }
  add(first)
  return [...chunks].flatMap((name) => Object.keys(written[name]?.inputs ?? {}))
}

test('a server without a catalog does not load its pages, feeds and probes', async () => {
  const files = await loadedWith(`${import.meta.dir}/../../src/catalog/feature.ts`)
  expect(files).toContain('src/catalog/feature.ts')
  const rest = files.filter((file) => /^src\/catalog\/(pages|importers|probing|facts)\//.test(file))
  expect(rest).toEqual([])
  expect(files.filter((file) => file.startsWith('src/catalog/')).length).toBeLessThan(20)
})

test('a server that starts loads pages, routes and their framework afterwards', async () => {
  const files = await loadedWith(`${import.meta.dir}/../../src/app.ts`)
  expect(files).toContain('src/app.ts')
  const later = /node_modules\/(elysia|better-auth)\/|\/(rest|mount|pages)\.tsx?$/
  expect(files.filter((file) => later.test(file))).toEqual([])
})
