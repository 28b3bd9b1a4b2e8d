import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')

/**
 * A copy of the program in `folder` with new files, by their paths, and changes of files that it
 * has. Returns its `main.ts`, and how many lines that were there had to change or make room.
 */
export function programCopy(
  folder: string,
  files: Readonly<Record<string, string>>,
  change: { path: string; replace: readonly (readonly [from: string, to: string])[] },
): { main: string; changed: number } {
  cpSync(join(ROOT, 'src'), join(folder, 'src'), { recursive: true })
  for (const name of [
    'node_modules',
    'drizzle',
    'packages',
    'package.json',
    'tsconfig.json',
    'bunfig.toml',
  ]) {
    symlinkSync(join(ROOT, name), join(folder, name))
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const path = join(folder, change.path)
  const before = readFileSync(path, 'utf8')
  const after = change.replace.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${change.path} has no ${JSON.stringify(from)}`)
    return text.replace(from, to)
  }, before)
  writeFileSync(path, after)
  const had = new Set(before.split('\n'))
  return {
    main: join(folder, 'src/main.ts'),
    changed: after.split('\n').filter((line) => !had.has(line)).length,
  }
}
