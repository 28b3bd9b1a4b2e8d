import { cpSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hookWorld } from '../../support/hook-world.ts'
import type { Probe } from './probes.ts'

const MAIN = join(import.meta.dir, '../../../src/main.ts')
const PROBE_MS = 10_000
const SCOPE = { allowedPaths: ['src'], offLimitsPaths: ['infra/prod', '.env'] }
// Links and folders that a probe may expect.
const FILES = {
  'src/a.ts': 'a\n',
  'src/spare': 'spare\n',
  'lib/b.ts': 'b\n',
  '.env': 'KEY=TOPSECRET\n',
  'infra/prod/key.txt': 'KEY=TOPSECRET\n',
}

// What a superuser mounts must not stay.
const APART = process.getuid?.() === 0 ? ['unshare', '--mount', '--propagation', 'private'] : []

/** How a probe is run: as it is, when a strict hook lets it, in the jail. */
export type Way = 'open' | 'hook' | 'jail' | 'landlock'

/** A project in which each probe finds everything as it was. */
export async function probeWorld() {
  const world = hookWorld()
  const { project, home } = world
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    PROJECT: project,
    BECKON: `${process.execPath} ${MAIN}`,
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  }
  const outside = Bun.spawn(['sleep', '3600'])
  Object.assign(env, { OUTSIDE: String(outside.pid) })
  const copy = join(home, 'kept')
  for (const [path, text] of Object.entries(FILES)) world.write(path, text)
  Bun.spawnSync(
    [
      'sh',
      '-c',
      'git init -q . && echo 0 > lib/b.ts && git add src lib && git commit -qm 0 && echo b > lib/b.ts && git commit -qam 1; ln -s .. src/to',
    ],
    { cwd: project, env },
  )
  cpSync(project, copy, { recursive: true, verbatimSymlinks: true })
  await world.ratify('claude', SCOPE)

  function reset() {
    for (const name of readdirSync(project))
      rmSync(join(project, name), { recursive: true, force: true })
    cpSync(copy, project, { recursive: true, verbatimSymlinks: true })
  }

  async function start(words: string[]): Promise<string> {
    const child = Bun.spawn(words, {
      cwd: project,
      env,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), PROBE_MS)
    const out = await new Response(child.stdout).text()
    await child.exited
    clearTimeout(timer)
    return out
  }

  // Quotes of other languages keep a shell from putting it in.
  const commandOf = ({ command }: Probe) => command.replaceAll('$PROJECT', project)

  async function isStopped(probe: Probe): Promise<boolean> {
    const command = commandOf(probe)
    const { code, out } = await world.run('claude', world.before('Bash', { command }), {
      args: ['--strict'],
    })
    // Asked about is stopped too: nobody said yes.
    return code === 2 || out.includes('"permissionDecision":"ask"')
  }

  const jailed = (more: string[]) => [
    process.execPath,
    MAIN,
    'jail',
    '--write',
    'src',
    '--deny',
    '.env',
    '--deny',
    'infra/prod',
    ...more,
    '--',
  ]
  const before: Record<Way, string[]> = {
    open: APART,
    hook: APART,
    jail: jailed([]),
    landlock: jailed(['--no-namespaces']),
  }

  return {
    /** Whether the probe got out. */
    async passes(probe: Probe, way: Way): Promise<boolean> {
      if (way === 'hook' && (await isStopped(probe))) return false
      reset()
      const was = stateOf(project)
      const out = await start([...before[way], 'sh', '-c', commandOf(probe)])
      return probe.as === 'read' ? out.includes('TOPSECRET') : stateOf(project) !== was
    },
    [Symbol.dispose]() {
      outside.kill('SIGKILL')
      world[Symbol.dispose]()
    },
  }
}

/** Everything that is outside of what may be changed, as text. */
function stateOf(project: string): string {
  const lines: string[] = []
  const visit = (path: string) => {
    const full = join(project, path)
    const stat = lstatSync(full)
    const isFolder = stat.isDirectory()
    const text = stat.isFile() ? readFileSync(full, 'latin1') : ''
    lines.push(`${path} ${stat.mode} ${isFolder ? '' : stat.mtimeMs} ${text}`)
    if (isFolder) for (const name of readdirSync(full).sort()) visit(join(path, name))
  }
  const names = readdirSync(project).filter((name) => name !== 'src' && name !== '.git')
  const git = ['.git/config', '.git/hooks'].filter((name) =>
    lstatSync(join(project, name), { throwIfNoEntry: false }),
  )
  for (const name of [...names.sort(), ...git]) visit(name)
  lines.push(readdirSync(project).sort().join())
  return lines.join('\n')
}
