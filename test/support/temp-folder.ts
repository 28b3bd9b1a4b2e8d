import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty folder that is gone when it goes out of scope. */
export function tempFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'beckon-test-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
