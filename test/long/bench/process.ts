import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoadPlan, LoadReport } from './load.ts'

export const ROOT = join(import.meta.dir, '..', '..', '..')

/** A server under measurement: a process of its own with a folder of its own. */
export type Measured = AsyncDisposable & {
  url: string
  pid: number
  folder: string
  /** Ends the process and leaves its folder, until disposed. */
  stop(): Promise<void>
}

/** Starts `command` and waits for the line on its stdout that holds its address. */
export async function startMeasured(
  command: (folder: string) => string[] | Promise<string[]>,
  env: Record<string, string> = {},
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-bench-'))
  const child = Bun.spawn(await command(folder), {
    cwd: ROOT,
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...process.env, ...env },
  })
  const url = await firstUrl(child.stdout)
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
  }
  return {
    url,
    pid: child.pid,
    folder,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function firstUrl(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stdout.getReader()
  let output = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`the server ended before it said where it listens: ${output}`)
    output += new TextDecoder().decode(value)
    const url = /https?:\/\/[\w.-]+:\d+/.exec(output)
    if (!url) continue
    void drain(reader)
    return url[0]
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>) {
  while (!(await reader.read()).done);
}

/** One measurement by a load generator in a process of its own. */
export async function load(plan: LoadPlan): Promise<LoadReport> {
  const file = join(import.meta.dir, 'load.ts')
  const child = Bun.spawn([process.execPath, file, JSON.stringify(plan)], { stdout: 'pipe' })
  return JSON.parse(await new Response(child.stdout).text()) as LoadReport
}

/** Resident memory of a process, in bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text()
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}

/** The most resident memory that a process has had, in bytes. */
export async function peakBytes(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text()
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}

// Linux counts a process's time in hundredths of a second.
const TICK_MS = 10

/** What a process has used of the processors so far, in milliseconds. */
export async function processorMs(pid: number): Promise<number> {
  const stat = await Bun.file(`/proc/${pid}/stat`).text()
  // The name in parentheses may hold spaces: what follows it is counted.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * TICK_MS
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
