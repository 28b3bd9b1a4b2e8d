import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { databaseSteps } from '../../../src/catalog/feeds/database/module.ts'
import type { ToolChecksDocument } from '../../../src/catalog/records/checks-document.ts'
import type { ToolHistory } from '../../../src/catalog/records/history.ts'
import type { ToolDetail } from '../../../src/catalog/records/tool.ts'
import type { Manifest } from '../../../src/catalog/signing/manifest.ts'
import { runAtOnce } from '../../../src/platform/run-in-steps.ts'
import { exampleCatalog } from '../../support/example-catalog.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { snapshotOf } from '../snapshot-of.ts'
import { bytesOf, type FeedWorld, feedWorld } from './feed-world.ts'

const PATH = '/api/v1/catalog.sqlite'
const plain = { 'accept-encoding': 'identity' }

let world: FeedWorld
let folder: ReturnType<typeof tempFolder>
let file: string
beforeAll(async () => {
  world = await feedWorld()
  folder = tempFolder()
  await world.publish(await exampleCatalog())
  file = join(folder.path, 'catalog.sqlite')
  writeFileSync(file, await bytesOf(await world.get(PATH, plain)))
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

/** The rows as the program of Debian reads them, where it is installed. */
async function select<T = Record<string, unknown>>(query: string): Promise<T[]> {
  if (!Bun.which('sqlite3')) {
    using db = new Database(file, { readonly: true })
    return db.query(query).all() as T[]
  }
  const sqlite = Bun.spawn(['sqlite3', '-readonly', '-json', file, query], { stderr: 'inherit' })
  const text = await new Response(sqlite.stdout).text()
  expect(await sqlite.exited).toBe(0)
  return JSON.parse(text || '[]')
}

test('the file is whole, has the version of its tables, and the meta of the documents', async () => {
  expect(await select('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(await select('PRAGMA user_version')).toEqual([{ user_version: 1 }])
  const about = Object.fromEntries(
    (await select<{ name: string; value: string }>('SELECT * FROM about')).map((row) => [
      row.name,
      row.value,
    ]),
  )
  const { meta } = await world.json<{ meta: Record<string, unknown> }>('/api/v1/index.json')
  for (const [name, value] of Object.entries(meta)) expect(about[name]).toBe(String(value))
})

test('each record is the record of its document, and its columns are members of it', async () => {
  const rows = await select<Record<string, string | number | null>>('SELECT * FROM tools')
  const { tools } = await world.json<{ tools: Array<{ slug: string }> }>('/api/v1/tools.json')
  expect(rows.map(({ slug }) => slug)).toEqual(tools.map(({ slug }) => slug).sort())
  for (const row of rows) {
    const { tool } = await world.json<{ tool: ToolDetail }>(`/api/v1/tools/${row.slug}.json`)
    expect(JSON.parse(String(row.record))).toEqual(tool)
    for (const name of ['name', 'vendor', 'kind', 'category', 'summary', 'license', 'where']) {
      const own: unknown = (tool as Record<string, unknown>)[name] ?? null
      expect<unknown>(row[name]).toBe(own)
    }
    const { grade, score, agentReady } = tool.catalog
    expect([row.grade, row.score, row.agent_ready]).toEqual([grade, score, Number(agentReady)])
    expect(row.x402).toBe(tool.x402?.level ?? null)
  }
})

test('grades, evidence, checks, prices and changes are those of the documents', async () => {
  const { tools } = await world.json<{ tools: Array<{ slug: string }> }>('/api/v1/tools.json')
  const all = { criteria: 0, evidence: 0, checks: 0, prices: 0, grade_history: 0 }
  for (const { slug } of tools) {
    const { tool } = await world.json<{ tool: ToolDetail }>(`/api/v1/tools/${slug}.json`)
    const { criteria } = await world.json<ToolChecksDocument>(`/api/v1/checks/${slug}.json`)
    all.criteria += tool.breakdown.length
    for (const { evidence = [], findings = [] } of tool.breakdown) {
      const listed = new Set(findings.map(({ url }) => url))
      all.evidence += findings.length + evidence.filter((url) => !listed.has(url)).length
    }
    all.checks += criteria.reduce((sum, { checks }) => sum + checks.length, 0)
    all.prices += tool.unitPrices.length
    all.grade_history += tool.catalog.history.length
  }
  for (const [table, count] of Object.entries(all)) {
    expect([table, ...(await select(`SELECT count(*) AS n FROM ${table}`))]).toEqual([
      table,
      { n: count },
    ])
  }
  expect(all.evidence).toBeGreaterThan(100)
  const one = 'vercel-ai-sdk'
  const { tool } = await world.json<{ tool: ToolDetail }>(`/api/v1/tools/${one}.json`)
  const criteria = await select(
    `SELECT criterion, score, points, reason FROM criteria WHERE tool = '${one}' ORDER BY criterion`,
  )
  const own = tool.breakdown.map(({ key, score, points, reason }) => ({
    ...{ criterion: key, score, points, reason },
  }))
  expect(criteria).toEqual(own.sort((a, b) => (a.criterion < b.criterion ? -1 : 1)))
  const { recent, upcoming } =
    await world.json<Record<string, Array<{ id: string }>>>('/api/v1/changes.json')
  const ids = [...(recent ?? []), ...(upcoming ?? [])].map(({ id }) => id)
  const stored = await select<{ id: string }>('SELECT id FROM changes')
  expect(stored.map(({ id }) => id)).toEqual(ids.sort())
})

test('what was measured is in the tables of its history', async () => {
  const snapshot = snapshotOf(await exampleCatalog())
  const at = '2026-11-02T10:00:00Z'
  const url = 'https://mcp.example/mcp'
  const hash = 'a'.repeat(64)
  const history: Omit<ToolHistory, 'slug' | 'name' | 'url' | 'paidPrices' | 'scores'> = {
    tools: [{ name: 'send', hash, seenAt: at, changedAt: at }],
    toolLists: [
      { at, url, count: 1, changes: [] },
      {
        ...{ at, url, count: 2 },
        changes: [{ tool: 'send', kind: 'changed', breaking: null, hash, parts: [] }],
      },
    ],
    prices: [{ at, item: 'mail', unit: '1,000', before: null, after: 0.4 }],
    versions: [{ at, registry: 'npm', name: 'mail', version: '1.2.3' }],
    status: [{ at, indicator: 'minor', summary: 'Slow.' }],
    months: [{ month: '2026-10', probes: 10, ok: 9 }],
  }
  const [tool] = snapshot.tools
  const slug = tool?.slug ?? ''
  const measured = { ...snapshot, history: new Map([[slug, history]]) }
  const bytes = runAtOnce(databaseSteps(measured, 64 * 1024 * 1024))
  const before = file
  file = join(folder.path, 'measured.sqlite')
  writeFileSync(file, bytes ?? '')
  expect(await select('SELECT * FROM mcp_tools')).toEqual([
    { tool: slug, name: 'send', hash, seen_at: at, changed_at: at },
  ])
  expect(await select('SELECT n, count FROM mcp_lists')).toEqual([
    { n: 0, count: 1 },
    { n: 1, count: 2 },
  ])
  // Whether it breaks is not known, and so it is neither 0 nor 1.
  expect(await select('SELECT list, name, breaking FROM mcp_changes')).toEqual([
    { list: 1, name: 'send', breaking: null },
  ])
  expect(await select('SELECT usd_before, usd_after FROM price_history')).toEqual([
    { usd_before: null, usd_after: 0.4 },
  ])
  expect(await select('SELECT version, released FROM versions')).toEqual([
    { version: '1.2.3', released: null },
  ])
  expect(await select('SELECT indicator FROM vendor_status')).toEqual([{ indicator: 'minor' }])
  expect(await select('SELECT month, probes, ok FROM uptime')).toEqual(history.months)
  file = before
})

test('the same publish gives the same bytes and tag; a larger file than allowed is not made', async () => {
  const snapshot = snapshotOf(await exampleCatalog())
  const bytes = runAtOnce(databaseSteps(snapshot, 64 * 1024 * 1024))
  expect(runAtOnce(databaseSteps(snapshot, 64 * 1024 * 1024))).toEqual(bytes as Uint8Array)
  expect(runAtOnce(databaseSteps(snapshot, 256 * 1024))).toBeUndefined()
  const response = await world.get(PATH, plain)
  const etag = response.headers.get('etag') ?? ''
  expect(response.headers.get('content-type')).toBe('application/vnd.sqlite3')
  const again = await world.get(PATH, { ...plain, 'if-none-match': etag })
  expect([again.status, (await bytesOf(again)).length]).toEqual([304, 0])
})

test('the manifest lists it, and minisign verifies its signature', async () => {
  const { files } = await world.json<Manifest>('/api/v1/manifest.json')
  const bytes = await bytesOf(await world.get(PATH, plain))
  expect(files.find(({ path }) => path === PATH)).toEqual({
    path: PATH,
    type: 'application/vnd.sqlite3',
    sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
    size: bytes.length,
  })
  if (!Bun.which('minisign')) return
  const at = (name: string) => join(folder.path, name)
  for (const path of [`${PATH}.minisig`, '/.well-known/catalog-minisign.pub']) {
    writeFileSync(at(path.slice(path.lastIndexOf('/') + 1)), await (await world.get(path)).text())
  }
  const verify = async () => {
    const command = ['minisign', '-V', '-m', file, '-p', at('catalog-minisign.pub')]
    return await Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore' }).exited
  }
  expect(await verify()).toBe(0)
  writeFileSync(file, Buffer.concat([bytes.subarray(0, -1), Buffer.from([1])]))
  expect(await verify()).not.toBe(0)
  writeFileSync(file, bytes)
})
