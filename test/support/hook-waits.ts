import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './until.ts'

/** Until a hook of this home is past its first call and waits: others know then what it waits for. */
export async function hookWaits(home: string, questionId: string): Promise<void> {
  const open = join(home, '.local/state/beckon/open')
  await until(() => marks(open).some((text) => text.includes(questionId)))
}

function marks(open: string): string[] {
  try {
    return readdirSync(open, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  } catch {
    return []
  }
}
