import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import type { ImportedRecord } from '../../../src/catalog/importers/importer.ts'
import { MCP_REGISTRY } from '../../../src/catalog/importers/mcp-registry/importer.ts'
import { MODELS_DEV } from '../../../src/catalog/importers/models/importer.ts'
import { NPM } from '../../../src/catalog/importers/npm/importer.ts'
import { OPENAPI } from '../../../src/catalog/importers/openapi/importer.ts'
import { OTHER_CATALOG } from '../../../src/catalog/importers/other-catalog/importer.ts'
import { RETIREMENT } from '../../../src/catalog/importers/retirement/importer.ts'
import { X402_DISCOVERY } from '../../../src/catalog/importers/x402/discovery.ts'
import { X402_PARTNERS } from '../../../src/catalog/importers/x402/partners.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { collected } from './collected.ts'
import { packument, packumentOf, startRegistry } from './npm/registry-server.ts'

const FIXTURES = join(import.meta.dir, '../../fixtures/catalog')
const temp = tempFolder()
afterAll(() => temp[Symbol.dispose]())

function written(files: Record<string, unknown>): (name: string) => string {
  for (const [name, content] of Object.entries(files)) {
    const path = join(temp.path, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return (name) => join(temp.path, name)
}

const OFFER = {
  ...{ scheme: 'exact', network: 'base', maxAmountRequired: '1000', maxTimeoutSeconds: 60 },
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x1111111111111111111111111111111111111111',
}
const paid = (resource: string, more = {}) => ({
  ...{ resource, type: 'http', x402Version: 1, accepts: [{ ...OFFER, resource }] },
  ...more,
})
const server = (name: string, more: object) => ({
  name,
  description: 'A server.',
  version: '1.0.0',
  ...more,
})
const latest = {
  'io.modelcontextprotocol.registry/official': {
    isLatest: true,
    publishedAt: '2026-01-02T03:04:05Z',
  },
}

const fileAt = written({
  'servers.json': {
    servers: [
      {
        server: server('dev.acme/one', {
          ...{ title: 'One', websiteUrl: 'https://acme.dev/one', _meta: {} },
          repository: { url: 'https://github.com/acme/one', source: 'github' },
          packages: [
            { registryType: 'npm', identifier: '@acme/one', transport: { type: 'stdio' } },
          ],
        }),
        _meta: latest,
      },
      {
        server: server('dev.acme/two', {
          remotes: [{ type: 'sse', url: 'https://two.acme.dev/sse' }],
        }),
        _meta: latest,
      },
    ],
  },
  'server.json': server('dev.acme/alone', { _meta: latest }),
  'list.json': [
    paid('https://api.one.dev/a'),
    paid('https://api.one.dev/b'),
    paid('https://two.dev/c', { description: 'It counts.' }),
  ],
  'items.json': {
    items: [paid('https://api.one.dev/a', { description: 'It looks.' })],
    pagination: { total: 1 },
  },
  'resources.json': {
    resources: Array.from({ length: 40 }, (_, i) => paid(`https://api.one.dev/${i}`)),
  },
  'collection/providers/acme/provider.toml':
    'name = "Acme"\ndoc = "https://docs.acme.dev"\napi = "https://api.acme.dev/v1"\nenv = ["ACME_API_KEY"]\n',
  'collection/providers/acme/models/deep/owl-1.toml':
    'base_model = "acme/owl-1"\n[cost]\ninput = 3\noutput = 9\n',
  'collection/providers/acme/models/own.toml':
    'name = "Own"\nrelease_date = "2026-01-01"\ntool_call = true\n[limit]\ncontext = 1000\noutput = 100\n[modalities]\ninput = ["text"]\noutput = ["text"]\n',
  'collection/providers/acme/models/copy.toml': 'own.toml',
  'collection/providers/acme/models/bare.toml': '[cost]\ninput = 0\noutput = 0\n',
  'collection/models/acme/owl-1.toml':
    'name = "Owl 1"\nrelease_date = "2026-02-02"\nreasoning = true\nknowledge = "2025-05"\n[limit]\ncontext = 1000\noutput = 100\n',
  'apis/swagger.json': {
    ...{ swagger: '2.0', host: 'api.acme.dev', basePath: '/v1', schemes: ['https'], paths: {} },
    info: { title: 'Acme', version: '1', description: 'It sends mail.', license: { name: 'MIT' } },
    ...{
      securityDefinitions: { key: { type: 'apiKey', name: 'k', in: 'header' } },
      security: [{ key: [] }],
    },
  },
  'apis/listed.yaml':
    'openapi: 3.0.0\ninfo:\n  x-providerName: acme.dev\n  x-serviceName: mail\n  version: "2"\nservers:\n  - url: https://mail.acme.dev\npaths: {}\n',
  'catalog.json': {
    ...{ count: 1, graded: 0, notGraded: 1, meta: { license: 'CC-BY-4.0', methodology: '1.0' } },
    tools: [
      {
        slug: 'mail',
        name: 'Mail',
        vendor: 'Acme',
        vendorUrl: 'https://acme.dev',
        kind: 'http-api',
        category: 'messaging',
        summary: 'It sends mail.',
        url: 'https://c.dev/tools/mail',
        transports: ['http'],
      },
    ],
  },
})

const fixture = (name: string) => join(FIXTURES, name)
const SOURCES = [
  [MCP_REGISTRY, fixture('mcp-registry/seed.json')],
  [MCP_REGISTRY, fileAt('servers.json')],
  [MCP_REGISTRY, fileAt('server.json')],
  [X402_PARTNERS, fixture('x402-partners')],
  [X402_DISCOVERY, fileAt('list.json')],
  [X402_DISCOVERY, fileAt('items.json')],
  [X402_DISCOVERY, fileAt('resources.json')],
  [RETIREMENT, fixture('endoflife')],
  [MODELS_DEV, fixture('models')],
  [MODELS_DEV, fileAt('collection/providers')],
  [OPENAPI, fixture('openapi')],
  [OPENAPI, fileAt('apis')],
  [OTHER_CATALOG, fileAt('catalog.json')],
] as const

/** A document by the name that the record has for it, below the folder that holds the source. */
function opened(file: string): unknown {
  if (statSync(file).isDirectory()) return {}
  const text = readFileSync(file, 'utf8')
  const kind = extname(file)
  if (kind === '.json') return JSON.parse(text)
  if (kind === '.yaml') return Bun.YAML.parse(text)
  if (kind === '.toml') return text.includes('=') ? Bun.TOML.parse(text) : {}
  const [, front = '', below = ''] = /^---\n(.*?)\n---(.*)$/s.exec(text) ?? []
  return { ...(Bun.YAML.parse(front) as object), 'the text below the front matter': below }
}

/** The value at a place, read by rules of its own. */
function at(document: unknown, path: string): unknown {
  const steps =
    path === '.' ? [] : [...path.matchAll(/\["((?:[^"\\]|\\.)+)"\]|\[(\d+)\]|[^.[\]]+/g)]
  return steps.reduce<unknown>((value, [step, quoted, index]) => {
    return (value as Record<string, unknown> | undefined)?.[quoted ?? index ?? step]
  }, document)
}

function placesOf(paths: string): string[] {
  return paths.split(/, (?![^[]*"\])/)
}

type Open = (relative: string | undefined) => unknown

/** The statements of a record whose places do not exist, or do not show what it says. */
function unseen({ tool, from }: ImportedRecord, open: Open): string[] {
  const facts = Object.entries(tool).filter(([, value]) => value !== undefined)
  return facts.flatMap(([field, value]) => {
    const paths = from.paths[field]
    if (paths === undefined)
      return from.paths.models === '.' ? [] : [`${from.id} ${field} has no place`]
    const seen = placesOf(paths).map((place) => {
      const [path = '', other] = place.split('#').reverse()
      return at(open(other), path)
    })
    if (seen.includes(undefined)) return [`${from.id} ${field}: nothing at ${paths}`]
    const text = paths === '.' ? `${JSON.stringify(seen)} ${from.id}` : JSON.stringify(seen)
    const words = SHOWN.has(field) ? String(value).split(' ') : []
    const isShown = words.every((word) => text.includes(word))
    return isShown ? [] : [`${from.id} ${field}: ${value} is not at ${paths}`]
  })
}

// Fields that stand in the document as they are.
const SHOWN = new Set(['name', 'docsUrl', 'registryName', 'lastRelease', 'category'])
const DERIVED = new Set(['models', 'payments', 'messaging', 'data'])

describe.each(SOURCES.map(([importer, source]) => [importer.name, source, importer] as const))(
  '%s: %s',
  (_, source, importer) => {
    test('every value of every record has a place that exists, in the document that was opened', async () => {
      const { records } = await collected(importer, source)
      expect(records.length).toBeGreaterThan(0)
      const above = dirname(resolve(source))
      const wrong = records.flatMap((record) => {
        const name = decodeURIComponent(record.from.url.replace(/^file:/, ''))
        const file = join(above, name)
        return unseen({ ...record, tool: withoutDerived(record.tool) }, (other) =>
          opened(other === undefined ? file : join(dirname(file), other)),
        )
      })
      expect(wrong).toEqual([])
    })
  },
)

/** Categories that are words of the catalog are made of words of the source. */
function withoutDerived({ category, ...tool }: ImportedRecord['tool']) {
  return { ...tool, ...(DERIVED.has(category ?? '') || category === undefined ? {} : { category }) }
}

test('npm: every value has a place that exists in the answer of the registry', async () => {
  await using registry = startRegistry({
    '/resend': packument('resend'),
    '/@playwright%2fmcp': packument('playwright-mcp'),
    '/odd': packumentOf('odd', {
      ...{
        description: 'Odd.',
        license: { type: 'MIT' },
        keywords: ['odd'],
        deprecated: 'Use even.',
      },
      homepage: 'https://odd.dev',
    }),
    '/untagged': packumentOf('untagged', { description: 'No tag.' }, { 'dist-tags': {} }),
  })
  for (const name of ['resend', '@playwright/mcp', 'odd', 'untagged']) {
    const { records } = await collected(NPM, `npm:${name}`, { options: { registry: registry.url } })
    expect(records).toHaveLength(1)
    const [record] = records as [ImportedRecord]
    const document = await (await fetch(record.from.url)).json()
    expect(unseen(record, () => document)).toEqual([])
  }
})
