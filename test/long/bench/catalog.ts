import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publish } from '../../../src/catalog/publishing/publish.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { startBeckon } from './beckon.ts'
import { measureScale } from './catalog-scale.ts'
import { load, median } from './process.ts'
import type { Row } from './row.ts'

const TOOLS = 2_000
const ROUNDS = 5
const SECONDS = 2
const CONNECTIONS = 32
const LISTING = '/api/v1/tools.json'
const QUERIES_A_SECOND = 50
const QUERY_SECONDS = 9

/** The listing beside nginx with the same bytes, and parts of it at a steady pace. */
export async function measureCatalog(): Promise<Row[]> {
  // The addresses of the made-up tools are nobody's: asking all of them at once would be measured too.
  const env = { BECKON_CATALOG_RATE_LIMIT: 'off', BECKON_CATALOG_PROBES: 'off' }
  await using beckon = await startBeckon(env)
  await fill(beckon.folder, beckon.url)
  const gzip = { 'accept-encoding': 'gzip' }
  const response = await fetch(beckon.url + LISTING, { headers: gzip, decompress: false })
  const bytes = Buffer.from(await response.arrayBuffer())
  await using nginx = await startNginx(bytes)
  const theirs = await fetch(nginx.url + LISTING, { headers: gzip, decompress: false })
  if (!Buffer.from(await theirs.arrayBuffer()).equals(bytes)) throw new Error('other bytes')
  const tags = { ours: tagOf(response), theirs: tagOf(theirs) }

  const figures = { ours: [0], theirs: [0], oursKept: [0], theirsKept: [0] }
  for (let round = 0; round <= ROUNDS; round++) {
    const keep = (name: keyof typeof figures, perSecond: number) =>
      round === 0 ? figures[name].splice(0) : figures[name].push(perSecond)
    keep('ours', await read(beckon.url, gzip, 200))
    keep('theirs', await read(nginx.url, gzip, 200))
    keep('oursKept', await read(beckon.url, { ...gzip, 'if-none-match': tags.ours }, 304))
    keep('theirsKept', await read(nginx.url, { ...gzip, 'if-none-match': tags.theirs }, 304))
  }
  const size = `${Math.round(bytes.length / 1024)} KiB`
  return [
    beside(`catalog listing, ${TOOLS} tools, gzip, ${size}`, 0.8, figures.ours, figures.theirs),
    beside('catalog listing, 304', 0.75, figures.oursKept, figures.theirsKept),
    ...(await measureQueries(beckon.url)),
    ...(await measureScale()),
  ]
}

function beside(what: string, atLeast: number, ours: number[], theirs: number[]): Row {
  return {
    what,
    figure: `${Math.round(median(ours))}/s`,
    beside: `nginx gzip_static, one worker, same bytes: ${Math.round(median(theirs))}/s`,
    ratio: median(ours) / median(theirs),
    must: { atLeast },
  }
}

async function read(url: string, headers: Record<string, string>, status: number): Promise<number> {
  const { perSecond, failed } = await load({
    ...{ url: url + LISTING, method: 'GET', headers, status },
    ...{ connections: CONNECTIONS, seconds: SECONDS },
  })
  if (failed > 0) throw new Error(`${failed} requests failed at ${url}`)
  return perSecond
}

/** Each question is another one; beside it, what the machine lets a bare reply take at that pace. */
async function measureQueries(url: string): Promise<Row[]> {
  const kinds = ['http-api', 'mcp', 'framework', 'model', 'platform', 'protocol']
  const sorts = ['score', 'name', 'updated', '-stars', 'released']
  const question = (n: number) =>
    `${LISTING}?kind=${kinds[n % 6]}&sort=${sorts[n % 5]}&minScore=${n % 60}`
  const bare = await paced(() => `${url}/healthz`)
  const times = await paced((n) => url + question(n))
  // Every word of them is looked for, some mistyped, some a phrase for a capability.
  const texts = ['send a text messsage', 'storge of files', 'things number', 'take card paymnts']
  const searches = await paced((n) => `${url}${LISTING}?q=${texts[n % 4]} ${n % 997}&limit=100`)
  const search: Row = {
    what: `search over ${TOOLS} tools, p99 in ms`,
    figure: `${searches.p99.toFixed(1)} ms, half of them within ${searches.p50.toFixed(1)}`,
    beside: `the filtered listing at the same pace: ${times.p99.toFixed(1)} ms, ${times.p50.toFixed(1)}`,
    ratio: searches.p99 / times.p99,
    must: { atMost: 1 },
  }
  const listing: Row = {
    what: `filtered listing over ${TOOLS} tools, p99 in ms`,
    figure: `${times.p99.toFixed(1)} ms, half of them within ${times.p50.toFixed(1)}`,
    beside: `/healthz at the same ${QUERIES_A_SECOND} a second: ${bare.p99.toFixed(1)} ms, ${bare.p50.toFixed(1)}`,
    ratio: times.p99,
    must: { atMost: 8 },
  }
  return [listing, search]
}

async function paced(address: (n: number) => string): Promise<{ p50: number; p99: number }> {
  const times: number[] = []
  const startedAt = performance.now()
  const due = (n: number) => startedAt + (n * 1_000) / QUERIES_A_SECOND
  const ask = async (n: number) => {
    await Bun.sleep(Math.max(0, due(n) - performance.now()))
    const sentAt = performance.now()
    const response = await fetch(address(n), { decompress: false })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${address(n)}: ${response.status}`)
    // The first second warms the compiler up.
    if (n >= QUERIES_A_SECOND) times.push(performance.now() - sentAt)
  }
  await Promise.all(Array.from({ length: QUERIES_A_SECOND * QUERY_SECONDS }, (_, n) => ask(n)))
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

async function fill(folder: string, url: string): Promise<void> {
  {
    await using db = openDataFolder(folder)
    await publish({ db, clock }, generatedCatalog(TOOLS))
  }
  for (;;) {
    const { count } = (await (await fetch(url + LISTING)).json()) as { count: number }
    if (count === TOOLS) return
    await Bun.sleep(100)
  }
}

function tagOf(response: Response): string {
  return response.headers.get('etag') ?? ''
}

/** One worker that serves the bytes from a file that is compressed already. */
async function startNginx(bytes: Uint8Array): Promise<AsyncDisposable & { url: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-nginx-'))
  // Started as root, its worker is somebody else.
  chmodSync(folder, 0o755)
  const port = await freePort()
  await Bun.write(join(folder, `www${LISTING}`), Bun.gunzipSync(new Uint8Array(bytes)))
  await Bun.write(join(folder, `www${LISTING}.gz`), bytes)
  await Bun.write(
    join(folder, 'nginx.conf'),
    `worker_processes 1; daemon off; pid ${folder}/pid; error_log stderr;
events { worker_connections 256; }
http {
  types { application/json json; }
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; gzip_static on;
  client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  server { listen 127.0.0.1:${port}; root ${folder}/www; }
}`,
  )
  const child = Bun.spawn(['nginx', '-p', folder, '-c', join(folder, 'nginx.conf')], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(url).catch(() => undefined))) await Bun.sleep(20)
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  return port as number
}
