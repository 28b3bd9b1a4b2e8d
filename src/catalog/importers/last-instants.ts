import { join } from 'node:path'
import { isObject } from './fields.ts'
import { currentText, writeWhole } from './write-plan.ts'

const FILE = 'imports.json'

/** Until when a source was read the last time, as `imports.json` beside the catalog's files says. */
export function sinceOf(folder: string, source: string): string | undefined {
  const since = read(folder)[source]
  return typeof since === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(since) ? since : undefined
}

/** Remembers it for the next time. */
export function keepSince(folder: string, source: string, until: string): void {
  const since = { ...read(folder), [source]: until }
  const before = currentText(join(folder, FILE))
  const text = `${JSON.stringify({ since }, null, 2)}\n`
  if (text !== before) writeWhole(folder, FILE, text)
}

function read(folder: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(currentText(join(folder, FILE)) ?? '{}')
    return isObject(value) && isObject(value.since) ? value.since : {}
  } catch {
    return {}
  }
}
