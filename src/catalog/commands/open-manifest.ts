import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Failure } from '../../platform/failure.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { MANIFEST_BYTES_MAX } from '../signing/manifest.ts'

/** A manifest with its signature and files, from any place. */
export type FoundManifest = {
  manifest: Uint8Array
  jws: unknown
  keys: unknown
  /** The file with this hash; undefined if it does not exist. Reads at most `size` + 1 bytes. */
  file(sha256: string, size: number): Promise<Uint8Array | undefined>
}

/** The address gave no usable answer. */
export class Unreachable extends Error {}

// The unpacked size: enough for thousands of tools, and a limit for archive bombs.
const SNAPSHOT_BYTES_MAX = 2 * 1024 * 1024 * 1024
const KEYS_BYTES_MAX = 4 * 1024 * 1024
const FETCH_MS = 60_000
const TRIES_MAX = 5
const WAIT_MOST_S = 60

/** Undefined unless the path is `…/reviews/SLUG/ID.json` in a catalog's folder. */
export function reviewPlace(what: string) {
  const path = resolve(what)
  const [, folder, tool, id] =
    /^(.*)[/\\]reviews[/\\]([^/\\]+)[/\\]([^/\\]+)\.json$/.exec(path) ?? []
  if (!folder || !tool || !id || isUrl(what)) return undefined
  return { folder, tool, id }
}

export async function openManifest(
  what: string,
  fetch: GuardedFetch['fetch'],
): Promise<FoundManifest> {
  if (isUrl(what)) return await fromUrl(what, fetch)
  const kind = statSync(what, { throwIfNoEntry: false })
  if (!kind) throw new Failure('not_found', `There is nothing at ${what}.`)
  if (kind.isDirectory()) return fromFolder(what)
  return await fromSnapshot(what)
}

function isUrl(what: string): boolean {
  return /^https?:\/\//i.test(what)
}

/** An unpacked snapshot, or the static files of a catalog. */
function fromFolder(folder: string): FoundManifest {
  const read = (path: string) => {
    try {
      return readFileSync(join(folder, path))
    } catch {
      return undefined
    }
  }
  const manifest = read('manifest.json') ?? read('api/v1/manifest.json')
  const jws = read('manifest.jws.json') ?? read('api/v1/manifest.jws.json')
  const keys = read('catalog-keys.json') ?? read('.well-known/catalog-keys.json')
  if (!manifest) throw new Failure('not_found', noManifest(folder))
  const file = async (sha256: string) =>
    read(`blobs/sha256/${sha256}`) ?? read(`api/v1/blobs/sha256/${sha256}`)
  return { manifest, jws: parsed(jws), keys: parsed(keys), file }
}

function noManifest(folder: string): string {
  return `There is no manifest.json in ${folder}: an unpacked snapshot has one, and so has an export for the catalog's own address.`
}

async function fromSnapshot(path: string): Promise<FoundManifest> {
  const refuse = (why: string) =>
    new Failure('conflict', `${path} is not a snapshot of a catalog: ${why}.`)
  const files = await unpacked(path).catch((error) => {
    throw refuse(error instanceof Error ? error.message : 'it cannot be read')
  })
  const bytesOf = async (name: string) => {
    const found = files.get(name)
    return found && new Uint8Array(await found.arrayBuffer())
  }
  const manifest = await bytesOf('manifest.json')
  if (!manifest) throw refuse('there is no manifest.json in it')
  const jws = parsed(await bytesOf('manifest.jws.json'))
  const keys = parsed(await bytesOf('catalog-keys.json'))
  return { manifest, jws, keys, file: (sha256) => bytesOf(`blobs/sha256/${sha256}`) }
}

async function unpacked(path: string): Promise<Map<string, Blob>> {
  const plain = gunzipSync(readFileSync(path), { maxOutputLength: SNAPSHOT_BYTES_MAX })
  return await new Bun.Archive(plain).files()
}

/** A catalog by its address or that of its manifest; each file is fetched by its hash. */
async function fromUrl(given: string, fetch: GuardedFetch['fetch']): Promise<FoundManifest> {
  const base = given.replace(/\/api\/v1\/manifest\.json$/, '').replace(/\/+$/, '')

  async function read(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    for (let n = 1; ; n++) {
      const answer = await fetch(`${base}${path}`, { maxBytes, timeoutMs: FETCH_MS })
      if (answer.outcome !== 'answered') throw new Unreachable(`${base}${path}: ${answer.reason}`)
      const { status, body, cut, headers } = answer
      const isBusy = status === 429 || status === 503
      if (isBusy && n < TRIES_MAX) await Bun.sleep(1000 * waitOf(headers.get('retry-after')))
      else if (status === 404 || status === 410) return undefined
      else if (status === 200 && cut !== 'broken') return body
      else
        throw new Unreachable(`${base}${path}: the answer was ${status}${cut ? ', cut off' : ''}.`)
    }
  }

  const manifest = await read('/api/v1/manifest.json', MANIFEST_BYTES_MAX + 1)
  const jws = await read('/api/v1/manifest.jws.json', KEYS_BYTES_MAX)
  const keys = await read('/.well-known/catalog-keys.json', KEYS_BYTES_MAX)
  if (!manifest) throw new Unreachable(`${base} offers no manifest.`)
  const file = (sha256: string, size: number) => read(`/api/v1/blobs/sha256/${sha256}`, size + 1)
  return { manifest, jws: parsed(jws), keys: parsed(keys), file }
}

function waitOf(header: string | null): number {
  const seconds = Number(header)
  return seconds > 0 ? Math.min(seconds, WAIT_MOST_S) : 1
}

function parsed(bytes: Uint8Array | undefined): unknown {
  try {
    return bytes && JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
