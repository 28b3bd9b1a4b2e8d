import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Runs git in a folder, with nothing of this machine's settings; fails when git does. */
export function git(folder: string, ...words: string[]): string {
  const variables = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  const done = Bun.spawnSync(['git', ...who, ...words], {
    cwd: folder,
    env: {
      ...Object.fromEntries(variables),
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_ALLOW_PROTOCOL: 'file',
    },
  })
  if (done.exitCode !== 0) throw new Error(`git ${words.join(' ')}: ${done.stderr}`)
  return done.stdout.toString()
}

/** A repository in which these files are committed. */
export function repository(folder: string, files: Record<string, string> = {}): void {
  mkdirSync(folder, { recursive: true })
  git(folder, 'init', '-q', '-b', 'main')
  put(folder, files)
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'start')
}

export function put(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
