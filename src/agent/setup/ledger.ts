import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stateFolder } from '../../platform/config/client-file.ts'
import type { Environment } from '../../platform/config/env.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { JsonPath } from '../client-files/json-document.ts'
import { removeCopies } from './copies.ts'

/** The record of setup about a file that it wrote. */
export type Entry = {
  /** The clients that use the file. */
  clients: string[]
  /** SHA-256 of the bytes before setup; null if there was no file. */
  before: string | null
  /** SHA-256 of the bytes that setup last wrote. */
  after: string
  /** Where the bytes from before are kept. */
  backup: string | null
  /** The objects and lists that setup created in the file. */
  made: JsonPath[]
  /** The folders that setup created, the outermost first. */
  folders: string[]
}

export type Ledger = Record<string, Entry>

/** An unreadable ledger is an empty one: undo then takes out our entries one by one. */
export function readLedger(env: Environment): Ledger {
  try {
    const { files } = JSON.parse(readFileSync(ledgerPath(env), 'utf8'))
    if (!isObject(files)) return {}
    const ledger: Ledger = {}
    for (const [file, entry] of Object.entries(files)) if (isEntry(entry)) ledger[file] = entry
    return ledger
  } catch {
    return {}
  }
}

export function writeLedger(env: Environment, files: Ledger): void {
  const path = ledgerPath(env)
  if (Object.keys(files).length === 0) {
    // Removing what is not there fails where a folder on the way is a file.
    if (existsSync(path)) rmSync(path)
    return
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.new`
  try {
    const text = JSON.stringify({ version: 1, files }, undefined, 2)
    writeFileSync(draft, `${text}\n`, { mode: 0o600 })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Remembers the files of a plugin: while they exist, the address and the token are needed. */
export function notePlugin(paths: readonly string[], env: Environment): void {
  const ledger = readLedger(env)
  for (const path of paths) {
    const plain = { before: null, backup: null, made: [], folders: [] }
    ledger[path] = { clients: ['claude'], after: sha256(readFileSync(path)), ...plain }
  }
  writeLedger(env, ledger)
}

/** Forgets files that are again as they were before setup, with the copies of them. */
export function forgetUnchanged(files: Ledger, env: Environment): void {
  for (const [path, { before, after }] of Object.entries(files)) {
    if (before !== after) continue
    removeCopies(path)
    delete files[path]
  }
  writeLedger(env, files)
}

/** `setup.json` among what hooks remember. */
export function ledgerPath(env: Environment): string {
  return join(stateFolder(env), 'setup.json')
}

function isEntry(value: unknown): value is Entry {
  if (!isObject(value)) return false
  const { clients, after, made: created, folders, backup, before } = value
  const lists = [clients, created, folders].every(Array.isArray)
  return lists && typeof after === 'string' && [before, backup].every(isTextOrNull)
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
