import { createHash } from 'node:crypto'
import { createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type ArchiveFolder, makeArchiveFolder, removeAbandonedFolders } from './archive-folder.ts'
import { type Document, fileDocument } from './document.ts'
import { shortDigest } from './etag.ts'

export const SNAPSHOT_TYPE = 'application/gzip'

type Chunks = AsyncIterable<Uint8Array>

/** Archives in temporary files, because they may be larger than memory. */
export type ArchiveFiles = Disposable & {
  /** Writes a part of an archive, to be read once its other parts are known. */
  writePart(chunks: Chunks): Promise<ArchivePart>
  /** Writes an archive; the one before is removed then. */
  write(chunks: Chunks): Promise<Document>
}

/** Disposing removes it. */
export type ArchivePart = Disposable & { chunks(): Chunks }

/** Also removes what killed processes have left. */
export function archiveFiles(headers: Readonly<Record<string, string>>): ArchiveFiles {
  removeAbandonedFolders()
  let folder: ArchiveFolder | undefined
  let newest: string | undefined
  let number = 0

  /** Writes a new file; a half-written one is removed. */
  async function store(chunks: Chunks): Promise<string> {
    folder ??= makeArchiveFolder()
    const path = join(folder.path, `${++number}.tar.gz`)
    try {
      await pipeline(chunks, createWriteStream(path, { mode: 0o600 }))
      return path
    } catch (error) {
      remove(path)
      throw error
    }
  }

  return {
    async writePart(chunks) {
      const path = await store(chunks)
      return { chunks: () => Bun.file(path).stream(), [Symbol.dispose]: () => remove(path) }
    },
    async write(chunks) {
      const hash = createHash('sha256')
      const path = await store(hashing(chunks, hash))
      if (newest) remove(newest)
      newest = path
      return fileDocument(path, { type: SNAPSHOT_TYPE, hash: shortDigest(hash), headers })
    },
    [Symbol.dispose]: () => folder?.[Symbol.dispose](),
  }
}

async function* hashing(chunks: Chunks, hash: ReturnType<typeof createHash>): Chunks {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}

function remove(path: string): void {
  rmSync(path, { force: true })
}
