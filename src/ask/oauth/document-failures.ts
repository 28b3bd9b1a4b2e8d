import type { Clock } from '../../platform/clock.ts'
import type { Db, Read } from '../../platform/db/database.ts'
import { dropSetting, putSetting, readSetting } from '../../platform/db/settings-store.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { type ReadDocument, readDocument } from './read-document.ts'

/** The last client whose document this server could not fetch, until that succeeds. */
export type DocumentFailure = { clientId: string; reason: string; at: number }

/**
 * The state of signing in with a client's own document: `on`, `off` if the owner switched it off,
 * or `failing` while fetching such a document is known to fail. Clients that are not offered it
 * register.
 */
export type DocumentsOffer = 'on' | 'off' | 'failing'

const FAILURE = 'oauth_document_failure'
const TRY_AGAIN_MS = 60 * 60_000

export async function readDocumentFailure(read: Read): Promise<DocumentFailure | undefined> {
  const setting = await readSetting(read, FAILURE)
  return setting === undefined ? undefined : (JSON.parse(setting) as DocumentFailure)
}

export async function readDocumentsOffer(read: Read, isOn: boolean): Promise<DocumentsOffer> {
  if (!isOn) return 'off'
  return (await readDocumentFailure(read)) ? 'failing' : 'on'
}

type Deps = { db: Db; clock: Clock; outside: Pick<GuardedFetch, 'fetch'> }

/** Reads a document, and keeps in mind whether it could be fetched. */
export async function fetchDocument(deps: Deps, clientId: string): Promise<ReadDocument> {
  const read = await readDocument(deps.outside, clientId)
  const { db, clock } = deps
  const previous = await readDocumentFailure(db.read)
  if (read.outcome === 'unreached') {
    const at = clock.now()
    const failure: DocumentFailure = { clientId, reason: read.reason, at }
    await db.write((tx) => putSetting(tx, FAILURE, JSON.stringify(failure), at))
  } else if (previous && new URL(previous.clientId).host === new URL(clientId).host) {
    await db.write((tx) => dropSetting(tx, FAILURE))
  }
  return read
}

/** Tries every hour to fetch what could not be fetched, until disposed. */
export function keepTryingDocuments(deps: Deps, report: (error: unknown) => void): AsyncDisposable {
  async function work() {
    const failure = await readDocumentFailure(deps.db.read)
    if (failure) await fetchDocument(deps, failure.clientId)
  }
  return repeatEvery(deps.clock, TRY_AGAIN_MS, work, report)
}
