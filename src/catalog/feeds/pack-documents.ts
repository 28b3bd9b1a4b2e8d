import { createHash } from 'node:crypto'
import { garbageCollector } from '../../platform/collect-garbage.ts'
import { regularPauses } from '../../platform/run-in-steps.ts'
import { type ManifestFile, pathProblem } from '../signing/manifest.ts'
import type { ArchiveFiles, ArchivePart } from './archive-file.ts'
import type { Document } from './document.ts'
import { byText } from './listing-order.ts'
import { ARCHIVE_END, blobName, fileBlocks, gzipChunks } from './pack-archive.ts'

type PackDeps = {
  archives: ArchiveFiles
  /** Ends the work early; it then throws. */
  signal: AbortSignal
  /** Called after each document. */
  onProgress(done: number, of: number): void
  /** Gets the reason if the archive cannot be written; the documents are hashed all the same. */
  report(error: unknown): void
}

/** The documents for a manifest, and for its archive unless the disk refused. */
export type PackedDocuments = { files: ManifestFile[]; part: ArchivePart | undefined }

/**
 * Hashes every document and packs it at the same time, so that each is made once. Only a document in
 * pieces, which is too large to be held, is made again.
 */
export async function packDocuments(
  documents: ReadonlyMap<string, Document>,
  { archives, signal, onProgress, report }: PackDeps,
): Promise<PackedDocuments> {
  const files = new Map<string, ManifestFile>()
  const onFile = (file: ManifestFile) => {
    signal.throwIfAborted()
    files.set(file.path, file)
    onProgress(files.size, documents.size)
  }
  const part = await archives
    .writePart(gzipChunks(packing(documents, files, onFile)))
    .catch((error) => {
      signal.throwIfAborted()
      report(error)
      return undefined
    })
  // If the disk has refused. A document that cannot be made throws here again.
  if (!part) for await (const _ of packing(documents, files, onFile));
  // In the order in which they were packed, which is that of a manifest.
  return { files: [...files.values()], part }
}

/** The blocks of all documents that are not among `files` yet, in the order of a manifest. */
async function* packing(
  documents: ReadonlyMap<string, Document>,
  files: ReadonlyMap<string, ManifestFile>,
  onFile: (file: ManifestFile) => void,
): AsyncGenerator<Uint8Array> {
  const collect = garbageCollector()
  const packed = new Set<string>()
  const pause = regularPauses()
  for (const [path, document] of [...documents].sort(([a], [b]) => byText(a, b))) {
    if (files.has(path)) continue
    const problem = pathProblem(path)
    if (problem) throw new Error(problem)
    const pieces = document.pieces()
    const { size, sha256 } = await hashPieces(pieces, pause)
    onFile({ path, type: document.type, size, sha256 })
    collect(size)
    if (packed.has(sha256)) continue
    packed.add(sha256)
    const again = Array.isArray(pieces) ? pieces : document.pieces()
    yield* fileBlocks(blobName(sha256), size, again)
  }
  yield ARCHIVE_END
}

// Hashing this many bytes takes well below a millisecond.
const AT_ONCE = 256 * 1024

/** Size and SHA-256 of a document; `pause` is called between its parts. */
export async function hashPieces(
  pieces: Iterable<Uint8Array>,
  pause = regularPauses(),
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  for (const bytes of pieces) {
    for (let at = 0; at < bytes.length; at += AT_ONCE) {
      await pause()
      hash.update(bytes.subarray(at, at + AT_ONCE))
    }
    size += bytes.length
  }
  return { size, sha256: hash.digest('hex') }
}
