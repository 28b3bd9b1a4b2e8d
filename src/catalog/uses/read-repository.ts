import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE_READERS } from './packages.ts'
import { SETTING_READERS } from './settings.ts'
import type { Use } from './use.ts'

const READERS = [...PACKAGE_READERS, ...SETTING_READERS]
const SKIPPED = new Set([
  'node_modules',
  '.git',
  'dist',
  'build',
  'vendor',
  'target',
  '.venv',
  'venv',
])
const FILES_MAX = 50_000
const BYTES_MAX = 16 * 1024 * 1024

export type RepositoryUses = {
  uses: Use[]
  /** Files that were read. */
  files: string[]
  /** Files that should have been read, and why they were not. */
  unread: Array<{ file: string; why: string }>
}

/** Reads what a folder uses. Links are not followed; nothing in it is run. */
export function readRepository(folder: string): RepositoryUses {
  const result: RepositoryUses = { uses: [], files: [], unread: [] }
  const { paths, isCut } = filesIn(folder)
  if (isCut) result.unread.push({ file: '.', why: 'the folder has more than 50,000 files' })
  for (const file of paths) {
    const readers = READERS.filter((reader) => reader.reads(file))
    if (readers.length === 0) continue
    const place = join(folder, file)
    if (lstatSync(place).size > BYTES_MAX) {
      result.unread.push({ file, why: 'it is larger than 16 MiB' })
      continue
    }
    const text = readFileSync(place, 'utf8')
    result.files.push(file)
    for (const reader of readers) {
      try {
        result.uses.push(...reader.read(file, text))
      } catch (error) {
        const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''
        result.unread.push({ file, why: `it cannot be read: ${why}` })
      }
    }
  }
  return result
}

function filesIn(folder: string): { paths: string[]; isCut: boolean } {
  const files: string[] = []
  const folders = ['']
  for (let at = folders.pop(); at !== undefined && files.length < FILES_MAX; at = folders.pop()) {
    for (const entry of readdirSync(join(folder, at), { withFileTypes: true })) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(path)
      else if (entry.isFile()) files.push(path)
    }
  }
  return { paths: files.sort(), isCut: files.length >= FILES_MAX && folders.length > 0 }
}
