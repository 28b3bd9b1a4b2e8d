import { sha256 } from '../../platform/signing/sha256.ts'
import { followKeys } from '../signing/follow-keys.ts'
import type { ManifestFile } from '../signing/manifest.ts'
import { verifyManifest } from '../signing/verify-manifest.ts'
import { checkMinisign } from './check-minisign.ts'
import type { ServedVersion, SignedCatalog } from './published-catalog.ts'

/** One finding: whether it holds, in a sentence. */
export type VerifyLine = { holds: boolean; what: string }

export type CheckHow = {
  /** The key that must have signed, or endorsed the key that did. */
  key: string | undefined
  now: number
  step?(done: number, of: number): void
}

const NAMED_MAX = 20
const AT_ONCE = 8

/**
 * Checks a catalog: who signed the manifest, whether it is fresh, and whether every document, as
 * readers and as mirrors get it, has the bytes that were signed.
 */
export async function checkPublishedCatalog(
  catalog: SignedCatalog,
  { key, now, step }: CheckHow,
): Promise<VerifyLine[]> {
  const verification = verifyManifest(catalog.manifest, catalog.jws, catalog.keys)
  if (!verification.ok) return [{ holds: false, what: verification.why }]
  const { kid, manifest } = verification
  const { sequence, issuedAt, expiresAt, files, baseUrl } = manifest
  const isFresh = now < Date.parse(expiresAt)
  return [
    { holds: true, what: `Manifest ${sequence} of ${baseUrl}, signed by ${kid} at ${issuedAt}.` },
    aboutKey(catalog, kid, key),
    { holds: isFresh, what: `It ${isFresh ? 'expires' : 'expired'} at ${expiresAt}.` },
    ...(await aboutFiles(catalog, files, step)),
    ...aboutOthers(catalog, files),
    ...problemLines(await checkMinisign(catalog, manifest, kid)),
    ...(await aboutArchive(catalog, files)),
  ]
}

function aboutKey({ keys }: SignedCatalog, kid: string, key: string | undefined): VerifyLine {
  if (key === undefined) {
    const what =
      'You named no key (--key), so this shows only that everything fits together, not who signed it.'
    return { holds: true, what }
  }
  const followed = followKeys(keys, key, kid)
  if (!followed.ok) return { holds: false, what: followed.why }
  return { holds: true, what: `The key follows from yours: ${followed.through.join(' → ')}.` }
}

async function aboutFiles(
  catalog: SignedCatalog,
  files: readonly ManifestFile[],
  step: CheckHow['step'],
): Promise<VerifyLine[]> {
  const wrong: string[] = []
  const bad = new Set<string>()
  const queue = [...files]
  let done = 0
  const work = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      const problems = await problemsOf(catalog, file)
      if (problems.length > 0) bad.add(file.path)
      wrong.push(...problems)
      step?.(++done, files.length)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const right = files.length - bad.size
  const what = `${right} of ${files.length} documents are there with the bytes that were signed.`
  return [...problemLines(wrong.sort()), { holds: wrong.length === 0, what }]
}

async function problemsOf(catalog: SignedCatalog, file: ManifestFile): Promise<string[]> {
  const problems: string[] = []
  const findProblems = (version: ServedVersion) => {
    const { name } = version
    if ('why' in version) problems.push(`${name} ${version.why}.`)
    else if (!isSigned(version.bytes, file)) problems.push(`${name} has other bytes.`)
  }
  for await (const version of catalog.versions?.(file) ?? []) findProblems(version)
  const blob = await catalog.file(file.sha256, file.size)
  const name = catalog.versions ? `The copy of ${file.path} for mirrors` : file.path
  findProblems(blob ? { name, bytes: blob } : { name, why: 'is missing' })
  return problems
}

function isSigned(bytes: Uint8Array, file: ManifestFile): boolean {
  return bytes.length === file.size && sha256(bytes) === file.sha256
}

function aboutOthers(catalog: SignedCatalog, files: readonly ManifestFile[]): VerifyLine[] {
  const others = catalog.others?.(files)
  if (!others) return []
  const { expected, unknown } = others
  const lines = problemLines(unknown.map((name) => `${name} is not in the manifest.`))
  if (expected.length === 0) return lines
  const some = expected.slice(0, 3).join(', ')
  const what = `Not signed, so not checked: ${expected.length} files of the web server (${some} …).`
  return [...lines, { holds: true, what }]
}

/** The archive must have the same manifest, and its files. */
async function aboutArchive(
  catalog: SignedCatalog,
  files: readonly ManifestFile[],
): Promise<VerifyLine[]> {
  const archive = await catalog.archive?.().catch((error: Error) => error.message)
  if (archive === undefined) return []
  if (typeof archive === 'string') return [{ holds: false, what: archive }]
  if (!Buffer.from(archive.manifest).equals(catalog.manifest)) {
    return [{ holds: false, what: 'The snapshot for mirrors has another manifest.' }]
  }
  const wrong: string[] = []
  for (const file of files) {
    const bytes = await archive.file(file.sha256, file.size)
    if (!bytes || !isSigned(bytes, file)) wrong.push(`${file.path} is wrong in the snapshot.`)
  }
  return wrong.length > 0
    ? problemLines(wrong)
    : [{ holds: true, what: 'The snapshot for mirrors has the same files.' }]
}

/** The first problems, and the number of the others. */
function problemLines(problems: readonly string[]): VerifyLine[] {
  const lines = problems.slice(0, NAMED_MAX).map((what) => ({ holds: false, what }))
  const more = problems.length - lines.length
  return more > 0 ? [...lines, { holds: false, what: `And ${more} more.` }] : lines
}
