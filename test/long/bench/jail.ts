import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HookWorld, hookWorld, SESSION } from '../../support/hook-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { builtBinary } from './binary.ts'
import { percentile, timed } from './hook.ts'
import type { Row } from './row.ts'

const RUNS = 200
const P95_MORE_MS = 8
const P95_STARTED_MORE_MS = 15

/** What a shell command waits for when it is started in a jail, beside the start of the program. */
export async function measureJail(): Promise<Row[]> {
  const binary = process.env.BENCH_BINARY ?? builtBinary()
  const rows = [await measureAlone(binary)]
  for (const client of Object.keys(INPUTS)) rows.push(await measureStarted(binary, client))
  return rows
}

async function measureAlone(binary: string): Promise<Row> {
  using folder = tempFolder()
  const project = join(folder.path, 'project')
  makeProject(project)
  const scope = ['--write', 'src', '--deny', '.env']
  const call = { input: '', env: {}, cwd: project }
  const what = 'true in a jail'
  return await beside(binary, { what, words: [binary, 'jail', ...scope, '--', 'true'], call })
}

/** The event before a shell command, in the words of clients whose hook replaces the command. */
const INPUTS: Record<string, (world: HookWorld, command: string) => object> = {
  codex: ({ before }, command) => before('Bash', { command }),
  opencode: ({ project }, command) => ({
    ...{ event: 'tool.execute.before', cwd: project, roots: [project], takesInput: true },
    input: { tool: 'bash', sessionID: SESSION, callID: 'call_1' },
    output: { args: { command } },
  }),
  gemini: ({ event }, command) =>
    event('BeforeTool', { tool_name: 'run_shell_command', tool_input: { command } }),
}

/** A command under a scope, as the client starts it after the hook has replaced it. */
async function measureStarted(binary: string, client: string): Promise<Row> {
  using world = hookWorld()
  const { project, env } = world
  makeProject(project)
  await world.ratify('codex', { allowedPaths: ['src', 'src/**'], offLimitsPaths: ['.env'] })
  const input = JSON.stringify(INPUTS[client]?.(world, 'true'))
  const decide = async () => {
    const child = Bun.spawn([binary, 'hook', client], {
      stdin: new Blob([input]),
      stdout: 'pipe',
      cwd: project,
      env: { ...process.env, ...env },
    })
    return await new Response(child.stdout).text()
  }
  // The first one learns of the scope.
  await decide()
  const command = commandIn(JSON.parse(await decide()))
  if (!command.startsWith('sh ')) throw new Error(`the hook of ${client} replaced nothing`)
  const words = ['sh', '-c', command]
  world.server.stop()
  const what = `true as the hook of ${client} starts it`
  return await beside(binary, { what, words, call: { input: '', env, cwd: project } })
}

type Timed = { what: string; words: string[]; call: Parameters<typeof timed>[1] }

async function beside(binary: string, { what, words, call }: Timed): Promise<Row> {
  const jailed: number[] = []
  const bare: number[] = []
  for (let run = 0; run < RUNS; run++) {
    jailed.push(await timed(words, call))
    bare.push(await timed([binary, '--version'], call))
  }
  const [p95, version] = [percentile(jailed, 0.95), percentile(bare, 0.95)]
  return {
    what: `compiled binary: ${what}, p95 of ${RUNS}, ms more than --version`,
    figure: `${p95.toFixed(1)} ms (p50 ${percentile(jailed, 0.5).toFixed(1)} ms)`,
    beside: `beckon --version: ${version.toFixed(1)} ms (p50 ${percentile(bare, 0.5).toFixed(1)} ms)`,
    ratio: p95 - version,
    must: { atMost: words[0] === binary ? P95_MORE_MS : P95_STARTED_MORE_MS },
  }
}

function makeProject(project: string): void {
  mkdirSync(join(project, 'src'), { recursive: true })
  writeFileSync(join(project, '.env'), 'KEY=1')
  const git = Bun.spawnSync(['git', 'init', '-q'], { cwd: project })
  if (!git.success) throw new Error('git init failed')
}

/** The one command in a reply of a hook. */
function commandIn(reply: unknown): string {
  if (reply === null || typeof reply !== 'object') return ''
  const { command } = reply as { command?: unknown }
  if (typeof command === 'string') return command
  return Object.values(reply).map(commandIn).find(Boolean) ?? ''
}
