import { join } from 'node:path'
import { Glob } from 'bun'

/**
 * Runs what takes long, and the rest of what the quick run takes a share of, in full:
 * `bun run test:long [FILE …]`. Exits with the code of `bun test`.
 */
const ROOT = join(import.meta.dir, '../..')
const TAKES_A_SHARE = /\/support\/share\.ts'/

const args = process.argv.slice(2)
const child = Bun.spawn(
  [
    ...[process.execPath, 'test', '--timeout', '600000'],
    // bunfig.toml passes these files over.
    ...['--path-ignore-patterns', 'node_modules/**'],
    ...(args.length > 0 ? args : await longFiles()),
  ],
  {
    cwd: ROOT,
    env: { ...process.env, TEST_LONG: '1' },
    stdio: ['inherit', 'inherit', 'inherit'],
  },
)
process.exit(await child.exited)

async function longFiles(): Promise<string[]> {
  const paths: string[] = []
  for await (const path of new Glob('test/**/*.test.ts').scan(ROOT)) {
    if (path.includes('node_modules/')) continue
    const isLong = path.startsWith('test/long/')
    const shares = TAKES_A_SHARE.test(await Bun.file(join(ROOT, path)).text())
    if (isLong || shares) paths.push(`./${path}`)
  }
  return paths.sort()
}
