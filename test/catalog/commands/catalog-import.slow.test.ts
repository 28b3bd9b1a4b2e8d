import { expect, setDefaultTimeout, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beckon } from '../../support/beckon.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const SEED = join(import.meta.dir, '../../fixtures/catalog/mcp-registry/seed.json')

// Each of them starts the program several times.
setDefaultTimeout(120_000)

function catalogIn(path: string): string {
  writeCatalogFolder(path, {})
  return path
}

test('import writes files in which nothing is wrong, and says what it did', async () => {
  using temp = tempFolder()
  const dir = catalogIn(temp.path)
  const done = await beckon(['catalog', 'import', SEED, '--dir', dir])
  expect(done).toMatchObject({ code: 0, err: '' })
  expect(done.out).toContain('3 records (mcp-registry): 3 made')
  expect(done.out).not.toContain('Licence of the source')
  expect(await beckon(['catalog', 'lint', dir])).toMatchObject({ code: 0, out: '' })
  const again = await beckon(['catalog', 'import', SEED, '--dir', dir])
  expect(again.out).toContain('0 made, 0 changed, 3 as they were')
})

test('import --dry-run says the same and writes nothing', async () => {
  using temp = tempFolder()
  const dir = catalogIn(temp.path)
  const done = await beckon(['catalog', 'import', SEED, '--dir', dir, '--dry-run'])
  expect(done.out).toContain('This would be 3 records (mcp-registry): 3 made')
  const one = await beckon(['catalog', 'import', SEED, '--dir', dir, '--dry-run', '--limit', '1'])
  expect(one.out).toContain('This would be 1 record (mcp-registry)')
  expect(existsSync(join(dir, 'tools'))).toBe(false)
})

test('the report is JSON, in a file or on standard output alone', async () => {
  using temp = tempFolder()
  const dir = catalogIn(temp.path)
  const file = join(dir, 'report.json')
  const flags = ['--dir', dir, '--limit', '2', '--report']
  await beckon(['catalog', 'import', SEED, ...flags, file])
  const written = JSON.parse(readFileSync(file, 'utf8'))
  expect(written).toMatchObject({ importer: 'mcp-registry', counts: { records: 2, made: 2 } })
  const { out } = await beckon(['catalog', 'import', SEED, ...flags, '-', '--new-only'])
  expect(JSON.parse(out).counts).toMatchObject({ made: 0, kept: 2 })
})

test('a registry is asked the second time for what changed since', async () => {
  const queries: string[] = []
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ url }) {
      queries.push(new URL(url).searchParams.get('updated_since') ?? 'all')
      const updatedAt = '2026-11-20T08:00:00Z'
      const meta = { status: 'active', isLatest: true, updatedAt }
      const server = { name: 'io.github.ada/thing', description: 'A thing.', version: '1.0.0' }
      const _meta = { 'io.modelcontextprotocol.registry/official': meta }
      return Response.json({ servers: [{ server, _meta }], metadata: { count: 1 } })
    },
  })
  using temp = tempFolder()
  const dir = catalogIn(temp.path)
  const env = { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
  const url = `http://127.0.0.1:${server.port}/v0.1/servers`
  const run = (...more: string[]) =>
    beckon(['catalog', 'import', url, '--dir', dir, ...more], { env })
  expect(await run()).toMatchObject({ code: 0 })
  await run()
  await run('--since', 'all')
  expect(queries).toEqual(['all', '2026-11-20T08:00:00.000Z', 'all'])
  const refused = await beckon(['catalog', 'import', url, '--dir', dir])
  expect(refused.code).toBe(1)
  expect(refused.err).toContain('private network')
})

test('one of a thing is said in the singular', async () => {
  using temp = tempFolder()
  const dir = catalogIn(join(temp.path, 'catalog'))
  const paths = { '/': { get: { responses: { 200: { description: 'Done.' } } } } }
  const info = { title: 'Acme', version: '1', description: 7 }
  const file = join(temp.path, 'openapi.json')
  const servers = [{ url: 'https://api.acme.io' }]
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info, servers, paths }))
  const done = await beckon(['catalog', 'import', file, '--dir', dir])
  expect(done.out).toContain('Imported 1 record (openapi): 1 made')
  expect(done.out).toContain('1 value could not be taken:\n')
  const linted = await beckon(['catalog', 'lint', dir])
  expect(linted.err).toContain(`${dir}: 1 tool, 0 changes: `)
})

test('what cannot be imported, or into what, is said', async () => {
  using temp = tempFolder()
  const dir = catalogIn(temp.path)
  const run = (...args: string[]) => beckon(['catalog', 'import', ...args, '--dir', dir])
  expect((await run()).code).toBe(2)
  expect((await run('nothing-here')).err).toContain('nothing-here is not there.')
  const nowhere = await beckon(['catalog', 'import', SEED, '--dir', join(dir, 'none')])
  expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringContaining('beckon catalog init')])
  const registry = await run('npm:thing', '--registry', 'http://127.0.0.1:1')
  expect([registry.code, registry.err]).toEqual([
    1,
    expect.stringContaining('BECKON_ALLOW_PRIVATE_HOSTS'),
  ])
  expect(await run(join(dir, 'nothing.json'))).toMatchObject({ code: 2 })
  expect((await run(SEED, '--as', 'gopher')).err).toContain('"gopher" is not one of mcp-registry')
  expect((await run(SEED, '--limit', 'few')).code).toBe(2)
  expect((await run(SEED, '--since', 'soon')).code).toBe(2)
  writeFileSync(join(dir, 'vendors/broken.yaml'), 'name: 7\n')
  const broken = await run(SEED)
  expect(broken.code).toBe(1)
  expect(broken.err).toContain('vendors/broken.yaml')
  expect(broken.err).toContain('Nothing was imported')
  expect(readdirSync(dir)).not.toContain('tools')
})

test('a source that cannot be read is no import of nothing', async () => {
  using temp = tempFolder()
  const dir = catalogIn(temp.path)
  const text = join(dir, 'text.json')
  writeFileSync(text, '{no JSON')
  const missing = join(dir, 'missing')
  const thing = join(dir, 'thing.json')
  writeFileSync(thing, '{"not": "an API"}')
  const apis = join(dir, 'apis')
  mkdirSync(apis)
  for (const name of ['a.json', 'b.json']) copyFileSync(thing, join(apis, name))
  const wrong = 'it is not an OpenAPI 3 or Swagger 2.0 document'
  for (const [source, kind, code, about] of [
    [text, 'mcp-registry', 1, 'is no JSON'],
    [text, 'models', 1, 'has no files that end in .toml'],
    [dir, 'retirement', 1, 'has no files that end in .md'],
    [thing, 'openapi', 1, `cannot be read: ${wrong}`],
    [apis, 'openapi', 1, `has no document that can be read; a.json: ${wrong}`],
    [missing, 'models', 2, 'is not there'],
    [missing, 'x402-partners', 2, 'is not there'],
  ] as const) {
    const done = await beckon(['catalog', 'import', source, '--as', kind, '--dir', dir])
    expect([kind, done.code, done.out]).toEqual([kind, code, ''])
    expect(done.err).toContain(`${source} ${about}; nothing was imported.`)
  }
})
