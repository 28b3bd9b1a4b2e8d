import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { clientFilePath } from '../../platform/config/client-file.ts'
import type { Environment } from '../../platform/config/env.ts'
import type { OpenEntry } from '../client-files/http-gates.ts'

/** An entry of a server over HTTP before its gate, and the file that it stands in. */
export type StoredEntry = OpenEntry & { file: string }

/** Beside the token of this machine: the entries may hold secrets. */
function listPath(env: Environment): string {
  return join(dirname(clientFilePath(env)), 'gated-entries.json')
}

/** The entries that stand behind a gate over HTTP. An unreadable list is an empty one. */
export function readGatedEntries(env: Environment): StoredEntry[] {
  try {
    const list: unknown = JSON.parse(readFileSync(listPath(env), 'utf8'))
    return Array.isArray(list) ? list.filter(isStored) : []
  } catch {
    return []
  }
}

export function writeGatedEntries(env: Environment, list: readonly StoredEntry[]): void {
  const path = listPath(env)
  if (list.length === 0) {
    if (existsSync(path)) rmSync(path)
    return
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.new`
  writeFileSync(draft, `${JSON.stringify(list, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(draft, path)
}

function isStored(value: unknown): value is StoredEntry {
  const { file, path, url, headers } = (value ?? {}) as Partial<Record<keyof StoredEntry, unknown>>
  const isText = typeof file === 'string' && typeof url === 'string'
  return isText && Array.isArray(path) && (headers === null || typeof headers === 'string')
}
