import { gunzipSync } from 'node:zlib'
import { Failure } from '../../platform/failure.ts'
import { parsedJson, type SignedCatalog } from './published-catalog.ts'

// The unpacked size: enough for thousands of tools, and a limit for archive bombs.
const UNPACKED_BYTES_MAX = 2 * 1024 * 1024 * 1024

/** A snapshot of a catalog (`snapshot.tar.gz`). Throws `conflict` if it is not one. */
export async function fromArchive(place: string, packed: Uint8Array): Promise<SignedCatalog> {
  const refuse = (why: string) =>
    new Failure('conflict', `${place} is not a snapshot of a catalog: ${why}.`)
  const files = await unpacked(packed).catch((error) => {
    throw refuse(error instanceof Error ? error.message : 'it cannot be read')
  })
  const bytesOf = async (name: string) => {
    const file = files.get(name)
    return file && new Uint8Array(await file.arrayBuffer())
  }
  const manifest = await bytesOf('manifest.json')
  if (!manifest) throw refuse('there is no manifest.json in it')
  const jws = parsedJson(await bytesOf('manifest.jws.json'))
  const keys = parsedJson(await bytesOf('catalog-keys.json'))
  return { manifest, jws, keys, file: (sha256) => bytesOf(`blobs/sha256/${sha256}`) }
}

async function unpacked(packed: Uint8Array): Promise<Map<string, Blob>> {
  const plain = gunzipSync(packed, { maxOutputLength: UNPACKED_BYTES_MAX })
  return await new Bun.Archive(plain).files()
}
