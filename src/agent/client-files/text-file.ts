import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { BrokenFile } from './broken-file.ts'

/** A file of a client as it was when it was read. */
export type TextFile = {
  /** The path as the client names it. */
  path: string
  /** The real path, with links followed. */
  target: string
  /** Undefined if there is no such file yet. */
  bytes: Uint8Array | undefined
  /** Without the byte order mark; empty if there is no file. */
  text: string
  /** The permissions, 0 if there is no file. */
  mode: number
  /** How many names the file has on its disk. */
  names: number
}

// No configuration that a person or a client wrote is larger.
const SIZE_MAX = 32 * 1024 * 1024
const LINKS_MAX = 40
const MARK = '\ufeff'

/** Throws `BrokenFile` for a file that is not text, or must not be written. */
export function readTextFile(path: string): TextFile {
  const { target, stat } = statOf(path)
  if (!stat) return { path, target, bytes: undefined, text: '', mode: 0, names: 0 }
  if (!stat.isFile()) throw new BrokenFile('it is not a file')
  if (stat.size > SIZE_MAX) throw new BrokenFile('it is larger than 32 MiB')
  const bytes = bytesOf(target)
  const { mode, nlink: names } = stat
  return { path, target, bytes, text: decoded(bytes), mode: mode & 0o7777, names }
}

/** The text as bytes, with the byte order mark that the file began with. */
export function encoded(file: TextFile, text: string): Uint8Array {
  return new TextEncoder().encode(hasMark(file.bytes) ? MARK + text : text)
}

/**
 * Replaces the file by `bytes`, completely or not at all; symbolic and hard links to it, its owner
 * and its permissions stay. Throws `BrokenFile` if somebody else has changed it since it was read, or if it
 * must not be written.
 */
export function replaceFile(file: TextFile, bytes: Uint8Array, newMode: number): void {
  if (file.bytes && (file.mode & 0o200) === 0) throw new BrokenFile('it is read-only')
  const draft = join(dirname(file.target), `.beckon-${process.pid}-${Date.now()}`)
  try {
    accessSync(dirname(file.target), constants.W_OK)
    writeDraft(draft, bytes, file.bytes ? file.mode : newMode)
    keepOwner(file, draft)
    mustBeUnchanged(file)
    if (file.names > 1) writeInPlace(file, bytes, draft)
    else renameSync(draft, file.target)
  } catch (error) {
    rmSync(draft, { force: true })
    throw readable(error)
  }
}

/**
 * A rename would leave the file's other names with the old content. The draft has shown that there
 * is room; if writing fails all the same, the old bytes are put back.
 */
function writeInPlace({ target, bytes: old }: TextFile, bytes: Uint8Array, draft: string): void {
  try {
    writeFileSync(target, bytes, { flush: true })
  } catch (error) {
    if (old) writeFileSync(target, old)
    throw error
  }
  rmSync(draft)
}

/** Removes a file that setup created. Throws `BrokenFile` if it has changed since it was read. */
export function removeFile(file: TextFile): void {
  mustBeUnchanged(file)
  try {
    rmSync(file.target)
  } catch (error) {
    throw readable(error)
  }
}

/** The folders above `path` that have to be created, the outermost first. */
export function makeFolders(path: string): string[] {
  const missing: string[] = []
  for (let folder = dirname(path); !isThere(folder); folder = dirname(folder))
    missing.unshift(folder)
  try {
    for (const folder of missing) mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    throw readable(error)
  }
  return missing
}

function statOf(path: string) {
  try {
    const target = followLinks(path)
    return { target, stat: statSync(target, { throwIfNoEntry: false }) }
  } catch (error) {
    throw readable(error)
  }
}

/** The path that symbolic links lead to. Throws `BrokenFile` for a circle. */
export function followLinks(path: string): string {
  let at = path
  for (let hops = 0; hops < LINKS_MAX; hops++) {
    const stat = lstatSync(at, { throwIfNoEntry: false })
    if (!stat?.isSymbolicLink()) return at
    at = resolve(dirname(at), readlinkSync(at))
  }
  throw new BrokenFile('its links go round in a circle')
}

function bytesOf(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    throw readable(error)
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    // The decoder removes the mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new BrokenFile('it is not UTF-8 text')
  }
}

function hasMark(bytes: Uint8Array | undefined): boolean {
  return bytes?.[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

function writeDraft(draft: string, bytes: Uint8Array, mode: number): void {
  const handle = openSync(draft, 'wx', 0o600)
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  chmodSync(draft, mode)
}

function keepOwner({ bytes, target }: TextFile, draft: string): void {
  if (!bytes) return
  const [was, is] = [statSync(target), statSync(draft)]
  if (was.uid !== is.uid || was.gid !== is.gid) chownSync(draft, was.uid, was.gid)
}

function mustBeUnchanged({ target, bytes }: TextFile): void {
  const now = isThere(target) ? bytesOf(target) : undefined
  const same = now && bytes ? Buffer.from(now).equals(Buffer.from(bytes)) : now === bytes
  if (!same) throw new BrokenFile('it was changed in the meantime; run the command again')
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

const REASONS: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its folder is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
  ENOENT: 'its folder is missing',
}

/** An error of the file system as a `BrokenFile` that says why; any other as it is. */
export function readable(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  return typeof code === 'string' ? new BrokenFile(REASONS[code] ?? `it fails with ${code}`) : error
}
