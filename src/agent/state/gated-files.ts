import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The list of files with gated servers, in the folder of the state. */
function listPath(state: string): string {
  return join(state, 'gated-files.json')
}

/**
 * The files of clients in which servers stand behind a gate; the hook asks a person before
 * one leaves its gate. An unreadable list is an empty one: the gates are in the files themselves.
 */
export function readGatedFiles(state: string): string[] {
  const path = listPath(state)
  if (!existsSync(path)) return []
  try {
    const list: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return Array.isArray(list) ? list.filter((file) => typeof file === 'string') : []
  } catch {
    return []
  }
}

/** Adds and removes files of the list. */
export function changeGatedFiles(state: string, isGated: ReadonlyMap<string, boolean>): void {
  const others = readGatedFiles(state).filter((file) => !isGated.has(file))
  const gated = [...isGated].flatMap(([file, is]) => (is ? [file] : []))
  const list = [...others, ...gated]
  if (list.length === 0) {
    if (existsSync(listPath(state))) rmSync(listPath(state))
    return
  }
  mkdirSync(state, { recursive: true, mode: 0o700 })
  writeFileSync(listPath(state), `${JSON.stringify(list)}\n`, { mode: 0o600 })
}
