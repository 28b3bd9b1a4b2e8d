import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toToolRecord } from '../../../src/catalog/authoring/to-tool-record.ts'
import { importLeftovers } from '../../../src/catalog/importers/leftovers.ts'
import { ownDomain, sharedBy } from '../../../src/catalog/importers/many-owners.ts'
import { MCP_REGISTRY } from '../../../src/catalog/importers/mcp-registry/importer.ts'
import { RETIREMENT } from '../../../src/catalog/importers/retirement/importer.ts'
import { X402_PARTNERS } from '../../../src/catalog/importers/x402/partners.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { detailOf, detailsOf } from '../snapshot-of.ts'
import { importerOf, importInto, record } from './import-world.ts'

let temp: ReturnType<typeof tempFolder>
let folder: string
let data: string
beforeEach(() => {
  temp = tempFolder()
  folder = join(temp.path, 'catalog')
  data = join(temp.path, 'data')
  mkdirSync(folder)
  mkdirSync(data)
  writeCatalogFolder(folder, {})
})
afterEach(() => temp[Symbol.dispose]())

const toolText = (slug: string) => readFileSync(join(folder, `tools/${slug}.yaml`), 'utf8')

describe('release cycles', () => {
  const RELEASES =
    'releases:\n  - releaseCycle: "2.4"\n    latest: "2.4.1"\n    eol: 2026-12-31\n  - releaseCycle: "2.3"\n    latest: "2.3.9"\n    eol: true\n'
  const product = (id: string, front: string) =>
    writeFileSync(join(data, `${id}.md`), `---\ntitle: ${id} Server\n${front}${RELEASES}---\n`)
  const imported = () => importInto(folder, RETIREMENT, { source: data, stubs: true })

  test('the changelog is the template with the newest release, never the policy', async () => {
    const policy = 'releasePolicyLink: https://dove.example/policy\n'
    product('dovecot', `${policy}changelogTemplate: https://dove.example/news/__LATEST__/\n`)
    product('quoted', `changelogTemplate: "https://q.example/{{'__RELEASE_CYCLE__'}}.x"\n`)
    product(
      'piped',
      `${policy}changelogTemplate: https://p.example/{{"__LATEST__"|replace:'.',''}}\n`,
    )
    product('silent', policy)
    const { catalog } = await imported()
    expect(catalog.tools.map(({ slug, changelog }) => [slug, changelog])).toEqual([
      ['dovecot', 'https://dove.example/news/2.4.1/'],
      ['piped', undefined],
      ['quoted', 'https://q.example/2.4.x'],
      ['silent', undefined],
    ])
  })

  test('kind and place stay open unless the category says them, and so does the vendor', async () => {
    product('dovecot', 'category: server-app\n')
    product('eks', 'category: service\n')
    product('rails', 'category: framework\n')
    const { catalog, report } = await imported()
    expect(report.skipped).toEqual([])
    expect(
      catalog.tools.map(({ slug, kind, where, vendor }) => [slug, kind, where, vendor]),
    ).toEqual([
      ['dovecot', 'unknown', 'unknown', undefined],
      ['eks', 'platform', 'hosted', undefined],
      ['rails', 'framework', 'unknown', undefined],
    ])
    expect(catalog.changes.map(({ tool, date }) => `${tool} ${date}`)).toEqual([
      ...['dovecot 2026-12-31', 'eks 2026-12-31', 'rails 2026-12-31'],
    ])
    const [dovecot] = catalog.tools
    if (!dovecot) throw new Error('not imported')
    const served = toToolRecord(detailOf(catalog, dovecot))
    expect(served).toMatchObject({ vendor: '', sameCompany: [] })
    expect(served).not.toHaveProperty('vendorUrl')
    expect(served).not.toHaveProperty('x402')
  })

  test('what the version before wrote is taken back, and what a person wrote stays', async () => {
    const policy = 'https://dove.example/policy'
    product('dovecot', `category: server-app\nreleasePolicyLink: ${policy}\n`)
    product('edited', `category: server-app\nreleasePolicyLink: ${policy}\n`)
    const old = (id: string, more: string) =>
      `name: ${id} Server\nvendor: example\nkind: platform\ncategory: messaging\nsummary: It is listed.\nchangelog: ${policy}\nauth: unknown\npricing: unknown\nwhere: hosted\n${more}sources:\n  - url: https://endoflife.date/${id}\n    read: 2026-10-01\n    facts: []\n    imported: {}\n`
    const curated =
      '  - url: https://dove.example/about\n    read: 2026-10-01\n    facts: [where, kind, changelog]\n'
    writeCatalogFolder(folder, {
      'tools/dovecot.yaml': old('dovecot', ''),
      'tools/edited.yaml': old('edited', '') + curated,
    })
    const first = await imported()
    const dovecot = first.catalog.tools.find(({ slug }) => slug === 'dovecot')
    expect(dovecot).toMatchObject({ kind: 'unknown', where: 'unknown' })
    expect(dovecot).not.toHaveProperty('changelog')
    expect(first.catalog.tools.find(({ slug }) => slug === 'edited')).toMatchObject({
      ...{ kind: 'platform', where: 'hosted', changelog: policy },
    })
    expect((await imported()).files).toEqual([])
  })

  test('what it wrote without a source is replaced by what the list says, or gets its source', async () => {
    const repo = 'https://github.com/rails/rails'
    product('rails', `category: framework\nreleasePolicyLink: https://r.example/p\n`)
    const first = await imported()
    const rails = first.catalog.tools.find(({ slug }) => slug === 'rails')
    expect(rails?.sources?.[0]?.facts).toContain('kind')
    const old = `name: rails Server\nvendor: example\nkind: platform\ncategory: messaging\nsummary: It is listed.\nrepo: ${repo}\nauth: unknown\npricing: unknown\nwhere: library\nsources:\n  - url: https://endoflife.date/rails\n    read: 2026-10-01\n    facts: []\n    imported: {}\n`
    writeFileSync(join(folder, 'tools/rails.yaml'), old)
    const { report, catalog } = await imported()
    expect(report.conflicts).toEqual([])
    const after = catalog.tools.find(({ slug }) => slug === 'rails')
    expect(after).toMatchObject({ kind: 'framework', repo })
    expect(after?.sources?.[0]?.facts.toSorted()).toEqual(['kind', 'name'])
    // The mark is that of what was written now; what stood there before may be a person's.
    expect(Object.keys(after?.sources?.[0]?.imported ?? {})).toEqual(['kind'])
    expect((await imported()).files).toEqual([])
  })
})

describe('a source that stops showing something', () => {
  const importer = (tool: object) => importerOf(record('one', tool))

  test('loses it, where it stands as it was imported', async () => {
    await importInto(
      folder,
      importer({ license: 'MIT', auth: 'oauth', docsUrl: 'https://one.example/docs' }),
    )
    const { report, catalog } = await importInto(folder, importer({}))
    expect(report.changed[0]?.fields.map(({ field, to }) => [field, to])).toEqual([
      ['docsUrl', null],
      ['auth', 'unknown'],
      ['license', null],
    ])
    const one = catalog.tools.find(({ slug }) => slug === 'one')
    expect(one).toMatchObject({
      auth: 'unknown',
      sources: [{ facts: expect.not.arrayContaining(['license']) }],
    })
    expect(one).not.toHaveProperty('license')
    expect((await importInto(folder, importer({}))).files).toEqual([])
  })

  test('loses nothing that a person changed, or that another source shows', async () => {
    await importInto(folder, importer({ license: 'MIT', docsUrl: 'https://one.example/docs' }))
    const edited = toolText('one').replace('license: MIT', 'license: Apache-2.0')
    writeFileSync(
      join(folder, 'tools/one.yaml'),
      `${edited}  - url: https://one.example\n    read: 2026-11-01\n    facts: [docsUrl]\n`,
    )
    const before = toolText('one')
    const { report } = await importInto(folder, importer({}))
    expect(report.changed).toEqual([])
    expect(toolText('one')).toBe(before)
  })
})

describe('a host of many owners', () => {
  const partner = (id: string, websiteUrl: string) =>
    writeFileSync(
      join(data, `${id}.json`),
      JSON.stringify({
        name: id,
        description: `It is ${id}.`,
        logoUrl: '/x.png',
        websiteUrl,
        category: 'Infrastructure & Tooling',
      }),
    )

  test('is nobody’s vendor, and makes no two strangers one company', async () => {
    partner('one', 'https://docs.google.com/document/d/1')
    partner('two', 'https://docs.google.com/document/d/2')
    partner('three', 'https://www.npmjs.com/package/three')
    partner('four', 'https://four.readthedocs.io/en/latest')
    partner('five', 'https://five.vercel.app')
    partner('six', 'https://github.com/ada/six')
    partner('seven', 'https://docs.seven.co.uk/x402')
    const { catalog } = await importInto(folder, X402_PARTNERS, { source: data })
    expect(Object.fromEntries(catalog.tools.map(({ slug, vendor }) => [slug, vendor]))).toEqual({
      ...{ one: undefined, two: undefined, three: undefined, four: undefined },
      ...{ five: 'five', six: 'ada', seven: 'seven' },
    })
    for (const tool of detailsOf(catalog)) expect(tool.sameCompany).toEqual([])
  })

  test.each([
    ['docs.google.com', undefined],
    ['google.com', undefined],
    ['www.pypi.org', undefined],
    ['x.readthedocs.io', undefined],
    ['cloud.google.com', 'google.com'],
    ['api.example.co.uk', 'example.co.uk'],
    ['one.workers.dev', 'one.workers.dev'],
    ['workers.dev', undefined],
    ['127.0.0.1', undefined],
  ])('%s belongs to %s', (host, owner) => {
    expect(ownDomain(host)).toBe(owner as string)
  })

  test('that an earlier import took for a vendor is named by lint, with the reason', async () => {
    writeCatalogFolder(folder, {
      'vendors/google.yaml':
        'name: google.com\nurl: https://docs.google.com\ndomain: docs.google.com\n',
      'tools/one.yaml':
        'name: One\nvendor: google\nkind: http-api\ncategory: messaging\nsummary: It is one.\nauth: oauth\npricing: unknown\nwhere: unknown\nsources:\n  - url: https://list.example/one\n    read: 2026-10-01\n    facts: [name, kind]\n    imported: { name: "00000000" }\n',
    })
    const { catalog } = await importInto(folder, importerOf())
    const left = importLeftovers(catalog)
    expect(left.map(({ file, field }) => `${file} ${field}`)).toEqual([
      ...['vendors/google.yaml domain', 'tools/one.yaml category, auth'],
    ])
    expect(left[0]?.about).toContain(sharedBy('docs.google.com') as string)
  })
})

test('a server keeps each address, and a secret variable anywhere is a key', async () => {
  const server = (name: string, own: object) => ({
    server: { name, description: `It is ${name}.`, version: '1.0.0', ...own },
  })
  const secret = { isSecret: true }
  const file = join(data, 'servers.json')
  writeFileSync(
    file,
    JSON.stringify({
      servers: [
        server('com.acme/two', {
          remotes: [
            { type: 'sse', url: 'https://two.acme.com/sse' },
            { type: 'streamable-http', url: 'https://two.acme.com/mcp' },
          ],
        }),
        server('com.acme/tenant', {
          remotes: [
            {
              type: 'streamable-http',
              url: 'https://{tenant}.acme.com/mcp',
              variables: { tenant: {}, key: secret },
            },
          ],
        }),
        server('com.acme/header', {
          remotes: [
            {
              type: 'streamable-http',
              url: 'https://h.acme.com/mcp',
              headers: [{ name: 'X', value: '{k}', variables: { k: secret } }],
            },
          ],
        }),
        server('com.acme/argument', {
          packages: [
            {
              registryType: 'npm',
              identifier: 'acme-mcp',
              version: '1.0.0',
              transport: { type: 'stdio' },
              packageArguments: [{ type: 'named', name: '--key', variables: { k: secret } }],
            },
          ],
        }),
        server('com.acme/open', {
          remotes: [{ type: 'streamable-http', url: 'https://o.acme.com/mcp' }],
        }),
      ],
    }),
  )
  const { catalog } = await importInto(folder, MCP_REGISTRY, { source: file })
  const of = (slug: string) => catalog.tools.find((tool) => tool.slug === slug)
  expect(of('two')?.remoteUrl).toBe('https://two.acme.com/mcp')
  expect(JSON.parse(of('two')?.connect?.config ?? '{}')).toEqual({
    mcpServers: {
      two: { type: 'sse', url: 'https://two.acme.com/sse' },
      'two-2': { type: 'http', url: 'https://two.acme.com/mcp' },
    },
  })
  expect(of('tenant')?.remoteUrl).toBeUndefined()
  expect(of('tenant')?.connect?.config).toContain('https://{tenant}.acme.com/mcp')
  expect(['tenant', 'header', 'argument', 'open'].map((slug) => of(slug)?.auth)).toEqual([
    ...['api-key', 'api-key', 'api-key', 'unknown'],
  ])
  expect(of('open')?.connect).toBeUndefined()
})
