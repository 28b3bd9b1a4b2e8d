import { createHash } from 'node:crypto'
import { canonicalBytes } from '../signing/canonical-bytes.ts'
import { pathProblem } from '../signing/file-path.ts'
import type { Manifest, ManifestFile } from '../signing/manifest.ts'
import type { Document } from './document.ts'
import { byText } from './listing-order.ts'

// Hashing as much takes well below a millisecond.
const AT_ONCE = 256 * 1024

/** Every document with the hash of its bytes, by path; each step is short. */
export function* fileSteps(
  documents: ReadonlyMap<string, Document>,
): Generator<undefined, ManifestFile[]> {
  const files: ManifestFile[] = []
  for (const [path, document] of documents) {
    const problem = pathProblem(path)
    if (problem) throw new Error(problem)
    const bytes = document.bytes()
    yield
    files.push({
      path,
      type: document.type,
      size: bytes.length,
      sha256: yield* hashSteps(bytes),
    })
  }
  return files.sort((a, b) => byText(a.path, b.path))
}

export function* hashSteps(bytes: Uint8Array): Generator<undefined, string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += AT_ONCE) {
    hash.update(bytes.subarray(at, at + AT_ONCE))
    if (at + AT_ONCE < bytes.length) yield
  }
  return hash.digest('hex')
}

/** The canonical bytes of a manifest, file by file: all at once takes too long for thousands. */
export function* canonicalSteps(manifest: Manifest): Generator<undefined, Uint8Array<ArrayBuffer>> {
  const files: string[] = []
  const decoder = new TextDecoder()
  for (const file of manifest.files) {
    files.push(decoder.decode(canonicalBytes(file)))
    yield
  }
  const around = decoder.decode(canonicalBytes({ ...manifest, files: [] }))
  return new TextEncoder().encode(around.replace(EMPTY, () => `"files":[${files.join(',')}]`))
}

// Names are sorted, and `baseUrl` and `expiresAt`, which stand before it, cannot hold this.
const EMPTY = '"files":[]'

export type Difference = { changed: string[]; removed: string[] }

/** What is other in `after`, by path. */
export function differenceOf(
  before: readonly ManifestFile[],
  after: readonly ManifestFile[],
): Difference {
  const known = new Map(before.map((file) => [file.path, file]))
  const wanted = new Set(after.map(({ path }) => path))
  return {
    changed: after.filter((file) => !isSame(known.get(file.path), file)).map(({ path }) => path),
    removed: before.map(({ path }) => path).filter((path) => !wanted.has(path)),
  }
}

function isSame(a: ManifestFile | undefined, b: ManifestFile): boolean {
  return a?.sha256 === b.sha256 && a.type === b.type
}
