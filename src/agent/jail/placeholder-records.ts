import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { mountPoints } from './mount-points.ts'
import type { Exists, Placeholder } from './placeholders.ts'

// A process becomes its command, so nobody is left to remove the placeholders of it. They are
// written down, and removed by the hook after the command or by the next command.

type PlaceholderRecord = { file: string; pid: number; placeholders: readonly Placeholder[] }

/** Writes down what this process is about to make. Throws if it cannot. */
export function notePlaceholders(state: string, placeholders: readonly Placeholder[]): void {
  const folder = folderOf(state)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${process.pid}-${Date.now()}.json`)
  writeFileSync(file, JSON.stringify(placeholders), { mode: 0o600, flag: 'wx' })
}

/**
 * Returns a function that is true for paths with a file of the project, and false for a placeholder
 * of a command.
 */
export function existsByItself(state: string): Exists {
  const records = recordsIn(state)
  const placeholderPaths = new Set(
    records.flatMap(({ placeholders }) => placeholders.map(({ path }) => path)),
  )
  return (path) =>
    !placeholderPaths.has(path) && lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/**
 * Removes the placeholders that no command needs any more: its process has ended, and nothing that
 * it started is left. What is no longer as it was made stays. Never throws.
 */
export function sweepPlaceholders(state: string): void {
  try {
    const records = recordsIn(state)
    const over = records.filter(({ pid }) => !existsSync(`/proc/${pid}`))
    if (over.length === 0) return
    const needed = new Set(
      records
        .filter((record) => !over.includes(record))
        .flatMap(({ placeholders }) => placeholders.map(({ path }) => path)),
    )
    const mounted = mountedAnywhere()
    for (const { file, placeholders } of over) {
      if (placeholders.some(({ path }) => mounted.has(path))) continue
      for (const placeholder of placeholders.toReversed())
        if (!needed.has(placeholder.path)) remove(placeholder)
      rmSync(file, { force: true })
    }
  } catch {
    // The next one tries again.
  }
}

function recordsIn(state: string): PlaceholderRecord[] {
  const folder = folderOf(state)
  return namesIn(folder).flatMap((name) => {
    const file = join(folder, name)
    const placeholders = read(file)
    return placeholders ? [{ file, pid: Number.parseInt(name, 10), placeholders }] : []
  })
}

function namesIn(folder: string): string[] {
  try {
    return existsSync(folder) ? readdirSync(folder) : []
  } catch {
    // Then nothing can be written down there, and nothing is made.
    return []
  }
}

function read(file: string): Placeholder[] | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function remove({ path, text }: Placeholder): void {
  try {
    if (text === undefined) rmdirSync(path)
    else if (readFileSync(path, 'utf8') === text) unlinkSync(path)
  } catch {
    // Something else is there, or nothing.
  }
}

/** Where anything is mounted for any process. Most share one namespace, which is read once. */
function mountedAnywhere(): Set<string> {
  const paths = new Set<string>()
  const namespaces = new Set<string>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d/.test(name)) continue
    try {
      const namespace = namespaceOf(name)
      if (namespace !== undefined && namespaces.has(namespace)) continue
      for (const { path } of mountPoints(name)) paths.add(path)
      if (namespace !== undefined) namespaces.add(namespace)
    } catch {
      // It has ended, or belongs to somebody else.
    }
  }
  return paths
}

/** Undefined if the process does not tell. */
function namespaceOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/mnt`)
  } catch {
    return undefined
  }
}

function folderOf(state: string): string {
  return join(state, 'placeholders')
}
