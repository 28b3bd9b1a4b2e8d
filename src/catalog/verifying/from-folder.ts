import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../platform/failure.ts'
import { isUnsignedFile } from '../export/export-site.ts'
import { filesOf } from '../export/file-layout.ts'
import { TWINS } from '../export/file-writer.ts'
import { filesIn } from '../export/site-files.ts'
import {
  BLOB_PREFIX,
  MINISIGN_PATHS,
  SIGNED_PATHS,
  SNAPSHOT_PATH,
} from '../feeds/manifest-paths.ts'
import type { ManifestFile } from '../signing/manifest.ts'
import { fromArchive } from './from-archive.ts'
import {
  type Others,
  parsedJson,
  type ServedVersion,
  type SignedCatalog,
} from './published-catalog.ts'
import { unpack } from './unpack.ts'

type ReadFile = (path: string) => Uint8Array | undefined

/** An unpacked snapshot, or a folder that `catalog export` wrote. */
export function fromFolder(folder: string): SignedCatalog {
  const read: ReadFile = (path) => {
    try {
      return readFileSync(join(folder, path))
    } catch {
      return undefined
    }
  }
  const exported = read('api/v1/manifest.json')
  return exported ? exportedSite(folder, exported, read) : unpackedSnapshot(folder, read)
}

function unpackedSnapshot(folder: string, read: ReadFile): SignedCatalog {
  const manifest = read('manifest.json')
  if (!manifest) throw new Failure('not_found', noManifest(folder))
  const jws = parsedJson(read('manifest.jws.json'))
  const keys = parsedJson(read('catalog-keys.json'))
  return { manifest, jws, keys, file: async (sha256) => read(`blobs/sha256/${sha256}`) }
}

function noManifest(folder: string): string {
  return `There is no manifest.json in ${folder}: an unpacked snapshot has one, and so has an export for the catalog's own address.`
}

function exportedSite(folder: string, manifest: Uint8Array, read: ReadFile): SignedCatalog {
  return {
    manifest,
    jws: parsedJson(read('api/v1/manifest.jws.json')),
    keys: parsedJson(read('.well-known/catalog-keys.json')),
    file: async (sha256) => read(`${BLOB_PREFIX}${sha256}`),
    async *versions(file) {
      yield* versionsOf(file, read)
    },
    others: (files) => othersIn(folder, files),
    async text(path) {
      const bytes = read(path.slice(1))
      return bytes && new TextDecoder().decode(bytes)
    },
    async archive() {
      const packed = read(SNAPSHOT_PATH)
      return packed && (await fromArchive(join(folder, SNAPSHOT_PATH), packed))
    },
  }
}

/** Lists the file, and its compressed versions, which a web server sends in place of it. */
function* versionsOf(file: ManifestFile, read: ReadFile): Generator<ServedVersion> {
  for (const name of filesOf(file)) {
    const plain = read(name)
    yield plain ? { name, bytes: plain } : { name, why: 'is missing' }
    for (const [coding, ending] of TWINS) {
      const packed = read(name + ending)
      const bytes = packed && unpack(packed, coding, file.size + 1)
      if (bytes) yield { name: name + ending, bytes }
      else if (packed) yield { name: name + ending, why: 'cannot be unpacked to what was signed' }
    }
  }
}

function othersIn(folder: string, files: readonly ManifestFile[]): Others {
  const documents = files.flatMap(filesOf)
  const signed = new Set([
    ...documents.flatMap((name) => [name, ...TWINS.map(([, ending]) => name + ending)]),
    ...files.map(({ sha256 }) => `${BLOB_PREFIX}${sha256}`),
    ...SIGNED_PATHS,
    ...MINISIGN_PATHS,
    SNAPSHOT_PATH,
  ])
  const names = filesIn(folder).filter((name) => !signed.has(name))
  const { expected = [], unknown = [] } = Object.groupBy(names, (name) =>
    isUnsignedFile(name) ? 'expected' : 'unknown',
  )
  return { expected, unknown }
}
