import { expect, test } from 'bun:test'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPENAPI } from '../../../../src/catalog/importers/openapi/importer.ts'
import { writeCatalogFolder } from '../../../support/catalog-folder.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { collected } from '../collected.ts'
import { importInto } from '../import-world.ts'
import { randomFrom } from '../random-from.ts'

const REAL = join(import.meta.dir, '../../../fixtures/catalog/openapi')

async function recordsBySlug(source: string) {
  const { records, ...rest } = await collected(OPENAPI, source)
  return { ...rest, bySlug: Object.fromEntries(records.map((it) => [it.slug, it])) }
}

test('real documents become records with what they say', async () => {
  const { bySlug, wrong } = await recordsBySlug(REAL)
  expect(Object.keys(bySlug).sort()).toEqual([
    ...['1forge', 'amazonaws-kinesis-video-webrtc-storage', 'nexmo-conversion'],
    ...['twilio-lookups', 'xkcd'],
  ])
  expect(wrong).toEqual([])
  expect(bySlug['1forge']).toEqual({
    slug: '1forge',
    tool: {
      name: '1Forge Finance APIs',
      kind: 'http-api',
      category: 'data',
      summary: 'Stock and Forex Data and Realtime Quotes.',
      openapi: 'http://1forge.com/openapi.json',
      remoteUrl: 'https://1forge.com/forex-quotes',
      transports: ['http'],
      where: 'hosted',
      tags: ['financial'],
      details: [
        { label: 'Version', value: '0.0.1' },
        { label: 'Operations', value: '2' },
        { label: 'Format', value: 'OpenAPI 3.0.0' },
        { label: 'Contact', value: 'http://1forge.com' },
      ],
    },
    vendor: {
      ...{ id: '1forge', name: '1forge.com', url: 'https://1forge.com', domain: '1forge.com' },
    },
    acrossKinds: ['openapi', 'docsUrl'],
    from: {
      url: 'file:openapi/1forge.com.json',
      id: '1forge.com 1forge at 1forge.com/forex-quotes',
      read: '2026-11-21',
      formerly: 'http://1forge.com/openapi.json',
      paths: expect.objectContaining({ remoteUrl: 'servers[0].url' }),
    },
  })
  expect(bySlug['nexmo-conversion']?.tool).toMatchObject({
    license: 'MIT',
    auth: 'api-key',
    docsUrl: expect.stringMatching(/^https:\/\/developer\.nexmo\.com/),
  })
  expect(bySlug.xkcd?.tool).toMatchObject({
    remoteUrl: 'http://xkcd.com',
    details: expect.arrayContaining([
      { label: 'Format', value: 'Swagger 2.0' },
      { label: 'Made by', value: 'others than the vendor' },
    ]),
  })
})

test('variables of a server take their defaults, and a format that was converted is no OpenAPI link', async () => {
  const { bySlug } = await recordsBySlug(join(REAL, 'amazonaws.com'))
  const tool = bySlug['amazonaws-kinesis-video-webrtc-storage']?.tool
  expect(tool).toMatchObject({
    auth: 'api-key',
    authNotes: 'AWS Signature Version 4.',
    license: 'Apache-2.0',
    details: expect.arrayContaining([
      {
        label: 'Servers',
        value:
          'https://kinesisvideo.us-east-1.amazonaws.com, https://kinesisvideo.cn-north-1.amazonaws.com.cn',
      },
    ]),
  })
  expect(tool).not.toHaveProperty('openapi')
  expect(tool).not.toHaveProperty('summary')
})

test('versions of one API are one record, the newest', async () => {
  const { bySlug, skipped } = await recordsBySlug(join(REAL, 'twilio.com'))
  expect(bySlug['twilio-lookups']?.tool.openapi).toMatch(/twilio_lookups_v2\.json$/)
  expect(skipped).toEqual([
    {
      skipped: 'twilio_lookups_v1.json',
      why: expect.stringContaining('twilio_lookups_v2.json, which was taken'),
    },
  ])
})

/** A document with a provider; `more` replaces what it has. */
function document(more: object = {}, info: object = {}): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Acme', version: '1', 'x-providerName': 'acme.io', ...info },
    ...more,
  })
}

async function one(text: string) {
  using temp = tempFolder()
  writeFileSync(join(temp.path, 'api.json'), text)
  return await collected(OPENAPI, join(temp.path, 'api.json'))
}

const SCHEMES: Array<[schemes: object, auth: string | undefined, notes: string | undefined]> = [
  [{ a: { type: 'apiKey', in: 'query', name: 'k' } }, 'api-key', 'API key in the query k.'],
  [{ a: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } }, 'api-key', 'HTTP bearer (JWT).'],
  [{ a: { type: 'http', scheme: 'basic' } }, 'api-key', 'HTTP basic.'],
  [{ a: { type: 'oauth2', flows: { implicit: {} } } }, 'oauth', 'OAuth 2.0 (implicit).'],
  [{ a: { type: 'openIdConnect' }, b: { type: 'basic' } }, 'mixed', 'OpenID Connect; HTTP basic.'],
  [{ a: { type: 'mutualTLS' } }, undefined, 'a client certificate.'],
  [
    { a: { $ref: '#/components/securitySchemes/a' } },
    undefined,
    'a scheme that is described elsewhere.',
  ],
  [{ a: 7, b: null, c: [] }, undefined, undefined],
  [[], undefined, undefined],
]

for (const [securitySchemes, auth, authNotes] of SCHEMES) {
  test(`callers of ${JSON.stringify(securitySchemes)}: ${auth}`, async () => {
    const { records } = await one(document({ components: { securitySchemes } }))
    expect(records[0]?.tool.auth).toBe(auth as string)
    expect(records[0]?.tool.authNotes).toBe(authNotes as string)
  })
}

test('an API is open only when it says so', async () => {
  expect((await one(document({ security: [] }))).records[0]?.tool.auth).toBe('none')
  expect((await one(document())).records[0]?.tool).not.toHaveProperty('auth')
})

const SERVERS: Array<[servers: unknown, url: string | undefined, note: string | undefined]> = [
  [[{ url: 'http://a.acme.io' }, { url: 'https://b.acme.io' }], 'https://b.acme.io', undefined],
  [[{ url: '//a.acme.io/v1' }], 'https://a.acme.io/v1', undefined],
  [[{ url: '/v1' }], undefined, '/v1 (no public address)'],
  [[{ url: 'https://{host}/v1' }], undefined, 'https://{host}/v1 (no public address)'],
  [
    [{ url: 'https://{a}.acme.io', variables: { a: { default: '{a}' } } }],
    undefined,
    'https://{a}.acme.io (no public address)',
  ],
  [
    [{ url: 'https://{__proto__}.acme.io' }],
    undefined,
    'https://{__proto__}.acme.io (no public address)',
  ],
  [
    [{ url: 'http://localhost:80' }, { url: 'https://10.1.1.1' }],
    undefined,
    'http://localhost:80 (no public address)',
  ],
  [[null, 7, {}, { url: [] }], undefined, undefined],
  ['https://acme.io', undefined, undefined],
  [
    [{ url: 'https://{shop}.acme.io', variables: { shop: { default: 'demo-shop' } } }],
    undefined,
    'https://{shop}.acme.io (no public address)',
  ],
  [
    [
      { url: 'https://acme.local' },
      {
        url: 'https://{shop}.{end}',
        variables: { shop: { default: 'none' }, end: { default: 'acme.io' } },
      },
    ],
    undefined,
    'https://{shop}.acme.io (no public address)',
  ],
  [
    [{ url: 'https://api.acme.io/{apikey}', variables: { apikey: { default: 'unknown' } } }],
    undefined,
    'https://api.acme.io/{apikey} (no public address)',
  ],
  [
    [
      {
        url: 'https://{region}.acme.io{path}',
        variables: { region: { default: 'eu', enum: ['eu', 'us'] }, path: { default: '/v2' } },
      },
    ],
    'https://eu.acme.io/v2',
    'region: eu, path: /v2',
  ],
  [
    [{ url: 'https://opera.acme.io/api', description: 'Example of server for a real customer' }],
    undefined,
    'https://opera.acme.io/api (no public address)',
  ],
]

for (const [servers, url, note] of SERVERS) {
  test(`the address of ${JSON.stringify(servers)} is ${url}`, async () => {
    const tool = (await one(document({ servers }))).records[0]?.tool
    expect(tool?.remoteUrl).toBe(url as string)
    expect(tool?.details?.find(({ label }) => label === 'Server')?.value).toBe(note as string)
  })
}

test('two addresses in one text are none', async () => {
  const terms = (termsOfService: string) => document({}, { termsOfService })
  for (const [text, count] of [
    ['https://acme.io/terms', 1],
    ['https://acme.io/terms | https://acme.io/more', 0],
  ] as const) {
    const details = (await one(terms(text))).records[0]?.tool.details ?? []
    expect(details.filter(({ label }) => label === 'Terms')).toHaveLength(count)
  }
})

const OPEN: Array<[servers: unknown, url: string | undefined, all: string | undefined]> = [
  [
    [{ url: 'https://sandbox.acme.io' }, { url: 'https://api.acme.io' }],
    'https://api.acme.io',
    undefined,
  ],
  [[{ url: 'https://api.acme.io/sandbox/v1' }], undefined, undefined],
  [[{ url: 'https://a.acme.io', description: 'Staging' }], undefined, undefined],
  [
    [{ url: 'https://a.acme.io' }, { url: 'https://b.acme.io', description: 'Production' }],
    'https://b.acme.io',
    undefined,
  ],
  [
    [{ url: 'https://a.acme.io' }, { url: 'https://b.acme.io' }],
    undefined,
    'https://a.acme.io, https://b.acme.io',
  ],
  [[{ url: 'https://api.example.com' }], undefined, undefined],
]

for (const [servers, url, all] of OPEN) {
  test(`of ${JSON.stringify(servers)} the address in use is ${url}`, async () => {
    const tool = (await one(document({ servers }))).records[0]?.tool
    expect(tool?.remoteUrl).toBe(url as string)
    expect(tool?.where).toBe((url ? 'hosted' : undefined) as string)
    expect(tool?.details?.find(({ label }) => label === 'Servers')?.value).toBe(all as string)
  })
}

test('a file says nothing of where it comes from, unless its reader does', async () => {
  using temp = tempFolder()
  const file = join(temp.path, 'openapi.json')
  writeFileSync(file, document({ servers: [{ url: 'https://api.acme.io' }, { url: '/v2' }] }))
  const [silent] = (await collected(OPENAPI, file)).records
  expect(silent?.from.url).toBe('file:openapi.json')
  expect(silent?.tool).not.toHaveProperty('openapi')
  const at = 'https://docs.acme.io/openapi.json'
  const [record] = (await collected(OPENAPI, file, { at })).records
  expect(record).toMatchObject({ tool: { openapi: at }, from: { url: at } })
})

test('n documents in, n out or each loss named, whatever their titles, and in any order', async () => {
  const random = randomFrom(3)
  const documents = Array.from({ length: 60 }, (_, i) => {
    const servers = random.of([
      [],
      [{ url: `https://${random.of(['a', 'b', 'c'])}.acme.io/${random.of(['', 'v1', 'v2'])}` }],
      [{ url: 'https://sandbox.acme.io' }, { url: `https://${random.of(['a', 'b'])}.acme.io` }],
    ])
    const title = random.of(['Reference API', 'Reference', 'Content', 'Content+', 'Owls v2'])
    return { name: `api-${i}.json`, text: document({ servers }, { title, version: `${i % 3}.0` }) }
  })
  const runs: string[][] = []
  for (const list of [documents, random.shuffled(documents)]) {
    using temp = tempFolder()
    const [folder, source] = [join(temp.path, 'catalog'), join(temp.path, 'apis')]
    writeCatalogFolder(folder, {})
    mkdirSync(source)
    for (const { name, text } of list) writeFileSync(join(source, name), text)
    const { catalog, report } = await importInto(folder, OPENAPI, { source })
    expect(report.conflicts).toEqual([])
    expect(report.made.length + report.skipped.length).toBe(documents.length)
    const taken = catalog.tools.map(({ sources }) => sources?.[0]?.url.replace(/.*\//, ''))
    for (const { why } of report.skipped) {
      const firstName = /^it describes the same API as (\S+), which was taken/.exec(why)?.[1]
      expect(taken).toContain(firstName as string)
    }
    for (const { remoteUrl } of catalog.tools) expect(remoteUrl ?? '').not.toContain('sandbox')
    const ids = catalog.tools.map(({ sources }) => sources?.[0]?.id)
    expect(new Set(ids).size).toBe(catalog.tools.length)
    runs.push(catalog.tools.map(({ slug, sources }) => `${slug} ${sources?.[0]?.id}`))
    expect((await importInto(folder, OPENAPI, { source })).files).toEqual([])
  }
  expect(runs[1]).toEqual(runs[0] as string[])
})

test('hostile documents are skipped with a reason, and those beside them are read', async () => {
  using temp = tempFolder()
  const folder = temp.path
  const bomb = [...Array(30).keys()].map((i) => {
    const items = i === 0 ? Array(10).fill('x') : Array(10).fill(`*a${i - 1}`)
    return `a${i}: &a${i} [${items.join(', ')}]`
  })
  const files: Record<string, string | Uint8Array> = {
    'bomb.yaml': `openapi: 3.0.0\n${bomb.join('\n')}\n`,
    'binary.json': new Uint8Array([0x7b, 0xff, 0xfe]),
    'deep.json': `{"openapi":"3.0.0","a":${'['.repeat(500_000)}`,
    'large.yaml': `openapi: 3.0.0\n#${'x'.repeat(9 * 1024 * 1024)}`,
    'list.json': '[]',
    'nobody.json': JSON.stringify({ openapi: '3.0.0', info: { title: 'Nobody' } }),
    'odd.json': document(
      { paths: [7], servers: {} },
      { description: 7, license: 'MIT', contact: 1 },
    ),
    'package.json': '{"name":"x"}',
    'round.yaml': `swagger: '2.0'\ninfo: &i\n  title: Round\n  x-providerName: round.io\n  self: *i\npaths: &p\n  /a: *p\n`,
    'two.yaml': 'openapi: 3.0.0\n---\nopenapi: 3.0.0\n',
    'untitled.json': JSON.stringify({ openapi: '3.0.0', info: { title: '\u202e \u0000' } }),
    'wrong.yaml': 'openapi: [',
  }
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
  mkdirSync(join(folder, 'folder.json'))
  symlinkSync('/etc/passwd', join(folder, 'link.json'))
  const { records, skipped, wrong } = await collected(OPENAPI, folder)
  expect(records.map(({ slug }) => slug).sort()).toEqual(['acme', 'round'])
  const unread = 'it can be read neither as JSON nor as YAML'
  const other = 'it is not an OpenAPI 3 or Swagger 2.0 document'
  expect(Object.fromEntries(skipped.map(({ skipped, why }) => [skipped, why]))).toEqual({
    ...{ 'bomb.yaml': unread, 'deep.json': unread, 'wrong.yaml': unread },
    ...{ 'list.json': other, 'package.json': other, 'two.yaml': other },
    'binary.json': 'it is not UTF-8 text',
    'large.yaml': 'it has more than 8 MiB',
    'nobody.json': 'no address in it shows the owner of the API',
    'untitled.json': 'it has no title',
  })
  expect(wrong).toMatchObject([{ file: 'odd.json', field: 'description', expected: 'text' }])
})

test('a folder is recognised by what is in it, a file by its beginning, an address by its name', () => {
  expect(OPENAPI.recognises(REAL)).toBe(true)
  expect(OPENAPI.recognises(join(REAL, 'xkcd.com.yaml'))).toBe(true)
  expect(OPENAPI.recognises('https://acme.io/v1/openapi.yaml')).toBe(true)
  expect(OPENAPI.recognises('openapi:https://acme.io/api')).toBe(true)
  expect(OPENAPI.recognises('https://acme.io/api')).toBe(false)
  expect(OPENAPI.recognises(import.meta.dir)).toBe(false)
  expect(OPENAPI.recognises('/nowhere')).toBe(false)
})

test('a document is read from its address, through a redirect', async () => {
  await using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) =>
      url.endsWith('/openapi.json')
        ? Response.redirect('/v2/description')
        : new Response(document({ servers: [{ url: 'https://api.acme.io' }] })),
  })
  const url = `http://127.0.0.1:${server.port}/openapi.json`
  const { records } = await collected(OPENAPI, url)
  expect(records).toMatchObject([{ slug: 'acme', tool: { openapi: url }, from: { url } }])
})

test('imported into a catalog, and again: nothing changes the second time', async () => {
  using temp = tempFolder()
  const folder = join(temp.path, 'catalog')
  const source = join(temp.path, 'apis')
  writeCatalogFolder(folder, {})
  cpSync(REAL, source, { recursive: true })
  // Two that were read at the same address stay two.
  const origin = { 'x-origin': [{ format: 'openapi', url: 'https://acme.io/all.json' }] }
  for (const name of ['mail', 'files']) {
    const text = document({}, { ...origin, 'x-serviceName': name })
    writeFileSync(join(source, `${name}.json`), text)
  }
  const first = await importInto(folder, OPENAPI, { source })
  expect(first.report.counts).toMatchObject({ made: 7, skipped: 1, wrong: 0 })
  const again = await importInto(folder, OPENAPI, { source, now: Date.parse('2026-12-24') })
  expect(again.files).toEqual([])
  expect(again.report.counts).toMatchObject({ made: 0, changed: 0, same: 7, conflicts: 0 })
})

test('the provider that a document names is the vendor, unless many share its host', async () => {
  const vendorOf = async (name: string) => {
    const info = { 'x-providerName': name, 'x-serviceName': 'owls', contact: {} }
    const servers = [{ url: 'https://owls.googleapis.com' }]
    return (await one(document({ servers }, info))).records[0]?.vendor?.domain
  }
  expect(await vendorOf('googleapis.com')).toBe('googleapis.com')
  expect(await vendorOf('acme.io')).toBe('acme.io')
  expect(await vendorOf('rapidapi.com')).not.toBe('rapidapi.com')
  expect(await vendorOf('example.com')).not.toBe('example.com')
})
