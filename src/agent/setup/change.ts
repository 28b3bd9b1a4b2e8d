import { existsSync, readFileSync } from 'node:fs'
import { sha256 } from '../../platform/signing/sha256.ts'
import { BrokenFile } from '../client-files/broken-file.ts'
import type { DesiredFile } from '../client-files/client-setup.ts'
import { undoJson, writeJson } from '../client-files/desired-json.ts'
import { undoToml, writeToml } from '../client-files/desired-toml.ts'
import { isOurFile } from '../client-files/entries.ts'
import { type JsonPath, readTree } from '../client-files/json-document.ts'
import {
  encoded,
  makeFolders,
  readTextFile,
  removeFile,
  replaceFile,
  type TextFile,
} from '../client-files/text-file.ts'
import { removeEmpty } from './before.ts'
import { cleanCopy, copiesWithToken, holdsOurToken, keepCopy, removeCopies } from './copies.ts'
import type { Entry, Ledger } from './ledger.ts'

/** The planned change of one file. */
export type FileChange = {
  client: string
  request: DesiredFile
  file: TextFile
  /** The new bytes; undefined removes the file. */
  bytes: Uint8Array | undefined
  /** The new text, for people. */
  text: string
  made: JsonPath[]
  /** A token that an earlier version wrote is removed from the file. */
  tokenOut?: boolean
  /** The backup copies that a token is removed from. */
  copies?: TextFile[]
  /** Undo: restores the bytes from before setup, or only takes our entries out. */
  back?: 'whole' | 'entries'
}

// Setup may create a file that holds a token.
const NEW_MODE = 0o600

/**
 * The change that makes the file match the request; undefined if it already does. Throws `BrokenFile`.
 */
export function planWrite(client: string, request: DesiredFile): FileChange | undefined {
  const file = readTextFile(request.path)
  const { text, made: createdPaths } = written(file, request)
  mustBePrivate(file, text, request)
  const copies = copiesWithToken(request)
  if (file.bytes && text === file.text && copies.length === 0) return undefined
  const tokenOut =
    !dropsGates(request) && holdsOurToken(file.text, request) && !holdsOurToken(text, request)
  return {
    client,
    request,
    file,
    text,
    made: createdPaths,
    tokenOut,
    copies,
    bytes: encoded(file, text),
  }
}

function dropsGates(request: DesiredFile): boolean {
  return request.kind !== 'own' && request.gates !== undefined && request.gates.drop.length > 0
}

/** A token is never written to a file that others can read. */
function mustBePrivate(file: TextFile, text: string, request: DesiredFile): void {
  const isOpen = file.bytes !== undefined && (file.mode & 0o077) !== 0
  if (!isOpen || process.platform === 'win32' || !holdsOurToken(text, request)) return
  const mode = (file.mode & 0o777).toString(8).padStart(4, '0')
  throw new BrokenFile(
    `others can read it (${mode}), and for a server over HTTP it would contain the token; make it private with chmod 600, or leave that server out`,
  )
}

function written(file: TextFile, request: DesiredFile): { text: string; made: JsonPath[] } {
  if (request.kind === 'toml') return { text: writeToml(file.text, request), made: [] }
  if (request.kind === 'own') {
    if (file.bytes && !isOurFile(file.text)) {
      throw new BrokenFile('it exists already, and was not written by beckon')
    }
    return { text: request.text, made: [] }
  }
  if (request.strict) mustBeStrict(file.text)
  return writeJson(file.text, request)
}

function mustBeStrict(text: string): void {
  if (text.trim() === '') return
  try {
    JSON.parse(text)
  } catch {
    // Names the line, unless only what JSON with comments allows is wrong.
    readTree(text)
    throw new BrokenFile('it is not strict JSON, so its client cannot read it')
  }
}

/**
 * The change that removes our entries from a client's file; undefined if the file is missing or has
 * no entries of ours. Throws `BrokenFile`.
 */
export function planUndo(
  client: string,
  request: DesiredFile,
  ledger: Ledger,
): FileChange | undefined {
  const file = readTextFile(request.path)
  if (!file.bytes) return undefined
  const entry = ledger[request.path]
  const plan = { client, request, file, made: [] }
  const before = entry && bytesBefore(entry, file.bytes)
  if (before === 'none') return { ...plan, bytes: undefined, text: '', back: 'whole' }
  if (before) {
    const text = new TextDecoder().decode(before)
    return { ...plan, bytes: before, text, back: 'whole' }
  }
  if (request.kind === 'own') {
    if (!isOurFile(file.text)) return undefined
    return { ...plan, bytes: undefined, text: '', back: 'entries' }
  }
  const text =
    request.kind === 'toml'
      ? undoToml(file.text, request)
      : undoJson(file.text, request, entry?.made ?? [])
  if (text === file.text) return undefined
  return { ...plan, bytes: encoded(file, text), text, back: 'entries' }
}

/** The bytes from before setup, if the file has not changed since; `none` if there was no file. */
function bytesBefore(entry: Entry, now: Uint8Array): Uint8Array | 'none' | undefined {
  if (sha256(now) !== entry.after) return undefined
  if (entry.before === null) return 'none'
  if (entry.backup === null || !existsSync(entry.backup)) return undefined
  const content = readFileSync(entry.backup)
  return sha256(content) === entry.before ? content : undefined
}

/** Writes the file, keeps a copy of the old one beside it, and records it in the ledger. */
export function applyWrite(change: FileChange, ledger: Ledger): void {
  const { request, file, bytes } = change
  if (!bytes) return
  if (!file.bytes || change.text !== file.text) putInPlace(change, bytes, ledger)
  cleanCopies(request, ledger)
}

function putInPlace(change: FileChange, bytes: Uint8Array, ledger: Ledger): void {
  const { client, request, file, made: createdPaths } = change
  const old = ledger[request.path]
  const ours = old !== undefined && file.bytes !== undefined && sha256(file.bytes) === old.after
  const folders = file.bytes ? [] : makeFolders(file.target)
  const backup = !old && file.bytes ? keepCopy(file, file.bytes) : null
  replaceFile(file, bytes, modeOf(request))
  const after = sha256(bytes)
  const clients = [...new Set([...(old?.clients ?? []), client])]
  if (ours) {
    ledger[request.path] = { ...old, clients, after, made: union(old.made, createdPaths) }
    return
  }
  // Our entries were in the file and others came later, so no copy shows the file as it was before
  // setup.
  const before = file.bytes ? sha256(file.bytes) : null
  ledger[request.path] = {
    clients,
    before,
    after,
    backup,
    made: union(old?.made ?? [], createdPaths),
    folders,
  }
}

/** Undo then restores the copy without our entries. */
function cleanCopies(request: DesiredFile, ledger: Ledger): void {
  const entry = ledger[request.path]
  for (const copy of copiesWithToken(request)) {
    const bytes = cleanCopy(copy, request)
    if (entry?.backup === copy.path) entry.before = sha256(bytes)
  }
}

function union(one: readonly JsonPath[], other: readonly JsonPath[]): JsonPath[] {
  return [
    ...one,
    ...other.filter((path) => !one.some((existing) => Bun.deepEquals(existing, path))),
  ]
}

function modeOf(request: DesiredFile): number {
  return (request.kind === 'own' ? request.mode : undefined) ?? NEW_MODE
}

/** Undoes the change, and deletes the copies beside the file. */
export function applyUndo({ request, file, bytes }: FileChange, ledger: Ledger): void {
  if (bytes) replaceFile(file, bytes, file.mode)
  else removeFile(file)
  const entry = ledger[request.path]
  removeCopies(request.path)
  for (const folder of [...(entry?.folders ?? [])].reverse()) removeEmpty(folder)
  delete ledger[request.path]
}
