import { createPrivateKey, X509Certificate } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { JWK } from 'jose'
import { giveToFolderOwner } from '../folder-owner.ts'

/** The folder in the data folder; only its owner may read it. */
const FOLDER = 'https'

/** The account with an authority. */
export type Account = { directory: string; key: JWK; url?: string | undefined }

/** A certificate with its key, as the authority issued it. */
export type KeptCertificate = {
  directory: string
  names: readonly string[]
  /** In PEM: the key, and the certificate with its chain. */
  key: string
  chain: string
  /** When it was received, by this machine's clock: milliseconds since 1970. */
  obtainedAt: number
}

/** The attempts so far, so that a restart does not try again too early. */
export type Attempts = {
  directory: string
  names: readonly string[]
  /** How many since the last certificate. */
  count: number
  /** When the next attempt may begin, and when that was decided: milliseconds since 1970. */
  notBefore: number
  decidedAt: number
  /** The last error, in a sentence. */
  reason?: string | undefined
  /** The open order, and the key of its certificate in PEM. */
  order?: { url: string; key: string } | undefined
}

type Kinds = { account: Account; certificate: KeptCertificate; attempts: Attempts }

export type CertificateFiles = {
  /** Undefined if it is missing or damaged. */
  read<K extends keyof Kinds>(kind: K): Kinds[K] | undefined
  /**
   * Writes completely or not at all; the file is on disk when it returns. Throws the system's
   * error.
   */
  write<K extends keyof Kinds>(kind: K, value: Kinds[K]): void
  /** Where a file is, for a sentence. */
  path(kind: keyof Kinds): string
}

export function certificateFiles(dataFolder: string): CertificateFiles {
  const path = (kind: keyof Kinds) => join(dataFolder, FOLDER, `${kind}.json`)
  return {
    path,
    read: (kind) => readWhole(path(kind), CHECKS[kind]),
    write: (kind, value) => writeWhole(path(kind), JSON.stringify(value)),
  }
}

/** From when to when a certificate is valid, in milliseconds since 1970. */
export type Validity = { from: number; until: number }

/** Throws if the text is not a certificate. */
export function validityOf(chain: string): Validity {
  const { validFrom, validTo } = new X509Certificate(chain)
  return { from: Date.parse(validFrom), until: Date.parse(validTo) }
}

function readWhole<T>(path: string, check: (read: Record<string, unknown>) => boolean) {
  try {
    const read = JSON.parse(readFileSync(path, 'utf8'))
    return check(read) ? (read as T) : undefined
  } catch {
    return undefined
  }
}

const isTexts = (all: unknown) => Array.isArray(all) && all.every((one) => typeof one === 'string')

/** Files that were cut or edited count as missing. */
const CHECKS: { [K in keyof Kinds]: (read: Record<string, unknown>) => boolean } = {
  account: ({ directory, key }) =>
    typeof directory === 'string' && typeof (key as JWK | null)?.d === 'string',
  certificate: ({ directory, names, key, chain, obtainedAt }) =>
    typeof directory === 'string' &&
    isTexts(names) &&
    Number.isFinite(obtainedAt) &&
    isPair(key, chain),
  attempts: ({ directory, names, count, notBefore, decidedAt, order }) =>
    typeof directory === 'string' &&
    isTexts(names) &&
    [count, notBefore, decidedAt].every(Number.isFinite) &&
    (order === undefined ||
      isTexts([(order as Attempts['order'])?.url, (order as Attempts['order'])?.key])),
}

/** Returns true if `chain` is a certificate and `key` is its key; both in PEM. */
export function isPair(key: unknown, chain: unknown): boolean {
  if (typeof key !== 'string' || typeof chain !== 'string') return false
  try {
    return new X509Certificate(chain).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

function writeWhole(path: string, text: string): void {
  const folder = dirname(path)
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) giveToFolderOwner(folder)
  const draft = `${path}.new`
  try {
    rmSync(draft, { force: true })
    const file = openSync(draft, 'wx', 0o600)
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    giveToFolderOwner(draft)
    renameSync(draft, path)
    syncFolder(folder)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

function syncFolder(folder: string): void {
  // Windows cannot open folders.
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
