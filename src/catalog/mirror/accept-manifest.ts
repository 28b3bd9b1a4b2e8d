import type { Clock } from '../../platform/clock.ts'
import { KEYS_PATH, MANIFEST_PATH, SIGNATURE_PATH, SIGNED_PATHS } from '../feeds/manifest-paths.ts'
import { MANIFEST_BYTES_MAX } from '../signing/manifest.ts'
import type { FetchProblem } from './fetch-blobs.ts'
import { judgeManifest, type ManifestVerdict, type TrustedState } from './judge-manifest.ts'
import type { Origin } from './origin.ts'

export type AcceptedManifest = {
  ok: true
  judged: ManifestVerdict & { ok: true }
  offer: FetchedManifest
}
/** The bytes as they were received. */
export type FetchedManifest = { bytes: Uint8Array; jws: Uint8Array; keys: Uint8Array; etag: string }

const SIGNATURE_MOST = 16 * 1024
const KEYS_MOST = 1024 * 1024

/**
 * Fetches the signature and the keys of a manifest and judges them; once more if the manifest was
 * replaced in between.
 */
export async function takeManifest(
  { origin, clock }: { origin: Origin; clock: Clock },
  believed: TrustedState,
  first: Awaited<ReturnType<Origin['get']>>,
): Promise<AcceptedManifest | FetchProblem> {
  let manifest = first
  for (let n = 0; ; n++) {
    const replies = [
      manifest,
      await origin.get(SIGNATURE_PATH, { maxBytes: SIGNATURE_MOST }),
      await origin.get(KEYS_PATH, { maxBytes: KEYS_MOST }),
    ] as const
    const bodies: Array<{ bytes: Uint8Array; etag: string }> = []
    for (const [i, one] of replies.entries()) {
      if (one.outcome !== 'body') return notGot(one, SIGNED_PATHS[i] ?? '')
      bodies.push(one)
    }
    const [own, jws, keys] = bodies
    if (!own || !jws || !keys) throw new Error('a body is missing')
    const offer = { bytes: own.bytes, jws: jws.bytes, keys: keys.bytes, etag: own.etag }
    const parsed = { bytes: own.bytes, jws: parse(jws.bytes), keys: parse(keys.bytes) }
    const verdict = judgeManifest(parsed, believed, clock.now())
    if (verdict.ok) return { ok: true, judged: verdict, offer }
    const { refusal, why } = verdict
    if (refusal !== 'signature' || n > 0) return { outcome: 'refused', refusal, why }
    manifest = await origin.get(MANIFEST_PATH, { maxBytes: MANIFEST_BYTES_MAX })
    const isSame = manifest.outcome === 'body' && Buffer.compare(manifest.bytes, own.bytes) === 0
    if (isSame) return { outcome: 'refused', refusal, why }
  }
}

function notGot(reply: Awaited<ReturnType<Origin['get']>>, path: string): FetchProblem {
  if (reply.outcome === 'unreachable') return { outcome: 'unreachable', why: reply.why }
  if (reply.outcome === 'long') {
    return {
      outcome: 'refused',
      refusal: 'manifest',
      why: `${path} is longer than a mirror accepts.`,
    }
  }
  const why = `There is no ${path} at the source: it is not a catalog that can be mirrored.`
  return { outcome: 'unreachable', why }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
