import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { type OAuthClient, readMetadata, type WrongMetadata } from './model/client.ts'
import { countUnused, purgeClients, putClient } from './model/client-store.ts'
import { makeSecret } from './model/secret.ts'

type Deps = { db: Db; clock: Clock }

/** A client that is known now; its secret is in the result and nowhere else. */
export type Registered = { client: OAuthClient; secret: string | undefined }

const HOUR_MS = 60 * 60 * 1_000
// This many clients may wait to be allowed. Anybody can register, and a flood must not fill the
// disk.
export const UNUSED_MAX = 1_000
// In a flood, clients that have waited this long make room. Younger ones stay, because their people
// are signing in.
const FLOODED_MS = HOUR_MS
const NEVER = 0

/**
 * Registers a client by its own description `said` (RFC 7591). Resolves to `full` if too many
 * clients are registered that nobody allowed.
 */
export async function registerClient(
  { db, clock }: Deps,
  input: Record<string, unknown>,
): Promise<Registered | WrongMetadata | 'full'> {
  const metadata = readMetadata(input)
  if ('error' in metadata) return metadata
  const now = clock.now()
  const secret = metadata.authMethod === 'none' ? undefined : makeSecret('client')
  const client: OAuthClient = {
    ...metadata,
    id: newId('app', now),
    kind: 'registered',
    secretHash: secret?.hash ?? null,
    workspaceId: null,
    createdBy: null,
    createdAt: now,
    usedAt: null,
    freshUntil: null,
  }
  return await db.write(async (tx) => {
    if ((await countUnused(tx)) >= UNUSED_MAX) {
      const old = { unusedSince: now - FLOODED_MS, usedSince: NEVER, limit: UNUSED_MAX }
      if ((await purgeClients(tx, old)) === 0) return 'full' as const
    }
    await putClient(tx, client)
    return { client, secret: secret?.text }
  })
}
