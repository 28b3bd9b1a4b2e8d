import { join } from 'node:path'
import { SHORT_LIVED } from './support/short-lived.ts'

/**
 * `bun run test`, or with `--slow` `bun run test:slow`: only what the other passes over because each
 * of its tests takes seconds. Files may be named, and options go to `bun test`, whose exit code this
 * ends with.
 */
const ROOT = join(import.meta.dir, '..')

const args = process.argv.slice(2).filter((argument) => argument !== '--slow')
const isSlow = process.argv.includes('--slow')
const hasFile = args.some((argument) => /\btest\//.test(argument))
const child = Bun.spawn(
  [
    ...[process.execPath, 'test', '--parallel=4', '--no-isolate', '--timeout', '60000'],
    '--timings=test/timings.json',
    // bunfig.toml passes the slow ones over.
    ...(isSlow ? ['--path-ignore-patterns', 'node_modules/**'] : []),
    ...args,
    ...(isSlow && !hasFile ? ['.slow.test.ts'] : []),
  ],
  {
    cwd: ROOT,
    env: { ...SHORT_LIVED, TEST_PROGRAM: join(ROOT, 'dist/beckon'), ...process.env },
    stdio: ['inherit', 'inherit', 'inherit'],
  },
)
process.exit(await child.exited)
