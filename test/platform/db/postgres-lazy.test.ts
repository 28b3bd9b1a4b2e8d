import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const SRC = join(import.meta.dir, '../../../src')
// What a server loads, at its start and a moment later.
const ENTRIES = ['app.ts', 'ask/mount.ts', 'catalog/feature.ts', 'platform/http/server.ts']

/** Files that come with `entry`: what it imports at its head, and what that imports. */
function comesWith(entry: string, files = new Set<string>()): Set<string> {
  if (files.has(entry)) return files
  files.add(entry)
  const loader = entry.endsWith('x') ? 'tsx' : 'ts'
  const imports = new Bun.Transpiler({ loader }).scanImports(readFileSync(entry, 'utf8'))
  for (const { path, kind } of imports) {
    const isOurs = path.startsWith('.') && /\.tsx?$/.test(path)
    if (kind === 'import-statement' && isOurs) comesWith(join(dirname(entry), path), files)
  }
  return files
}

test('nothing of PostgreSQL is loaded before it is asked for: a server on SQLite stays as small', () => {
  const loaded = new Set(ENTRIES.flatMap((entry) => [...comesWith(join(SRC, entry))]))
  const files = [...loaded].map((file) => relative(SRC, file))
  expect(files).toContain('platform/db/open-database.ts')
  expect(files.filter((file) => file.includes('/postgres/'))).toEqual([])
})
