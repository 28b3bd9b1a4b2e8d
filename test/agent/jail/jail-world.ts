import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLinux } from '../../../src/agent/jail/linux.ts'
import { runCommand } from '../../support/run-command.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const MAIN = join(import.meta.dir, '../../../src/main.ts')

/** Why commands cannot be contained here; undefined where they can. */
export function whyNot(): string | undefined {
  if (process.platform !== 'linux') return `${process.platform} has no Landlock`
  const linux = openLinux()
  return linux && linux.version > 0 ? undefined : 'this kernel has no Landlock'
}

/** A repository with a folder that may be changed, one that may not, and two that nobody may read. */
export function jailWorld() {
  const folder = tempFolder()
  const project = join(folder.path, 'project')
  const home = join(folder.path, 'home')
  for (const name of ['src', 'lib', 'infra/prod'])
    mkdirSync(join(project, name), { recursive: true })
  mkdirSync(home)
  write(project, {
    'src/a.ts': 'a\n',
    'lib/b.ts': 'b\n',
    '.env': 'KEY=1\n',
    'infra/prod/m.tf': 'm\n',
  })
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1', ...NAMED }

  async function run(args: string[], more: { cwd?: string; env?: object } = {}) {
    return await runCommand([process.execPath, MAIN, 'jail', ...args], {
      cwd: more.cwd ?? project,
      env: { ...env, ...more.env },
    })
  }

  return {
    project,
    home,
    env,
    main: MAIN,
    run,
    /** A script of `sh` with the usual scope: `src` may be changed, `.env` and `infra/prod` not read. */
    sh: (script: string, options: string[] = []) =>
      run([...SCOPE, ...options, '--', 'sh', '-c', script]),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

const SCOPE = ['--write', 'src', '--deny', '.env', '--deny', 'infra/prod']
const NAMED = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}

function write(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}
