import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { blocksOf, gzipChunks } from '../../../src/catalog/feeds/pack-archive.ts'
import { untar } from '../../../src/catalog/mirror/untar.ts'
import {
  CATALOG_BYTES_MAX,
  MANIFEST_BYTES_MAX,
  ManifestFile,
} from '../../../src/catalog/signing/manifest.ts'

const FILES = [0, 1, 511, 512, 513, 70_000].map((size, i) => ({
  name: `file-${i}`,
  body: Buffer.alloc(size, `${i} `),
}))

async function archive(): Promise<Uint8Array> {
  const files = FILES.map(({ name, body }) => ({ name, pieces: () => [body] }))
  return gunzipSync(Buffer.concat(await Array.fromAsync(gzipChunks(blocksOf(files)))))
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function filesOf(bytes: Uint8Array, piece: number, most = bytes.length) {
  const entries = await Array.fromAsync(untar(inPieces(bytes, piece), most))
  return entries.map(({ name, body }) => ({ name, body: Buffer.from(body) }))
}

test('an archive is read the same in pieces of any size', async () => {
  const bytes = await archive()
  for (const piece of [1, 100, 512, 4_097, bytes.length]) {
    expect(await filesOf(bytes, piece)).toEqual(FILES)
  }
})

test('of an archive that breaks off, the whole files count', async () => {
  const bytes = await archive()
  for (let cut = 0; cut < bytes.length; cut += 997) {
    const files = await filesOf(bytes.subarray(0, cut), 512)
    expect(files).toEqual(FILES.slice(0, files.length))
  }
})

test('a file that is larger than anything wanted ends the archive', async () => {
  const bytes = await archive()
  expect(await filesOf(bytes, 512, 600)).toEqual(FILES.slice(0, 5))
})

test('the documentation has the limits of the code', () => {
  const page = readFileSync(join(import.meta.dir, '../../../docs/catalog/mirrors.md'), 'utf8')
  const mib = (bytes: number) => `${bytes / 1024 / 1024} MiB`
  const { maximum = 0 } = ManifestFile.properties.size
  expect(page).toContain(`a manifest of ${mib(MANIFEST_BYTES_MAX)}`)
  expect(page).toContain(`${mib(maximum)} each and ${CATALOG_BYTES_MAX / 1024 ** 3} GiB together`)
})
