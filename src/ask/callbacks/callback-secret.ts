import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { randomText } from '../../platform/ids.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import {
  type CallbackSecret,
  FOREVER,
  keepFirstSecret,
  liveSecrets,
  makeSecret,
  OVERLAP_MS,
  replaceSecret,
} from './model/secret-store.ts'

type Deps = { db: Db; clock: Clock }

// Every valid secret adds a signature to each request.
const LIVE_MAX = 5

/** The secrets that a workspace signs with now. */
export type SigningSecrets = {
  current: CallbackSecret
  /** Rotated secrets that still sign, the one that ends last first. */
  ending: CallbackSecret[]
}

/** The secrets of a workspace; the first one is created when first needed. */
export async function readCallbackSecrets(
  { db, clock }: Deps,
  workspaceId: WorkspaceId,
): Promise<SigningSecrets> {
  const now = clock.now()
  const live = await liveSecrets(db.read, workspaceId, now)
  if (live.length > 0) return split(live)
  const secret = newSecret(workspaceId, now)
  return await db.write(async (tx) => {
    await keepFirstSecret(tx, secret)
    return split(await liveSecrets(tx, workspaceId, now))
  })
}

/**
 * Creates a new secret. The previous one keeps signing beside it for a day, so that no receiver
 * misses an answer while it is exchanged. Throws `conflict` after too many in one day.
 */
export async function rotateCallbackSecret(
  { db, clock }: Deps,
  workspaceId: WorkspaceId,
  by?: PersonId,
): Promise<SigningSecrets> {
  const now = clock.now()
  const secret = newSecret(workspaceId, now)
  const stamp = auditStamp(now)
  return await db.write(async (tx) => {
    await replaceSecret(tx, secret, now + OVERLAP_MS)
    const live = await liveSecrets(tx, workspaceId, now)
    if (live.length > LIVE_MAX) throw tooOften()
    await recordChange(tx, stamp, {
      workspaceId,
      kind: 'callback.changed',
      personId: by ?? null,
      subjectId: secret.id,
      detail: 'new signing secret',
    })
    return split(live)
  })
}

function newSecret(workspaceId: WorkspaceId, now: number): CallbackSecret {
  const id = `whs_${randomText(16)}`
  return { id, workspaceId, secret: makeSecret(), createdAt: now, endsAt: FOREVER }
}

function split([current, ...ending]: CallbackSecret[]): SigningSecrets {
  if (!current) throw new Error('a workspace has no callback secret although one was kept')
  return { current, ending }
}

function tooOften() {
  return new Failure(
    'conflict',
    `${LIVE_MAX} secrets sign at the moment, so no new one was made. Wait until an earlier one has ended.`,
  )
}
