import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { companyCatalog } from '../../support/company-catalog.ts'
import { writeCatalog } from '../../support/generated-catalog.ts'
import { builtBinary } from './binary.ts'
import { peakBytes, startMeasured } from './process.ts'
import type { Row } from './row.ts'

const SIZES = [300, 3_000, 30_000] as const
const MIB = 1024 * 1024
const READERS = 8
const ENV = {
  BECKON_CATALOG_RATE_LIMIT: 'off',
  BECKON_CATALOG_PROBES: 'off',
  BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
}

/** What one size takes; times are those of the processors, which other work does not change. */
type Figures = {
  size: number
  publish: Spent
  export: Spent
  mirror: Spent
  /** Peak memory of the server after each page was asked for once and a mirror has fetched all. */
  serverMib: number
  listingBytes: number
}
type Spent = { seconds: number; mib: number }

/** Commands and server at three sizes; each row beside the smallest size, per tool. */
export async function measureScale(): Promise<Row[]> {
  const rows: Row[] = []
  let first: Figures | undefined
  for (const size of SIZES) {
    const figures = await measureSize(size)
    first ??= figures
    rows.push(...rowsOf(figures, first))
  }
  return rows
}

async function measureSize(size: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-scale-'))
  const [source, data, site, mirror] = ['source', 'data', 'site', 'mirror'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  try {
    writeCatalog(source, companyCatalog(size))
    const publish = await spent(['catalog', 'publish', source, '--data', data])
    const exported = await spent(['catalog', 'export', site, '--data', data])
    const listingBytes = statSync(join(site, 'api/v1/tools.json')).size
    const serve = [builtBinary(), 'serve', '--port', '0', '--data', data]
    await using server = await startMeasured(() => serve, ENV)
    await readAll(server.url)
    const fetched = await spent(['catalog', 'mirror', '--from', server.url, '--data', mirror])
    const serverMib = (await peakBytes(server.pid)) / MIB
    return { size, publish, export: exported, mirror: fetched, serverMib, listingBytes }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a command to its end. */
async function spent(args: string[]): Promise<Spent> {
  const child = Bun.spawn([builtBinary(), ...args], {
    env: { ...process.env, ...ENV },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const errors = new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${args.join(' ')}: ${await errors}`)
  const { cpuTime, maxRSS } = child.resourceUsage() ?? { cpuTime: { total: 0 }, maxRSS: 0 }
  return { seconds: Number(cpuTime.total) / 1_000_000, mib: maxRSS / MIB }
}

/** Asks for each document of the manifest once, compressed as browsers ask. */
async function readAll(url: string): Promise<void> {
  const manifest = await fetch(`${url}/api/v1/manifest.json`)
  const { files } = (await manifest.json()) as { files: Array<{ path: string }> }
  const read = async () => {
    for (let file = files.pop(); file; file = files.pop()) {
      const headers = { 'accept-encoding': 'gzip' }
      const response = await fetch(url + file.path, { headers, decompress: false })
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`${file.path}: ${response.status}`)
    }
  }
  await Promise.all(Array.from({ length: READERS }, read))
}

// Growth with the number of tools, with room for what differs from run to run.
const LINEAR = { atMost: 1.3 }

function rowsOf(own: Figures, first: Figures): Row[] {
  const { size } = own
  const growth = (now: number, then: number) => now / size / (then / first.size)
  const command = (name: 'publish' | 'export' | 'mirror'): Row => ({
    what: `catalog ${name}, ${size} tools`,
    figure: `${own[name].seconds.toFixed(1)} s of a core, ${own[name].mib.toFixed(0)} MiB`,
    beside: `${first.size} tools: ${first[name].seconds.toFixed(1)} s`,
    ratio: growth(own[name].seconds, first[name].seconds),
    must: LINEAR,
  })
  const memory = (what: string, mib: number, atMost: number): Row => ({
    what: `${what}, ${size} tools, peak memory in MiB`,
    figure: `${mib.toFixed(0)} MiB`,
    beside: '–',
    ratio: mib,
    must: { atMost },
  })
  return [
    {
      what: `catalog listing, ${size} tools`,
      figure: `${Math.round(own.listingBytes / size)} bytes a tool`,
      beside: `${first.size} tools: ${Math.round(first.listingBytes / first.size)}`,
      ratio: growth(own.listingBytes, first.listingBytes),
      must: LINEAR,
    },
    command('publish'),
    command('export'),
    command('mirror'),
    ...(size === 3_000 ? [memory('catalog export', own.export.mib, 300)] : []),
    memory('server, all pages read and mirrored', own.serverMib, 700),
  ]
}
