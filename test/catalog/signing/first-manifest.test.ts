import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FeedModule } from '../../../src/catalog/feeds/built-site.ts'
import { publish } from '../../../src/catalog/publishing/publish.ts'
import { createCatalog } from '../../../src/catalog/routes.ts'
import type { Manifest } from '../../../src/catalog/signing/manifest.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { silentLog } from '../../../src/platform/log.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { migratedDatabase } from '../../support/migrated-database.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

const MANIFEST = '/api/v1/manifest.json'
const ARCHIVE = '/api/v1/snapshot.tar.gz'
const NAMES = Array.from({ length: 200 }, (_, i) => `/a/${String(i).padStart(3, '0')}.txt`)

/** Documents that count how often each is made; each takes `slowMs`. */
function countedDocuments() {
  const state = { made: new Map<string, number>(), slowMs: 0 }
  const body = (path: string) => () => {
    state.made.set(path, (state.made.get(path) ?? 0) + 1)
    if (state.slowMs > 0) Bun.sleepSync(state.slowMs)
    return `${path} `.repeat(100)
  }
  const module: FeedModule = {
    *build() {
      for (const path of NAMES) yield { path, type: 'text/plain', body: body(path) }
    },
  }
  return { state, modules: [{ ...module, routes: ['/a/:name'] }] }
}

/** The catalog of a data folder with these documents. */
async function catalogIn(folder: string) {
  const clock = fakeClock(Date.UTC(2026, 10, 21, 12))
  const db = openSqlite(migratedDatabase(folder))
  const { state, modules } = countedDocuments()
  await publish({ db, clock }, generatedCatalog(2))
  const start = () =>
    createCatalog({
      ...{ modules, db, clock, log: silentLog, baseUrl: 'https://catalog.example' },
      ...{ limited: false, addressOf: () => '' },
    })
  return { clock, db, state, start }
}

type Started = ReturnType<Awaited<ReturnType<typeof catalogIn>>['start']>

async function get(catalog: Started, path: string): Promise<Response> {
  const response = await catalog.answer(new Request(`https://catalog.example${path}`))
  return response ?? new Response(null, { status: 404 })
}

async function manifestOf(catalog: Started): Promise<Manifest> {
  const response = await get(catalog, MANIFEST)
  expect(response.status).toBe(200)
  return await response.json()
}

test('the manifest and its archive are made before anybody asks, and each document once', async () => {
  using folder = tempFolder()
  const { db, state, start } = await catalogIn(folder.path)
  await using _db = db
  await using catalog = start()
  await catalog.look()
  expect(state.made.size).toBe(NAMES.length)
  const { files } = await manifestOf(catalog)
  expect(files.map(({ path }) => path)).toEqual(NAMES)
  const archive = await get(catalog, ARCHIVE)
  const packed = await new Bun.Archive(await archive.bytes()).files()
  expect(packed.size).toBe(NAMES.length + 3)
  expect(new Set(state.made.values())).toEqual(new Set([1]))
})

test('while they are made the answer is 503, says how far it is, and when to ask again', async () => {
  using folder = tempFolder()
  const { clock, db, state, start } = await catalogIn(folder.path)
  await using _db = db
  state.slowMs = 60
  await using catalog = start()
  const looking = catalog.look()
  await until(() => state.made.size > 2)
  for (const path of [MANIFEST, ARCHIVE, '/api/v1/revisions.json']) {
    const asking = get(catalog, path)
    await Bun.sleep(0)
    await clock.advance(10_000)
    const response = await asking
    expect([path, response.status]).toEqual([path, 503])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { code, detail, retryAfter } = await response.json()
    expect([code, retryAfter]).toEqual(['unavailable', Number(response.headers.get('retry-after'))])
    expect(detail).toMatch(/: \d+ of 200 documents/)
  }
  state.slowMs = 0
  await looking
  expect((await get(catalog, MANIFEST)).status).toBe(200)
  expect((await get(catalog, ARCHIVE)).status).toBe(200)
})

test('a server that is stopped in the middle stops at once, and the next start does it again', async () => {
  using folder = tempFolder()
  const { db, state, start } = await catalogIn(folder.path)
  await using _db = db
  state.slowMs = 60
  const first = start()
  const looking = first.look().catch((error) => error)
  await until(() => state.made.size > 2)
  await first[Symbol.asyncDispose]()
  expect(await looking).toBeInstanceOf(Error)
  expect(state.made.size).toBeLessThan(NAMES.length)
  state.slowMs = 0
  await using again = start()
  const { sequence, files } = await manifestOf(again)
  expect([sequence, files.length]).toEqual([1, NAMES.length])
  expect((await get(again, ARCHIVE)).status).toBe(200)
})

const abandoned = () => readdirSync(tmpdir()).filter((name) => name.startsWith('beckon-snapshot-'))

test('a start removes what a killed server left, and nothing else', async () => {
  const holder = join(import.meta.dir, '../../../src/catalog/feeds/archive-folder.ts')
  const code = `
    const { makeArchiveFolder } = await import(${JSON.stringify(holder)})
    globalThis.held = makeArchiveFolder()
    console.log(held.path)
    setInterval(() => {}, 1_000)`
  const hold = async () => {
    const child = Bun.spawn(['bun', '-e', code], { env: { ...process.env }, stdout: 'pipe' })
    const { value } = await child.stdout.getReader().read()
    return { child, path: new TextDecoder().decode(value).trim() }
  }
  const [living, killed] = [await hold(), await hold()]
  const foreign = mkdtempSync(join(tmpdir(), 'beckon-snapshot-'))
  killed.child.kill('SIGKILL')
  await killed.child.exited
  using folder = tempFolder()
  const { db, start } = await catalogIn(folder.path)
  await using _db = db
  const before = abandoned().length
  {
    await using catalog = start()
    await catalog.look()
    expect(existsSync(killed.path)).toBe(false)
    expect(existsSync(living.path)).toBe(true)
    expect(existsSync(foreign)).toBe(true)
  }
  expect(abandoned().length).toBeLessThanOrEqual(before)
  living.child.kill('SIGKILL')
  await living.child.exited
})

test('without room for the archive there is a manifest all the same', async () => {
  using folder = tempFolder()
  const { db, state, start } = await catalogIn(folder.path)
  await using _db = db
  const temporary = process.env.TMPDIR
  const file = join(folder.path, 'a-file')
  writeFileSync(file, '')
  process.env.TMPDIR = file
  try {
    await using catalog = start()
    expect((await manifestOf(catalog)).files).toHaveLength(NAMES.length)
    const archive = await get(catalog, ARCHIVE)
    expect([archive.status, archive.headers.get('retry-after')]).toEqual([503, null])
    expect(state.made.size).toBe(NAMES.length)
  } finally {
    if (temporary === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = temporary
  }
})
