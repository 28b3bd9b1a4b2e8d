import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { reasonOf } from '../../platform/outgoing/reason.ts'
import {
  BLOB_PREFIX,
  KEYS_PATH,
  MANIFEST_PATH,
  SIGNATURE_PATH,
  SNAPSHOT_PATH,
} from '../feeds/manifest-paths.ts'
import { MANIFEST_BYTES_MAX, type ManifestFile } from '../signing/manifest.ts'
import { fromArchive } from './from-archive.ts'
import {
  parsedJson,
  type ServedVersion,
  type SignedCatalog,
  Unreachable,
} from './published-catalog.ts'
import { CODING_NAMES, unpack } from './unpack.ts'

const KEYS_BYTES_MAX = 4 * 1024 * 1024
const ARCHIVE_BYTES_MAX = 1024 * 1024 * 1024
const TEXT_BYTES_MAX = 4096
const FETCH_MS = 60_000
const TRIES_MAX = 5
const WAIT_MOST_S = 60
// A coding that makes a document longer by more than this is not one that anybody serves.
const CODING_BYTES_MAX = 64 * 1024

type Answer = { status: number; headers: Headers; body: Uint8Array; cut: boolean }

/** A catalog by its address or that of its manifest. */
export async function fromAddress(
  address: string,
  fetch: GuardedFetch['fetch'],
): Promise<SignedCatalog> {
  const base = address.replace(/\/api\/v1\/manifest\.json$/, '').replace(/\/+$/, '')

  async function ask(path: string, maxBytes: number, coding?: string): Promise<Answer> {
    for (let n = 1; ; n++) {
      const how = coding === undefined ? {} : { coding }
      const answer = await fetch(`${base}${path}`, { maxBytes, timeoutMs: FETCH_MS, ...how })
      if (answer.outcome !== 'answered')
        throw new Unreachable(`${base}${path}: ${reasonOf(answer)}`)
      const { status, headers, body, cut } = answer
      const isBusy = status === 429 || status === 503
      if (!isBusy || n === TRIES_MAX) return { status, headers, body, cut: cut === 'broken' }
      await Bun.sleep(1000 * waitOf(headers.get('retry-after')))
    }
  }

  async function read(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const { status, body, cut } = await ask(path, maxBytes)
    if (status === 404 || status === 410) return undefined
    if (status === 200 && !cut) return body
    throw new Unreachable(`${base}${path}: the answer was ${status}${cut ? ', cut off' : ''}.`)
  }

  const readManifest = () => read(MANIFEST_PATH, MANIFEST_BYTES_MAX + 1)
  const manifest = await readManifest()
  const jws = parsedJson(await read(SIGNATURE_PATH, KEYS_BYTES_MAX))
  const keys = parsedJson(await read(KEYS_PATH, KEYS_BYTES_MAX))
  if (!manifest) throw new Unreachable(`${base} offers no manifest.`)
  return {
    manifest,
    jws,
    keys,
    again: readManifest,
    file: (sha256, size) => read(`${BLOB_PREFIX}${sha256}`, size + 1),
    async *versions(file) {
      for (const coding of CODING_NAMES) {
        const answer = await ask(file.path, file.size + CODING_BYTES_MAX, coding)
        const version = versionIn(file, coding, answer)
        if (version) yield version
      }
    },
    async text(path) {
      const { status, body } = await ask(path, TEXT_BYTES_MAX)
      return status === 200 ? new TextDecoder().decode(body) : undefined
    },
    async archive() {
      const packed = await read(SNAPSHOT_PATH, ARCHIVE_BYTES_MAX)
      return packed && (await fromArchive(`${base}${SNAPSHOT_PATH}`, packed))
    },
  }
}

/** Undefined if the server has no such version and sent the plain one. */
function versionIn(
  { path, type, size }: ManifestFile,
  coding: string,
  { status, headers, body, cut }: Answer,
): ServedVersion | undefined {
  const contentEncoding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  const name = coding === 'identity' ? path : `${path} (${coding})`
  if (status !== 200) return { name, why: `answers ${status}` }
  if (cut) return { name, why: 'breaks off' }
  if (essence(headers.get('content-type') ?? '') !== essence(type)) {
    return { name, why: `is sent as ${headers.get('content-type') ?? 'nothing'}, not as ${type}` }
  }
  const bytes = unpack(body, contentEncoding, size + 1)
  return bytes ? { name, bytes } : { name, why: 'cannot be unpacked to what was signed' }
}

/** `text/html; charset=utf-8` → `text/html`. */
function essence(type: string): string {
  return type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function waitOf(header: string | null): number {
  const seconds = Number(header)
  return seconds > 0 ? Math.min(seconds, WAIT_MOST_S) : 1
}
