import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from './temp-folder.ts'

const bundles = new Map<string, Promise<string>>()

/**
 * A program of the tests in one file, made once a process: it starts in half of the time that its
 * sources take. `import.meta` in it is where that file is.
 */
export function bundled(path: string): Promise<string> {
  const cached = bundles.get(path) ?? bundle(path)
  bundles.set(path, cached)
  return cached
}

async function bundle(path: string): Promise<string> {
  const folder = tempFolder().path
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  await Bun.build({ entrypoints: [path], outdir: folder, target: 'bun', naming: 'program.js' })
  return join(folder, 'program.js')
}
