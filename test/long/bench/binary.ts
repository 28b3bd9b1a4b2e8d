import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './process.ts'

/** The compiled program, built anew when it is older than what it is made of. */
export function builtBinary(): string {
  const binary = join(ROOT, 'dist', 'beckon')
  if (isStale(binary)) build()
  return binary
}

function isStale(binary: string): boolean {
  if (!existsSync(binary)) return true
  const madeAt = statSync(binary).mtimeMs
  const sources = new Bun.Glob('{src,drizzle}/**/*').scanSync({ cwd: ROOT, absolute: true })
  const more = ['package.json', 'bun.lock'].map((name) => join(ROOT, name))
  return [...sources, ...more].some((path) => statSync(path).mtimeMs > madeAt)
}

function build() {
  console.error('building dist/beckon …')
  const command = [process.execPath, 'run', 'build']
  const built = Bun.spawnSync(command, { cwd: ROOT, stdout: 'ignore', stderr: 'pipe' })
  if (!built.success) throw new Error(`the binary could not be built: ${built.stderr}`)
}
