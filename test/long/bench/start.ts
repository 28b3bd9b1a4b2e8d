import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtBinary } from './binary.ts'
import { median, residentBytes } from './process.ts'
import type { Row } from './row.ts'

const RUNS = 9
const RATIO_MAX = 2
const MEMORY_MAX_MIB = 65
const BARE =
  'Bun.serve({port:Number(process.env.PORT),hostname:"127.0.0.1",fetch:()=>new Response("ok")})'

/** The compiled binary on an existing data folder: start to the first `/healthz` 200; idle memory. */
export async function measureStart(): Promise<Row[]> {
  const binary = builtBinary()
  const folder = mkdtempSync(join(tmpdir(), 'beckon-bench-'))
  try {
    return await measure(binary, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(binary: string, folder: string): Promise<Row[]> {
  const ours: number[] = []
  const bare: number[] = []
  const memory: number[] = []
  for (let run = 0; run <= RUNS; run++) {
    const port = freePort()
    const beckon = await timed([binary, 'serve', '--port', `${port}`, '--data', folder], port)
    const beside = await timed([process.execPath, '-e', BARE], port)
    // The first run makes the data folder and warms the disk.
    if (run === 0) continue
    ours.push(beckon.ms)
    bare.push(beside.ms)
    memory.push(beckon.bytes / 1024 / 1024)
  }
  return [
    {
      what: 'compiled binary, existing data: start to first /healthz 200',
      figure: `${Math.round(median(ours))} ms`,
      beside: `bun -e Bun.serve: ${Math.round(median(bare))} ms`,
      ratio: median(ours) / median(bare),
      must: { atMost: RATIO_MAX },
    },
    {
      what: 'compiled binary: idle memory, MiB',
      figure: `${Math.round(median(memory))} MiB`,
      beside: '–',
      ratio: median(memory),
      must: { atMost: MEMORY_MAX_MIB },
    },
  ]
}

/** Milliseconds until a server on `folder` says that it is well. */
export async function startOnce(binary: string, folder: string): Promise<number> {
  const port = freePort()
  return (await timed([binary, 'serve', '--port', `${port}`, '--data', folder], port)).ms
}

// After the server has answered it settles for a moment, as it would before anybody looks.
const SETTLE_MS = 500

async function timed(command: string[], port: number): Promise<{ ms: number; bytes: number }> {
  const startedAt = performance.now()
  const child = Bun.spawn(command, {
    stdout: 'ignore',
    stderr: 'ignore',
    env: { ...process.env, PORT: String(port) },
  })
  const url = `http://127.0.0.1:${port}/healthz`
  while (!(await answers(url))) await Bun.sleep(1)
  const ms = performance.now() - startedAt
  await Bun.sleep(SETTLE_MS)
  const bytes = await residentBytes(child.pid)
  child.kill('SIGTERM')
  await child.exited
  return { ms, bytes }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  return port ?? 0
}
