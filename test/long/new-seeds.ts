import { Glob } from 'bun'

/**
 * Runs the tests that draw their inputs with a seed that nobody has tried:
 * `bun run test:seeds [ROUNDS] [FILE …]`. Ends with 1 at the first seed that shows a failure, and
 * says how to repeat it.
 */
const ROOT = `${import.meta.dir}/../..`
// bunfig.toml passes the long ones over.
const ALL = ['--path-ignore-patterns', 'node_modules/**']
const DRAWS = /from 'fast-check'|\/support\/seed\.ts'/

const [first, ...others] = process.argv.slice(2)
const isCount = first !== undefined && /^[1-9]\d{0,5}$/.test(first)
const rounds = isCount ? Number(first) : 1
const paths = isCount || first === undefined ? others : [first, ...others]
const files = paths.length > 0 ? paths : await filesThatDraw()

for (let round = 1; round <= rounds; round++) {
  const seed = crypto.getRandomValues(new Int32Array(1))[0]
  console.log(`TEST_SEED=${seed}, round ${round} of ${rounds}, ${files.length} files`)
  const child = Bun.spawn([process.execPath, 'test', '--timeout', '60000', ...ALL, ...files], {
    cwd: ROOT,
    env: { ...process.env, TEST_SEED: String(seed), TEST_LONG: '1' },
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  if ((await child.exited) === 0) continue
  console.log(`again: TEST_SEED=${seed} bun test --timeout 60000 FILE`)
  process.exit(1)
}

async function filesThatDraw(): Promise<string[]> {
  const paths: string[] = []
  for await (const path of new Glob('test/**/*.test.ts').scan(ROOT)) {
    if (path.includes('node_modules/')) continue
    if (DRAWS.test(await Bun.file(`${ROOT}/${path}`).text())) paths.push(`./${path}`)
  }
  return paths.sort()
}
