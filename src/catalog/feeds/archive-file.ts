import { createHash } from 'node:crypto'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Manifest } from '../signing/manifest.ts'
import { type Document, fileDocument } from './document.ts'
import { shortDigest } from './etag.ts'
import { archiveChunks, archiveOf, type ReadPieces } from './pack-archive.ts'

export const SNAPSHOT_TYPE = 'application/gzip'

/** The archive of the newest manifest, in a temporary file because it may be larger than memory. */
export type ArchiveFiles = Disposable & {
  /** Made on the first request for a manifest; `read` returns the bytes at an address. */
  of(manifest: Manifest, read: ReadPieces): Promise<Document>
}

export function archiveFiles(headers: Readonly<Record<string, string>>): ArchiveFiles {
  let newest: { of: Manifest; document: Promise<Document> } | undefined
  let folder: string | undefined

  async function pack(...[manifest, read]: Parameters<ArchiveFiles['of']>): Promise<Document> {
    const old = folder
    folder = mkdtempSync(join(tmpdir(), 'beckon-snapshot-'))
    const path = join(folder, 'snapshot.tar.gz')
    const hash = createHash('sha256')
    await pipeline(
      archiveChunks(archiveOf(manifest, read)),
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          yield chunk
        }
      },
      createWriteStream(path, { mode: 0o600 }),
    )
    if (old) rmSync(old, { recursive: true, force: true })
    return fileDocument(path, { type: SNAPSHOT_TYPE, hash: shortDigest(hash), headers })
  }

  return {
    async of(manifest, read) {
      if (newest?.of !== manifest) {
        const document = pack(manifest, read)
        newest = { of: manifest, document }
        document.catch(() => {
          newest = undefined
        })
      }
      return await newest.document
    },
    [Symbol.dispose]() {
      newest = undefined
      if (folder) rmSync(folder, { recursive: true, force: true })
    },
  }
}
