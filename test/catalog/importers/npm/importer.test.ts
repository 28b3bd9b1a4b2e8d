import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NPM } from '../../../../src/catalog/importers/npm/importer.ts'
import { writeCatalogFolder } from '../../../support/catalog-folder.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { collected } from '../collected.ts'
import { importInto } from '../import-world.ts'
import { packument, packumentOf, startRegistry } from './registry-server.ts'

const REAL = {
  '/resend': packument('resend'),
  '/@playwright%2fmcp': packument('playwright-mcp'),
  '/@types%2fuuid': packument('types-uuid'),
  '/crossenv': packument('crossenv'),
}

test('a real package becomes a record with what it says of itself', async () => {
  await using registry = startRegistry(REAL)
  const { records } = await collected(NPM, 'npm:resend', { options: { registry: registry.url } })
  expect(records).toEqual([
    {
      slug: 'resend',
      tool: {
        name: 'resend',
        summary: 'Node.js library for the Resend API.',
        repo: 'https://github.com/resend/resend-node',
        license: 'MIT',
        packages: [{ registry: 'npm', name: 'resend' }],
        lastRelease: '2026-11-10',
        details: [
          { label: 'Version', value: '6.38.0' },
          { label: 'First release', value: '2024-12-07' },
        ],
      },
      acrossKinds: ['packages', 'lastRelease'],
      changes: [],
      from: {
        url: `${registry.url}/resend`,
        id: 'resend',
        read: '2026-11-21',
        paths: expect.objectContaining({ license: 'versions["6.38.0"].license' }),
      },
    },
  ])
})

test('a server says so itself, and its command is spoken to over stdio', async () => {
  await using registry = startRegistry(REAL)
  const { records } = await collected(NPM, 'npm:@playwright/mcp', {
    options: { registry: registry.url },
  })
  expect(registry.requests).toEqual(['/@playwright%2fmcp'])
  expect(records[0]?.tool).toMatchObject({
    kind: 'mcp',
    registryName: 'io.github.microsoft/playwright-mcp',
    homepage: 'https://playwright.dev',
    license: 'Apache-2.0',
  })
})

test('a deprecated package is a dated notice, and an unpublished one tells of a record that is there', async () => {
  const unpublished = { versions: {}, time: { unpublished: { time: '2026-03-04T00:00:00.000Z' } } }
  await using registry = startRegistry({
    ...REAL,
    '/gone': Response.json({ name: 'gone', ...unpublished }),
  })
  const { records } = await collected(NPM, 'npm:@types/uuid,gone', {
    options: { registry: registry.url },
  })
  expect(records.map(({ changes, stub }) => ({ changes, stub }))).toEqual([
    {
      stub: undefined,
      changes: [
        {
          key: 'deprecated-on-npm',
          date: '2025-09-18',
          kind: 'notice',
          what: expect.stringMatching(
            /^The npm package @types\/uuid is deprecated .*: This is a stub/,
          ),
          source: `${registry.url}/@types%2fuuid`,
        },
      ],
    },
    {
      stub: 'never',
      changes: [
        {
          key: 'unpublished-on-npm',
          date: '2026-03-04',
          kind: 'removal',
          what: 'The npm package gone was unpublished.',
          source: `${registry.url}/gone`,
        },
      ],
    },
  ])
})

test('what makes no record is said, one by one', async () => {
  await using registry = startRegistry({
    ...REAL,
    '/private': new Response('', { status: 403 }),
    '/html': new Response('<html>'),
    '/list': Response.json([]),
    '/other': packumentOf('somebody-elses', {}),
    '/empty': Response.json({ name: 'empty' }),
    '/round': new Response('', { status: 302, headers: { location: '/round' } }),
  })
  const names = 'crossenv,nothing,private,html,list,other,empty,round,../../etc/passwd,a b,@scope'
  const { records, skipped } = await collected(NPM, `npm:${names}`, {
    options: { registry: registry.url },
  })
  expect(records).toEqual([])
  expect(Object.fromEntries(skipped.map(({ skipped, why }) => [skipped, why]))).toEqual({
    '"../../etc/passwd"': 'that cannot be a package name',
    '"a b"': 'that cannot be a package name',
    '"@scope"': 'that cannot be a package name',
    crossenv: 'the registry keeps the name after malware was removed',
    nothing: 'the registry has no package of that name (HTTP 404)',
    private: 'the registry has no package of that name (HTTP 403)',
    html: 'the registry did not answer with JSON',
    list: 'the registry sent no packument',
    other: 'the registry sent the packument of another package',
    empty: 'the registry has no version of it any more',
    round: 'it redirects more than 5 times',
  })
  expect(registry.requests.some((path) => path.includes('etc'))).toBe(false)
})

test('a packument of wrong types gives what is right in it, and says the rest', async () => {
  await using registry = startRegistry({
    '/odd': packumentOf('odd', {
      ...{ mcpName: 7, description: { en: 'no' }, repository: [], homepage: 'javascript:alert(1)' },
      ...{ license: ['MIT'], keywords: [1, 'a\u202eb', 'x'.repeat(99), 'ok'], bin: [] },
      ...{ deprecated: true, dependencies: 'none', author: null },
    }),
  })
  const { records, wrong } = await collected(NPM, 'npm:odd', {
    options: { registry: registry.url },
  })
  expect(records[0]?.tool).toEqual({
    ...{ name: 'odd', tags: ['ab', 'ok'], lastRelease: '2021-02-03' },
    packages: [{ registry: 'npm', name: 'odd' }],
    details: [
      { label: 'Version', value: '1.0.0' },
      { label: 'First release', value: '2020-01-02' },
      { label: 'Deprecated', value: 'yes' },
    ],
  })
  expect(wrong).toMatchObject([{ record: 'odd', field: 'mcpName', expected: 'text' }])
})

test('of a packument that is too long the newest manifest is read instead', async () => {
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20)),
  })
  const manifest = { name: 'huge', version: '2.0.0', description: 'Large', license: 'MIT' }
  await using registry = startRegistry({
    '/huge': () => new Response(endless),
    '/huge/latest': Response.json(manifest),
  })
  const { records } = await collected(NPM, 'npm:huge', { options: { registry: registry.url } })
  expect(records[0]?.tool).toMatchObject({ summary: 'Large.', license: 'MIT' })
  expect(records[0]?.tool.lastRelease).toBeUndefined()
})

test('a registry that asks for a pause is asked again, and one that is down ends the import', async () => {
  let count = 0
  await using registry = startRegistry({
    '/busy': () => {
      const isFirst = count++ === 0
      return isFirst
        ? new Response('', { status: 429, headers: { 'retry-after': '1' } })
        : packumentOf('busy', {})
    },
    '/ill': new Response('', { status: 503, headers: { 'retry-after': '86400' } }),
  })
  const { records } = await collected(NPM, 'npm:busy', { options: { registry: registry.url } })
  expect(records).toHaveLength(1)
  await expect(collected(NPM, 'npm:ill', { options: { registry: registry.url } })).rejects.toThrow(
    'cannot be read: the registry answered HTTP 503. Nothing was imported.',
  )
})

test('names come from a file, or from a search where the registry has one', async () => {
  using temp = tempFolder()
  const folder = temp.path
  const list = join(folder, 'names.txt')
  writeFileSync(list, '# tools\nresend  # mail\n\n@playwright/mcp\nresend\n')
  const objects = [{ package: { name: 'resend' } }, { package: {} }, 7]
  await using registry = startRegistry({
    ...REAL,
    '/-/v1/search': ({ url }) => {
      const from = new URL(url).searchParams.get('from')
      return Response.json({ objects: from === '0' ? objects : [] })
    },
  })
  const deps = { options: { registry: `${registry.url}/` } }
  const listed = await collected(NPM, `npm:${list}`, deps)
  expect(listed.records.map(({ slug }) => slug)).toEqual(['resend', 'playwright-mcp'])
  const collection = await collected(NPM, 'npm:search:mail & more', deps)
  expect(collection.records.map(({ slug }) => slug)).toEqual(['resend'])
  expect(registry.requests).toContain('/-/v1/search?text=keywords%3Amail+%26+more&size=250&from=0')
  await using silent = startRegistry()
  await expect(
    collected(NPM, 'npm:search:mail', { options: { registry: silent.url } }),
  ).rejects.toThrow('Not every registry has one')
})

test('a registry is an address without password', async () => {
  for (const registry of ['http://ada:secret@127.0.0.1/', 'file:///etc', 'npm', 'https://a/?b']) {
    await expect(collected(NPM, 'npm:resend', { options: { registry } })).rejects.toThrow(
      'web address',
    )
  }
  await expect(collected(NPM, 'npm:resend')).rejects.toThrow('npm config get registry')
})

test('imported into a catalog, and again: nothing changes the second time', async () => {
  using temp = tempFolder()
  const folder = temp.path
  writeCatalogFolder(folder, {})
  const old = { deprecated: 'Use another.', repository: 'acme/old' }
  await using registry = startRegistry({ ...REAL, '/old': packumentOf('old', old) })
  const source = 'npm:resend,@playwright/mcp,old,crossenv'
  const importer = { ...NPM, read: from(registry.url) }
  const first = await importInto(folder, importer, { source })
  expect(first.report.counts).toMatchObject({ made: 3, skipped: 1, changes: 1, wrong: 0 })
  const again = await importInto(folder, importer, { source, now: Date.parse('2026-12-24') })
  expect(again.files).toEqual([])
  expect(again.report.counts).toMatchObject({ made: 0, changed: 0, same: 3, conflicts: 0 })
})

test('the package of an API leaves licence, kind and repository of the API alone', async () => {
  using temp = tempFolder()
  const tool = `name: Mail API
vendor: example
kind: http-api
category: messaging
summary: Sends mail.
auth: api-key
pricing: usage
where: hosted
packages: [{ registry: npm, name: resend }]
`
  writeCatalogFolder(temp.path, { 'tools/mail.yaml': tool })
  await using registry = startRegistry(REAL)
  const importer = { ...NPM, read: from(registry.url) }
  const { report, catalog } = await importInto(temp.path, importer, { source: 'npm:resend' })
  expect(report.conflicts).toEqual([])
  expect(catalog.tools[0]).toMatchObject({ lastRelease: '2026-11-10', kind: 'http-api' })
  expect(catalog.tools[0]).not.toHaveProperty('license')
})

function from(registry: string): typeof NPM.read {
  return (source, deps) => NPM.read(source, { ...deps, options: { registry } })
}
