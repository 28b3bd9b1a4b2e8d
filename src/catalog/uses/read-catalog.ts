import { Failure } from '../../platform/failure.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { ChangeItem } from '../records/change.ts'
import type { ChangesDocument, ToolDocument, ToolsDocument } from '../records/documents.ts'
import { followKeys } from '../signing/follow-keys.ts'
import { verifyManifest } from '../signing/verify-manifest.ts'
import { parsedJson, type SignedCatalog } from '../verifying/published-catalog.ts'
import type { UsableTool } from './match-uses.ts'

export type CatalogData = {
  tools: readonly UsableTool[]
  changes: readonly ChangeItem[]
  /** Where the data is from, and of when, in a sentence. */
  about: string
}

/**
 * Reads the records of a signed catalog; each document must have the hash that was signed. Throws
 * `conflict` if a signature or a hash does not hold, or the key is not that of `key`.
 */
export async function readSignedCatalog(
  catalog: SignedCatalog,
  { key, today }: { key: string | undefined; today: string },
): Promise<CatalogData> {
  const verification = verifyManifest(catalog.manifest, catalog.jws, catalog.keys)
  if (!verification.ok) throw refusal(verification.why)
  const { manifest, kid } = verification
  const follows = key === undefined ? undefined : followKeys(catalog.keys, key, kid)
  if (follows && !follows.ok) throw refusal(follows.why)
  const files = new Map(manifest.files.map((file) => [file.path, file]))
  const read = async <T>(path: string): Promise<T> => {
    const file = files.get(path)
    const bytes = file && (await catalog.file(file.sha256, file.size))
    if (!file || !bytes || sha256(bytes) !== file.sha256)
      throw refusal(`${path} is not what was signed`)
    return parsedJson(bytes) as T
  }
  const { tools } = await read<ToolsDocument>('/api/v1/tools.json')
  const { recent, upcoming } = await read<ChangesDocument>('/api/v1/changes.json')
  // Only the document of one tool says from which file a model was read.
  const whole = tools.map(async (tool) =>
    tool.kind === 'model'
      ? (await read<ToolDocument>(`/api/v1/tools/${tool.slug}.json`)).tool
      : tool,
  )
  const { sequence, baseUrl, issuedAt, expiresAt } = manifest
  const stale = expiresAt.slice(0, 10) < today ? ` It expired at ${expiresAt}.` : ''
  const about = `Revision ${sequence} of ${baseUrl}, signed at ${issuedAt}.${stale}`
  return { tools: await Promise.all(whole), changes: [...upcoming, ...recent], about }
}

function refusal(why: string): Failure {
  return new Failure('conflict', `The catalog cannot be trusted: ${why.replace(/\.$/, '')}.`)
}
