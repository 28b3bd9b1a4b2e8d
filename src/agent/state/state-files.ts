import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256 } from '../../platform/signing/sha256.ts'

// Hooks keep small files; a larger one is not theirs.
const FILE_MAX_BYTES = 1024 * 1024

/**
 * Writes a file completely or not at all, readable only for its owner, in a folder of the same
 * kind.
 */
export function keepFile(path: string, text: string): void {
  ownFolder(dirname(path))
  const draft = `${path}.${process.pid}.${randomHex(4)}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Undefined if there is no such file; throws if it exists but cannot be read. */
export function readStateFile(path: string): string | undefined {
  try {
    const stat = statSync(path)
    // Reading a pipe or a device would never end.
    if (!stat.isFile()) throw new Error(`${path} is not a file`)
    if (stat.size > FILE_MAX_BYTES) throw new Error(`${path} is too large`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export function ownFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  // The folder may be older than this rule.
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700)
}

/** A file name for any id. */
export function fileName(client: string, id: string): string {
  return `${client}-${sha256(id)}`
}

const KEY_BYTES = 32

/**
 * The key of this machine, made on first use; hooks sign what they keep with it. Throws if the file
 * does not hold a key; `renewKey` makes another.
 */
export function machineKey(state: string): Buffer {
  const path = keyPath(state)
  const text = readStateFile(path) ?? createKey(path)
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${path} holds no key`)
  return Buffer.from(text, 'hex')
}

/** Files signed with the old key are doubted from now on. */
export function renewKey(state: string): void {
  keepFile(keyPath(state), randomKey())
}

function keyPath(state: string): string {
  return join(state, 'machine.key')
}

function createKey(path: string): string {
  const draft = `${path}.${process.pid}`
  keepFile(draft, randomKey())
  try {
    // If two processes make a key, the first one counts for both.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readStateFile(path) ?? ''
}

function randomKey(): string {
  return randomHex(KEY_BYTES)
}

function randomHex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex')
}
