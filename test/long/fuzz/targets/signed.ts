import fc from 'fast-check'
import { judgeManifest } from '../../../../src/catalog/mirror/judge-manifest.ts'
import { untar } from '../../../../src/catalog/mirror/untar.ts'
import { readKeys, TYP } from '../../../../src/catalog/signing/keys.ts'
import { pathProblem, readManifest } from '../../../../src/catalog/signing/manifest.ts'
import { checkReview, signReview } from '../../../../src/catalog/signing/review.ts'
import { verifyManifest } from '../../../../src/catalog/signing/verify-manifest.ts'
import { canonicalBytes } from '../../../../src/platform/signing/canonical.ts'
import { readDetached, signDetached } from '../../../../src/platform/signing/jws.ts'
import { manifestWith, testKey } from '../../../catalog/signing/signing-world.ts'
import { mutatedBytes, mutatedText, nearly } from '../mutate.ts'
import { must, parser, type Target } from '../target.ts'

const NOW = Date.parse('2026-11-22T00:00:00Z')
const PATHS = [
  '/api/v1/tools.json',
  '/tools/a%2Fb.md',
  '/x/../y',
  '//x',
  '/C:/x',
  '/nul',
  '/%2e%2e/x',
]
const FILE = { path: '/a', type: 'text/plain', sha256: 'a'.repeat(64), size: 3 }
const MANIFEST = manifestWith({ files: [FILE, { ...FILE, path: '/b' }] })

/** A signed manifest with all that belongs to it. */
async function world() {
  const [key, other] = [await testKey(), await testKey()]
  const bytes = canonicalBytes(MANIFEST)
  const jws = await signDetached(bytes, key.jwk, TYP.manifest)
  const keys = { keys: [key.listed, other.listed] }
  return { key, bytes, jws, keys }
}

const whole = (target: Target, begin: Target['begin']): Target => ({ ...target, begin })
const nothing = fc.constant(undefined)

export const SIGNED_TARGETS: readonly Target[] = [
  parser(
    'signed: a manifest',
    ['src/catalog/signing/manifest.ts#readManifest'],
    nearly(MANIFEST, manifestWith()),
    (input) => {
      const bytes = orNothing(() => canonicalBytes(input))
      if (!bytes) return 'refused'
      const read = readManifest(bytes)
      if (typeof read === 'string') return 'refused'
      for (const { path } of read.files) must(isSafe(path), `a path that leads away: ${path}`)
      return 'taken'
    },
  ),
  parser(
    'signed: names of files',
    ['src/catalog/signing/manifest.ts#pathProblem'],
    mutatedText(PATHS, ['..', '.', '/', '%2F', '%2f', '%00', '\\', ':', 'con']),
    (path) => {
      if (pathProblem(path) !== undefined) return 'refused'
      must(isSafe(path), `leads away: ${path}`)
      return 'taken'
    },
  ),
  whole(
    parser(
      'signed: bytes that were spoiled',
      [
        'src/catalog/signing/verify-manifest.ts#verifyManifest',
        'src/catalog/mirror/judge-manifest.ts#judgeManifest',
      ],
      nothing,
      () => 'taken',
    ),
    async () => {
      const { bytes, jws, keys, key } = await world()
      return {
        input: fc.oneof(
          fc.record({
            bytes: mutatedBytes(bytes),
            jws: fc.constant<unknown>(jws),
            keys: fc.constant<unknown>(keys),
          }),
          fc.record({
            bytes: fc.constant(bytes),
            jws: nearly(jws),
            keys: fc.constant<unknown>(keys),
          }),
          fc.record({
            bytes: fc.constant(bytes),
            jws: fc.constant<unknown>(jws),
            keys: nearly(keys),
          }),
        ),
        async attempt(offer: { bytes: Uint8Array; jws: unknown; keys: unknown }) {
          const verified = await verifyManifest(offer.bytes, offer.jws, offer.keys)
          const believed = { kid: key.kid, sequence: 0, manifest: '', allowStale: false }
          const judged = await judgeManifest(offer, believed, NOW)
          if (!judged.ok) must(judged.why.length > 10, 'says too little')
          // No other bytes are ever believed under this signature.
          const same = Buffer.compare(offer.bytes, bytes) === 0
          must(!verified.ok || same, 'believes bytes that nobody signed')
          must(!judged.ok || same, 'takes bytes that nobody signed')
          return verified.ok ? 'taken' : 'refused'
        },
      }
    },
  ),
  whole(
    parser(
      'signed: keys and signatures',
      [
        'src/catalog/signing/keys.ts#readKeys',
        'src/platform/signing/jws.ts#readDetached',
        'src/catalog/signing/follow-keys.ts#followKeys',
      ],
      nothing,
      () => 'taken',
    ),
    async () => {
      const { keys, jws } = await world()
      return {
        input: fc.tuple(nearly(keys), nearly(jws)),
        async attempt([list, signature]: [unknown, unknown]) {
          readDetached(signature)
          return typeof (await readKeys(list)) === 'string' ? 'refused' : 'taken'
        },
      }
    },
  ),
  whole(
    parser(
      'signed: reviews',
      ['src/catalog/signing/review.ts#checkReview'],
      nothing,
      () => 'taken',
    ),
    async () => {
      const { key } = await world()
      const review = {
        id: 'r',
        tool: 'x',
        rating: 4,
        title: 'T',
        body: 'B',
        date: '2026-11-10',
        source: 'desk',
      }
      const signature = await signReview(review as never, key.jwk, key.kid)
      const own = {
        kid: key.kid,
        jwk: { kty: 'OKP', crv: 'Ed25519', x: key.jwk.x },
        name: 'A',
        since: '2026-11-01',
      }
      return {
        input: nearly({ ...review, signature }).filter((value) => isReview(value)),
        async attempt(input: unknown) {
          const checked = await checkReview(input as never, [own as never])
          const same =
            JSON.stringify({ ...(input as object), signature: 0 }) ===
            JSON.stringify({ ...review, signature: 0 })
          if (checked?.status === 'valid') must(same, 'believes a review that nobody signed')
          return checked?.status === 'valid' ? 'taken' : 'refused'
        },
      }
    },
  ),
  parser(
    'mirror: archives',
    ['src/catalog/mirror/untar.ts#untar'],
    mutatedBytes(archive()),
    async (bytes) => {
      let files = 0
      for await (const { name, body } of untar(inPieces(bytes), bytes.length)) {
        must(name !== '' && body.length <= bytes.length, 'more than there is')
        files++
      }
      must(files <= bytes.length / 512, 'more files than blocks')
      return files > 0 ? 'taken' : 'refused'
    },
  ),
]

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 700) yield bytes.subarray(at, at + 700)
}

function isSafe(path: string): boolean {
  const names = decodeURIComponent(path).split('/').slice(1)
  return path.startsWith('/') && names.every((name) => name !== '' && name !== '.' && name !== '..')
}

/** The schema at the door lets in only texts there. */
function isReview(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  // Half a character is refused before, with the line it stands in.
  if (/\\ud[89a-f]/i.test(JSON.stringify(value))) return false
  const { signature } = value as { signature?: Record<string, unknown> }
  return (
    signature === undefined ||
    (typeof signature?.jws === 'string' && typeof signature.kid === 'string')
  )
}

function orNothing<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** A ustar archive of two small files. */
function archive(): Uint8Array {
  const blocks = ['a', 'b'].flatMap((letter) => {
    const head = new Uint8Array(512)
    head.set(Buffer.from(`blobs/sha256/${letter.repeat(64)}`))
    head.set(Buffer.from('00000000005'), 124)
    head[156] = '0'.charCodeAt(0)
    const body = new Uint8Array(512)
    body.set(Buffer.from('hello'))
    return [head, body]
  })
  return new Uint8Array(Buffer.concat([...blocks, new Uint8Array(1_024)]))
}
