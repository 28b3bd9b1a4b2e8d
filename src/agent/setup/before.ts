import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { followLinks } from '../client-files/text-file.ts'
import { copiesOf } from './copies.ts'

type Before = { target: string; was: { bytes: Uint8Array; mode: number } | undefined }

/**
 * Files as they are now, with the copies beside them. `restore` brings each back byte for byte, and
 * removes the files, copies and folders that were not there.
 */
export function rememberFiles(paths: readonly string[]): { restore(): void } {
  const files = paths.flatMap((path) => [path, ...copiesOf(path)]).flatMap(fileBefore)
  const folders = new Set(paths.flatMap((path) => missingFolders(path)))
  return {
    restore() {
      const targets = new Set(files.map(({ target }) => target))
      const more = paths.flatMap(copiesOf).filter((copy) => !targets.has(copy))
      for (const copy of more) rmSync(copy, { force: true })
      for (const file of files) putBack(file)
      for (const folder of [...folders].sort((a, b) => b.length - a.length)) removeEmpty(folder)
    },
  }
}

/** Nothing for what setup does not write: a folder, a circle of links, a file that is closed. */
function fileBefore(path: string): Before[] {
  try {
    const target = followLinks(path)
    const stat = statSync(target, { throwIfNoEntry: false })
    if (!stat) return [{ target, was: undefined }]
    return stat.isFile() ? [{ target, was: { bytes: readFileSync(target), mode: stat.mode } }] : []
  } catch {
    return []
  }
}

function putBack({ target, was }: Before): void {
  if (!was) {
    rmSync(target, { force: true })
    return
  }
  const now = fileBefore(target)[0]?.was
  if (now && Buffer.from(now.bytes).equals(was.bytes) && now.mode === was.mode) return
  mkdirSync(dirname(target), { recursive: true })
  // In place, so that links to the file stay.
  writeFileSync(target, was.bytes)
  chmodSync(target, was.mode & 0o7777)
}

function missingFolders(path: string): string[] {
  const missing: string[] = []
  for (let folder = dirname(path); !isThere(folder); folder = dirname(folder)) missing.push(folder)
  return missing
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    // A part of the path is a file.
    return true
  }
}

/** Removes a folder, unless somebody has put a file there. */
export function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It is not empty, or is gone.
  }
}
