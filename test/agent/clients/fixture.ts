import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dir, '../../fixtures/clients')

/** What a client wrote to its hook, as text; `name` is a path below `test/fixtures/clients`. */
export function fixture(name: string): string {
  return readFileSync(join(FOLDER, `${name}.json`), 'utf8')
}
