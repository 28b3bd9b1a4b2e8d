import { copyFileSync, existsSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { BrokenFile } from './broken-file.ts'
import type { JsonPath } from './json-document.ts'
import { undoJson, writeJson } from './json-wish.ts'
import { type Entry, hashOf, type Ledger } from './ledger.ts'
import { isOurFile } from './our-file.ts'
import type { FileWish } from './setup-client.ts'
import {
  encoded,
  makeFolders,
  readTextFile,
  removeFile,
  replaceFile,
  type TextFile,
} from './text-file.ts'
import { undoToml, writeToml } from './toml-wish.ts'

/** What will become of one file. */
export type Change = {
  client: string
  wish: FileWish
  file: TextFile
  /** The new bytes; undefined removes the file. */
  bytes: Uint8Array | undefined
  /** The new text, for people. */
  text: string
  made: JsonPath[]
  /** Undo: back to the very bytes from before setup, or only our entries taken out. */
  back?: 'whole' | 'entries'
}

// Made by setup, a file may hold a token.
const NEW_MODE = 0o600

/** The change that makes the wish true; undefined when it is. Throws `BrokenFile`. */
export function planWrite(client: string, wish: FileWish): Change | undefined {
  const file = readTextFile(wish.path)
  const { text, made } = written(file, wish)
  if (file.bytes && text === file.text) return undefined
  return { client, wish, file, text, made, bytes: encoded(file, text) }
}

function written(file: TextFile, wish: FileWish): { text: string; made: JsonPath[] } {
  if (wish.kind === 'toml') return { text: writeToml(file.text, wish), made: [] }
  if (wish.kind === 'own') {
    if (file.bytes && !isOurFile(file.text)) {
      throw new BrokenFile('it is there already, and not written by beckon')
    }
    return { text: wish.text, made: [] }
  }
  if (wish.strict) mustBeStrict(file.text)
  return writeJson(file.text, wish)
}

function mustBeStrict(text: string): void {
  if (text.trim() === '') return
  try {
    JSON.parse(text)
  } catch {
    throw new BrokenFile('it is not strict JSON, and its client reads nothing of it')
  }
}

/** The change that takes ours out again; undefined when there is nothing. Throws `BrokenFile`. */
export function planUndo(client: string, wish: FileWish, ledger: Ledger): Change | undefined {
  const file = readTextFile(wish.path)
  if (!file.bytes) return undefined
  const entry = ledger[wish.path]
  const plan = { client, wish, file, made: [] }
  const before = entry && bytesBefore(entry, file.bytes)
  if (before === 'none') return { ...plan, bytes: undefined, text: '', back: 'whole' }
  if (before) {
    const text = new TextDecoder().decode(before)
    return { ...plan, bytes: before, text, back: 'whole' }
  }
  if (wish.kind === 'own') {
    if (!isOurFile(file.text)) return undefined
    return { ...plan, bytes: undefined, text: '', back: 'entries' }
  }
  const text =
    wish.kind === 'toml' ? undoToml(file.text, wish) : undoJson(file.text, wish, entry?.made ?? [])
  if (text === file.text) return undefined
  return { ...plan, bytes: encoded(file, text), text, back: 'entries' }
}

/** What stood there before setup, when nobody changed the file since; `none` for no file. */
function bytesBefore(entry: Entry, now: Uint8Array): Uint8Array | 'none' | undefined {
  if (hashOf(now) !== entry.after) return undefined
  if (entry.before === null) return 'none'
  if (entry.backup === null || !existsSync(entry.backup)) return undefined
  const kept = readFileSync(entry.backup)
  return hashOf(kept) === entry.before ? kept : undefined
}

/** Writes, with a copy of what stood there beside it; notes it in the ledger. */
export function applyWrite({ client, wish, file, bytes, made }: Change, ledger: Ledger): void {
  if (!bytes) return
  const old = ledger[wish.path]
  const ours = old !== undefined && file.bytes !== undefined && hashOf(file.bytes) === old.after
  const folders = file.bytes ? [] : makeFolders(file.target)
  const backup = !old && file.bytes ? keepCopy(file, file.bytes) : null
  replaceFile(file, bytes, modeOf(wish))
  const after = hashOf(bytes)
  const clients = [...new Set([...(old?.clients ?? []), client])]
  if (ours) {
    ledger[wish.path] = { ...old, clients, after, made: union(old.made, made) }
    return
  }
  // When ours was in it and something else came since, no copy is what stood there before setup.
  const before = file.bytes ? hashOf(file.bytes) : null
  ledger[wish.path] = {
    clients,
    before,
    after,
    backup,
    made: union(old?.made ?? [], made),
    folders,
  }
}

function union(one: readonly JsonPath[], other: readonly JsonPath[]): JsonPath[] {
  return [...one, ...other.filter((path) => !one.some((known) => Bun.deepEquals(known, path)))]
}

function modeOf(wish: FileWish): number {
  return (wish.kind === 'own' ? wish.mode : undefined) ?? NEW_MODE
}

/** A copy beside the file, which never overwrites an older one. */
function keepCopy(file: TextFile, bytes: Uint8Array): string {
  for (let n = 1; ; n++) {
    const path = `${file.path}.beckon-backup${n === 1 ? '' : `-${n}`}`
    if (!existsSync(path)) {
      copyFileSync(file.target, path)
      return path
    }
    if (Buffer.from(bytes).equals(readFileSync(path))) return path
  }
}

/** Undoes; the copy goes with it when the file is again what the copy is. */
export function applyUndo({ wish, file, bytes, back }: Change, ledger: Ledger): void {
  if (bytes) replaceFile(file, bytes, file.mode)
  else removeFile(file)
  const entry = ledger[wish.path]
  if (back === 'whole' && entry?.backup) rmSync(entry.backup, { force: true })
  for (const folder of [...(entry?.folders ?? [])].reverse()) removeEmpty(folder)
  delete ledger[wish.path]
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Somebody put something there.
  }
}
