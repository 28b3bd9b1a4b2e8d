import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { canonicalBytes } from '../../platform/signing/canonical.ts'
import { Tombstone } from '../records/change.ts'
import { Meta } from '../records/meta.ts'
import { closed, countField, instantField, link, textField } from '../records/words.ts'

/** The hash of the document's bytes, in lower-case hexadecimal. */
const sha256 = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64, description })

// The limits of a catalog that can be mirrored and verified (docs/catalog/mirrors.md). 30,000 tools have 250,000 files, a
// manifest of 41 MiB, a listing of 150 MiB, and 1.5 GiB in all.
const FILES_MAX = 500_000
export const MANIFEST_BYTES_MAX = 64 * 1024 * 1024
const FILE_BYTES_MAX = 512 * 1024 * 1024
export const CATALOG_BYTES_MAX = 4 * 1024 * 1024 * 1024

export const ManifestFile = closed({
  path: Type.String({ maxLength: 500, description: 'Where it is served.' }),
  type: Type.String({ pattern: '^[ -~]+$', maxLength: 200, description: 'Its media type.' }),
  sha256: sha256('Of its bytes without any coding.'),
  size: Type.Integer({ minimum: 0, maximum: FILE_BYTES_MAX, description: 'In bytes.' }),
})
export type ManifestFile = Static<typeof ManifestFile>

/** Everything that a catalog serves, in one signed document (docs/catalog/mirrors.md). */
export const Manifest = closed(
  {
    version: Type.Literal(1, { description: 'Of this form.' }),
    baseUrl: link('Public address of the catalog.'),
    sequence: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'One more with every manifest; never goes back.',
    }),
    revision: textField('Of the publish; empty before the first.', 128),
    issuedAt: instantField('When it was signed.'),
    expiresAt: instantField('After this it must not be believed.'),
    files: Type.Array(ManifestFile, { maxItems: FILES_MAX, description: 'Sorted by path.' }),
    removed: Type.Array(Tombstone, { description: 'Removed slugs.' }),
    previous: Type.Union([sha256('Of the bytes of the manifest before.'), Type.Null()]),
  },
  'Everything that this catalog serves.',
)
export type Manifest = Static<typeof Manifest>

const check = TypeCompiler.Compile(Manifest)

/** Reads a foreign manifest; returns a sentence if it is not valid. */
export function readManifest(bytes: Uint8Array): Manifest | string {
  if (bytes.length > MANIFEST_BYTES_MAX) {
    return `The manifest has ${bytes.length} bytes; at most ${MANIFEST_BYTES_MAX} are read.`
  }
  const value = parsed(bytes)
  const wrong = check.Errors(value).First()
  if (wrong) return `The manifest is not one: ${wrong.path || '/'} ${wrong.message}.`
  const manifest = value as Manifest
  if (!isCanonical(bytes, manifest)) return 'The manifest is not written canonically (RFC 8785).'
  if (Date.parse(manifest.expiresAt) <= Date.parse(manifest.issuedAt)) {
    return 'The manifest expires before it begins.'
  }
  return sizeProblem(manifest.files) ?? filesProblem(manifest.files) ?? manifest
}

function sizeProblem(files: readonly ManifestFile[]): string | undefined {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total <= CATALOG_BYTES_MAX) return undefined
  return `The files of the manifest have ${total} bytes together; at most ${CATALOG_BYTES_MAX} are taken.`
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return undefined
  }
}

function isCanonical(bytes: Uint8Array, manifest: Manifest): boolean {
  try {
    return Buffer.compare(bytes, canonicalBytes(manifest)) === 0
  } catch {
    return false
  }
}

/** Paths must be safe file names, sorted, and differ in more than case. */
function filesProblem(files: readonly ManifestFile[]): string | undefined {
  const foldedPaths = new Set<string>()
  let before = ''
  for (const { path } of files) {
    const problem = pathProblem(path)
    if (problem) return problem
    if (path <= before) return `The files of the manifest are not sorted at ${path}.`
    const folded = path.toLowerCase()
    if (foldedPaths.has(folded))
      return `The manifest has two files that differ only in case: ${path}.`
    foldedPaths.add(folded)
    before = path
  }
  return undefined
}

// Characters of a catalog's documents; none has a meaning for a shell, a disk or a browser.
const NAME = /^[A-Za-z0-9._~@+-]+$/

/**
 * Why `path` in a manifest is not safe; undefined if it is. A name may contain a slash written as
 * `%2F`, as servers of a registry do; the parts around it must be names too.
 */
export function pathProblem(path: string): string | undefined {
  const [first, ...segments] = path.split('/')
  const names = segments.flatMap((segment) => segment.split('%2F'))
  const isSafe =
    first === '' &&
    names.length > 0 &&
    names.every((one) => NAME.test(one) && one !== '.' && one !== '..')
  if (isSafe) return undefined
  return `The manifest has an invalid path: ${JSON.stringify(path).slice(0, 120)}.`
}

const paths = (description: string) => Type.Array(Type.String({ maxLength: 500 }), { description })

/** `/api/v1/revisions.json`: what each manifest changed, oldest first. */
export const RevisionsDocument = closed(
  {
    meta: Meta,
    sequence: countField('Of the manifest that is served.'),
    revisions: Type.Array(
      closed({
        sequence: countField('Of the manifest.'),
        revision: textField('Of the publish; empty before the first.', 128),
        issuedAt: instantField('When it was signed.'),
        changed: paths('Files that are new or have other bytes.'),
        removed: paths('Removed files.'),
      }),
    ),
  },
  'What each manifest changed.',
)
export type RevisionsDocument = Static<typeof RevisionsDocument>
