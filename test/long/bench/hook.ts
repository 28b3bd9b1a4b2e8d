import { hookWorld } from '../../support/hook-world.ts'
import { builtBinary } from './binary.ts'
import { median } from './process.ts'
import type { Row } from './row.ts'
import { RULES } from './rules.ts'

const RUNS = 200
const P95_MAX_MS = 25

/** What a tool call of an agent waits for: the hook, from its start to its end, without a server. */
export async function measureHook(): Promise<Row[]> {
  const binary = process.env.BENCH_BINARY ?? builtBinary()
  using world = hookWorld()
  using free = hookWorld()
  await free.run('claude', free.event('SessionStart'))
  free.server.stop()
  await world.ratify('claude', { allowedPaths: ['src/**'], offLimitsPaths: ['infra/**'] })
  world.server.stop()
  const { before, project } = world
  const command = { command: 'ls src && bun test > src/out.txt' }
  const calls = {
    'a command where no scope holds': { world: free, input: free.before('Bash', command) },
    'a file within the scope': {
      world,
      input: before('Write', { file_path: `${project}/src/a.ts` }),
    },
    'a command within the scope': { world, input: before('Bash', command) },
    'a file off limits': {
      world,
      input: before('Edit', { file_path: `${project}/infra/prod.tf` }),
    },
  }
  const rows: Row[] = []
  for (const [what, { world, input }] of Object.entries(calls)) {
    rows.push(await measure(what, { binary, input: JSON.stringify(input), env: world.env }))
  }
  return [...rows, ...(await measureRules(binary))]
}

/** A call in sessions that were told of rules, beside one that was told of none, in turns. */
async function measureRules(binary: string): Promise<Row[]> {
  const counts = { none: 0, other: RULES, same: RULES }
  const times: Record<keyof typeof counts, number[]> = { none: [], other: [], same: [] }
  using none = hookWorld()
  using other = hookWorld()
  using same = hookWorld()
  const worlds = { none, other, same }
  for (const [name, { server, run, event }] of Object.entries(worlds)) {
    const toolName = name === 'same' ? 'Bash' : 'mcp__infra__apply'
    const count = counts[name as keyof typeof counts]
    server.ruleMatches = Array.from({ length: count }, (_, at) => ({
      ...{ toolName, toolTarget: `make target-${at}*` },
    }))
    await run('claude', event('SessionStart'))
    server.stop()
  }
  for (let run = 0; run < RUNS; run++) {
    for (const [name, { before, env }] of Object.entries(worlds)) {
      const input = JSON.stringify(before('Bash', { command: 'ls src && bun test > src/out.txt' }))
      times[name as keyof typeof times].push(
        await timed([binary, 'hook', 'claude'], { input, env }),
      )
    }
  }
  const row = (what: string, name: keyof typeof times): Row => ({
    what: `the same, ${what}, p50 of ${RUNS}`,
    figure: `${median(times[name]).toFixed(1)} ms`,
    beside: `without a rule: ${median(times.none).toFixed(1)} ms`,
    // Of each run, so that a busy minute counts for both.
    ratio: median(times[name].map((time, at) => time / (times.none[at] ?? time))),
    must: { atMost: name === 'other' ? 1.05 : 1.2 },
  })
  return [
    row(`${RULES} rules for another tool`, 'other'),
    row(`${RULES} rules for commands of its tool`, 'same'),
  ]
}

type Started = { input: string; env: Record<string, string>; cwd?: string }
type Call = Started & { binary: string }

async function measure(what: string, { binary, input, env }: Call): Promise<Row> {
  const hook: number[] = []
  const bare: number[] = []
  for (let run = 0; run < RUNS; run++) {
    hook.push(await timed([binary, 'hook', 'claude'], { input, env }))
    bare.push(await timed([binary, '--version'], { input, env }))
  }
  const [p95, beside] = [percentile(hook, 0.95), percentile(bare, 0.95)]
  return {
    what: `compiled binary: decision of a hook on ${what}, p95 of ${RUNS}, ms`,
    figure: `${p95.toFixed(1)} ms (p50 ${percentile(hook, 0.5).toFixed(1)} ms)`,
    beside: `beckon --version: ${beside.toFixed(1)} ms (p50 ${percentile(bare, 0.5).toFixed(1)} ms)`,
    ratio: p95,
    must: { atMost: P95_MAX_MS },
  }
}

/** Milliseconds from the start of a program to its end. */
export async function timed(command: string[], { input, env, cwd }: Started): Promise<number> {
  const startedAt = performance.now()
  const child = Bun.spawn(command, {
    stdin: new Blob([input]),
    stdout: 'pipe',
    stderr: 'ignore',
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  })
  await new Response(child.stdout).text()
  await child.exited
  return performance.now() - startedAt
}

/** The smallest value that this share of all does not exceed. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0
}
