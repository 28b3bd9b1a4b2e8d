import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { ManifestFile } from '../signing/manifest.ts'
import { type ArchivePart, archiveFiles } from './archive-file.ts'
import type { BuiltSite } from './built-site.ts'
import type { Document } from './document.ts'
import { ASK_AGAIN } from './etag.ts'
import { type CurrentManifest, differenceOf, signedBodies } from './issue-manifest.ts'
import { blocksOf, gzipChunks, signedFiles } from './pack-archive.ts'
import { packDocuments } from './pack-documents.ts'
import { waitBriefly } from './wait-briefly.ts'

/** The archive of the newest manifest, and the documents of a site hashed and packed for it. */
export type SiteArchive = Disposable & {
  /** Every document of a site with its hash. */
  pack(site: BuiltSite): Promise<ManifestFile[]>
  /** Names the newest manifest; its archive is made now if its documents are packed. */
  offer(site: BuiltSite, current: CurrentManifest): void
  /** The archive of that manifest, made on the first call otherwise; throws `notYet` meanwhile. */
  document(): Promise<Document>
  /** Says how far the work is, and when it makes sense to ask again. */
  notYet(): Failure
  /** Ends the work that is under way. */
  stop(): void
}

/** The result of packing a site; the part of the archive is used up by the first manifest. */
type Packed = { site: BuiltSite; files: ManifestFile[]; part: ArchivePart | undefined }
type Progress = { done: number; of: number; since: number }
type Offered = { site: BuiltSite; current: CurrentManifest; document?: Promise<Document> }

const RETRY_LEAST_S = 5
const RETRY_MOST_S = 60

export function createSiteArchive({
  clock,
  report,
}: {
  clock: Clock
  report(error: unknown): void
}): SiteArchive {
  const archives = archiveFiles(ASK_AGAIN)
  const closing = new AbortController()
  let progress: Progress = { done: 0, of: 0, since: 0 }
  let packed: Packed | undefined
  let offered: Offered | undefined

  async function pack(site: BuiltSite): Promise<Packed> {
    const since = clock.elapsed()
    packed?.part?.[Symbol.dispose]()
    packed = undefined
    const result = await packDocuments(site.documents, {
      archives,
      report,
      signal: closing.signal,
      onProgress: (done, of) => {
        progress = { done, of, since }
      },
    })
    packed = { site, ...result }
    return packed
  }

  async function write({ site, current }: Offered): Promise<Document> {
    const own = packed?.site === site && packed.part ? packed : await pack(site)
    const { changed, removed } = differenceOf(current.issued.manifest.files, own.files)
    // Another process signed other bytes than this one serves.
    if (changed.length + removed.length > 0) throw new Failure('unavailable', NO_ARCHIVE)
    if (!own.part) throw new Failure('unavailable', NO_ARCHIVE)
    using part = own.part
    own.part = undefined
    return await archives.write(wholeArchive(current, part))
  }

  function make(one: Offered): Promise<Document> {
    one.document ??= write(one)
    return one.document
  }

  const notYet = () => notYetFailure(progress, clock.elapsed())
  return {
    async pack(site) {
      return (packed?.site === site ? packed : await pack(site)).files
    },
    offer(site, current) {
      const isSame = offered?.site === site && nameOf(offered.current) === nameOf(current)
      if (isSame) return
      offered = { site, current }
      if (packed?.site === site && packed.part) make(offered).catch(report)
    },
    async document() {
      if (!offered) throw new Failure('unavailable', NO_ARCHIVE)
      return await waitBriefly(clock, make(offered), notYet)
    },
    notYet,
    stop: () => closing.abort(),
    [Symbol.dispose]: () => archives[Symbol.dispose](),
  }
}

function notYetFailure({ done, of, since }: Progress, now: number): Failure {
  const left = done > 0 ? ((now - since) / done) * (of - done) : 0
  const retryAfter = Math.ceil(Math.min(Math.max(left / 1000, RETRY_LEAST_S), RETRY_MOST_S))
  const count = `${done.toLocaleString('en')} of ${of.toLocaleString('en')} documents are ready`
  const detail = `The files for mirrors are being made: ${count}. Try again in ${retryAfter} seconds.`
  return new Failure('unavailable', detail, { retryAfter })
}

const NO_ARCHIVE =
  'This server has no archive of its manifest. Ask for the documents one by one, by their hashes.'

function nameOf({ issued, keys }: CurrentManifest): string {
  return JSON.stringify([issued.sha256, keys])
}

async function* wholeArchive(
  current: CurrentManifest,
  part: ArchivePart,
): AsyncGenerator<Uint8Array> {
  const bodies = signedBodies(current)
  const read = (path: string) => [Buffer.from(bodies.get(path) ?? '')]
  yield* gzipChunks(blocksOf(signedFiles(read)))
  yield* part.chunks()
}
