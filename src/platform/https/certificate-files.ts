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
import { giveToFolderOwner } from '../db/folder-owner.ts'

/** The folder in the data folder; what is in it is its owner's alone. */
const FOLDER = 'https'

/** Who we are to an authority. */
export type Account = { directory: string; key: JWK; url?: string | undefined }

/** A certificate with its key, as the authority gave it. */
export type KeptCertificate = {
  directory: string
  names: readonly string[]
  /** In PEM: the key, and the certificate with those above it. */
  key: string
  chain: string
  /** When it came, by the clock of this machine: milliseconds since 1970. */
  obtainedAt: number
}

/** What was tried, so that a restart does not try again before it may. */
export type Attempts = {
  directory: string
  names: readonly string[]
  /** How many since the last certificate. */
  count: number
  /** When the next one may begin, and when that was decided: milliseconds since 1970. */
  notBefore: number
  decidedAt: number
  /** What went wrong last, in a sentence. */
  reason?: string | undefined
  /** The order under way, and the key of its certificate in PEM. */
  order?: { url: string; key: string } | undefined
}

type Kinds = { account: Account; certificate: KeptCertificate; attempts: Attempts }

export type CertificateFiles = {
  /** Undefined when it is missing or damaged. */
  read<K extends keyof Kinds>(kind: K): Kinds[K] | undefined
  /** Whole or not at all, and on the disk when it returns. Throws the system's error. */
  write<K extends keyof Kinds>(kind: K, value: Kinds[K]): void
  /** Where something is, for a sentence. */
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

/** Throws for what is no certificate. */
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

/** Files that somebody cut or edited count as missing. */
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

/** Whether this is a certificate, and this its key; both in PEM. */
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
  // Windows opens no folders.
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
