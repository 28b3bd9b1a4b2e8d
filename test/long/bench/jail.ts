import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '../../support/temp-folder.ts'
import { builtBinary } from './binary.ts'
import { percentile, timed } from './hook.ts'
import type { Row } from './row.ts'

const RUNS = 200
const P95_MORE_MS = 8

/** What a shell command waits for when it is started in a jail, beside the start of the program. */
export async function measureJail(): Promise<Row[]> {
  const binary = process.env.BENCH_BINARY ?? builtBinary()
  using folder = tempFolder()
  const project = join(folder.path, 'project')
  mkdirSync(join(project, 'src'), { recursive: true })
  writeFileSync(join(project, '.env'), 'KEY=1')
  const git = Bun.spawnSync(['git', 'init', '-q'], { cwd: project })
  if (!git.success) throw new Error('git init failed')
  const call = { input: '', env: {}, cwd: project }
  const scope = ['--write', 'src', '--deny', '.env']
  const jailed: number[] = []
  const bare: number[] = []
  for (let run = 0; run < RUNS; run++) {
    jailed.push(await timed([binary, 'jail', ...scope, '--', 'true'], call))
    bare.push(await timed([binary, '--version'], call))
  }
  const [p95, beside] = [percentile(jailed, 0.95), percentile(bare, 0.95)]
  return [
    {
      what: `compiled binary: true in a jail, p95 of ${RUNS}, ms more than --version`,
      figure: `${p95.toFixed(1)} ms (p50 ${percentile(jailed, 0.5).toFixed(1)} ms)`,
      beside: `beckon --version: ${beside.toFixed(1)} ms (p50 ${percentile(bare, 0.5).toFixed(1)} ms)`,
      ratio: p95 - beside,
      must: { atMost: P95_MORE_MS },
    },
  ]
}
