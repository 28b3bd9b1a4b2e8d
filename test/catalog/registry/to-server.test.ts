import { expect, test } from 'bun:test'
import Ajv from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import type { ToolDetail } from '../../../src/catalog/records/tool.ts'
import { entriesOf, namespaceOf, serverNames } from '../../../src/catalog/registry/entries.ts'
import { toServer } from '../../../src/catalog/registry/to-server.ts'
import api from '../../fixtures/mcp-registry/openapi.json'
import { HOSTILE_TEXTS, sampleSnapshot } from '../snapshot-of.ts'

const snapshot = sampleSnapshot(24)
const plain = snapshot.tools.find(({ kind }) => kind === 'mcp') as ToolDetail
const server = (own: Partial<ToolDetail>) => toServer({ ...plain, ...own }, 'com.example/one')
const seenAt = '2026-11-20T10:00:00.000Z'
const version = (registry: string, name: string, version: string) => ({
  ...{ registry, name, version, seenAt },
})

test.each([
  ['https://catalog.example.com', 'com.example.catalog'],
  ['https://Catalog.Example:8443/under', 'example.catalog'],
  ['http://localhost:3000', 'localhost'],
  ['http://192.168.1.4:3000', 'local.catalog'],
  ['http://[::1]:3000', 'local.catalog'],
  ['https://4ever.example', 'local.catalog'],
  [`https://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example`, 'local.catalog'],
])('the namespace of a catalog: %s is %s', (baseUrl, wanted) => {
  expect(namespaceOf(baseUrl)).toBe(wanted)
})

test('no two servers have one name, and none takes that of another by rule', () => {
  const servers = ['a', 'b', 'c', 'd', 'e'].map((slug) => ({ ...plain, slug }))
  const names = ['com.v/one', 'com.V/One', 'example.catalog/a', 'no name at all', '../..']
  const tools = servers.map((tool, i) => ({ ...tool, registryName: names[i] ?? '' }))
  expect([...serverNames({ ...snapshot, tools: tools.toReversed() })]).toEqual([
    ['a', 'com.v/one'],
    ['b', 'example.catalog/b'],
    ['c', 'example.catalog/c'],
    ['d', 'example.catalog/d'],
    ['e', 'example.catalog/e'],
  ])
})

test('the version is the one that was measured of its first package that has one', () => {
  const packages = [
    { registry: 'go', name: 'vendor.example/mcp' },
    { registry: 'npm', name: '@vendor/mcp' },
  ]
  const transports = ['stdio']
  const live = (...versions: ReturnType<typeof version>[]) => ({ ...plain.live, versions })
  const npm = version('npm', '@vendor/mcp', '1.4.0+build.7')
  expect(server({ packages, transports, live: live(npm) })).toMatchObject({
    version: '1.4.0+build.7',
    packages: [{ registryType: 'npm', identifier: '@vendor/mcp', version: '1.4.0+build.7' }],
  })
  const go = version('go', 'vendor.example/mcp', 'v2.0.0')
  expect(server({ packages, transports, live: live(npm, go) }).version).toBe('v2.0.0')
  expect(server({ packages, transports, live: live(version('npm', 'other', '9')) })).toMatchObject({
    version: '0.0.0-unknown',
  })
  for (const range of ['latest', '^1.2.3', '>=1', '1.x || 2', '../../x']) {
    const measured = live(version('npm', '@vendor/mcp', range))
    const { version: serverVersion, packages: [first] = [] } = server({
      ...{ packages, transports, live: measured },
    })
    expect([serverVersion, first?.version]).toEqual(['0.0.0-unknown', undefined])
  }
})

test('an address or a package is there only where it can be used', () => {
  const remoteUrl = 'https://mcp.vendor.example/mcp'
  const packages = [{ registry: 'npm', name: 'one' }]
  expect(server({ transports: [], remoteUrl, packages })).not.toHaveProperty('remotes')
  expect(server({ transports: [], remoteUrl, packages })).not.toHaveProperty('packages')
  expect(server({ transports: ['sse', 'http'], remoteUrl }).remotes).toEqual([
    { type: 'streamable-http', url: remoteUrl },
    { type: 'sse', url: remoteUrl },
  ])
  const repo = 'https://git.vendor.example/one'
  expect(server({ repo }).repository).toEqual({ url: repo, source: 'git.vendor.example' })
  expect(server({ repo: 'javascript:alert(1)' })).not.toHaveProperty('repository')
})

test('long text is cut to what the registry takes, and says so', () => {
  const { description, title } = server({ summary: 'word '.repeat(100), name: '🧑🏽‍💻'.repeat(60) })
  expect([...description].length).toBeLessThanOrEqual(100)
  expect(description).toEndWith('word…')
  expect([...(title ?? '')].length).toBeLessThanOrEqual(100)
})

test('hostile text fits the schema of the registry all the same', () => {
  const ajv = addFormats(new Ajv({ strict: false, allErrors: true }))
  ajv.addSchema({ $id: 'registry', components: api.components })
  const validate = ajv.compile({ $ref: 'registry#/components/schemas/ServerResponse' })
  const tools = HOSTILE_TEXTS.map((text, i) => ({
    ...plain,
    ...{ slug: `hostile-${i}`, name: text, summary: text, vendor: text, registryName: text },
    ...{ remoteUrl: `https://mcp.example/${encodeURI('ü')}`, transports: ['stdio', 'http'] },
    packages: [{ registry: 'npm', name: text || 'x' }],
  }))
  const entries = entriesOf({ ...snapshot, tools, bySlug: new Map() })
  expect(entries).toHaveLength(HOSTILE_TEXTS.length)
  for (const { json } of entries) {
    validate(JSON.parse(json))
    expect([json.slice(0, 80), validate.errors ?? []]).toEqual([json.slice(0, 80), []])
  }
})
