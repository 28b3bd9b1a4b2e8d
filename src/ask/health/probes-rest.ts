import { Elysia } from 'elysia'
import type { Clock } from '../../platform/clock.ts'
import type { OpenDb } from '../../platform/db/database.ts'
import { readSetting } from '../../platform/db/settings-store.ts'
import { storageFailure } from '../../platform/db/storage-failure.ts'
import { Failure } from '../../platform/failure.ts'
import { problemResponse } from '../../platform/http/errors.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Log } from '../../platform/log.ts'
import { EXPOSITION, type Metrics } from '../../platform/metrics.ts'
import type { Authentication } from '../sign-in/authentication.ts'
import { TRIAL_NAME, tryAsking } from './trial-write.ts'

export type ReadinessDeps = {
  db: OpenDb
  clock: Clock
  /**
   * Returns the free bytes where the database is; undefined if that is not known, or on another
   * machine.
   */
  freeBytes(): number | undefined
  log: Log
  /** Aborted when the server begins to report that it is not ready. */
  leaving: AbortSignal
  /** Why the server does not serve TLS yet although it is set up to. */
  tlsProblem(): string | undefined
}

// However often it is called, the disk is not written to more often than this.
const TRY_EVERY_MS = 30_000
// While writes are refused, they are tried more often.
const TRY_AGAIN_MS = 5_000
// Less than this is a full disk: the next question may be the one that finds no room.
const FREE_LEAST = 256 * 1024

/**
 * `/readyz`: the database answers and takes what an ask writes, its disk has room, and TLS has its
 * certificate. `/healthz` is answered by the listener.
 */
export function healthRoutes(deps: ReadinessDeps) {
  const checkWriting = createWriteCheck(deps)
  const logged = createChangeLog(deps.log)

  async function check() {
    await checkReading(deps.db)
    if ((deps.freeBytes() ?? FREE_LEAST) < FREE_LEAST) throw new Failure('unavailable', FULL)
    await checkWriting()
    const problem = deps.tlsProblem()
    if (problem !== undefined) throw new Failure('unavailable', problem)
  }

  return new Elysia().get('/readyz', async () => {
    // Nothing is wrong: whoever asks is to send its requests to another server.
    if (deps.leaving.aborted) {
      return problemResponse(new Failure('unavailable', 'The server is shutting down.'))
    }
    const failure = await check().then(() => undefined, storageFailure)
    logged(failure)
    if (failure === undefined) return Response.json({ status: 'ready' })
    if (failure instanceof Failure) return problemResponse(failure)
    throw failure
  })
}

/** A probe asks every few seconds: the log tells when the answer changes, not each time. */
function createChangeLog(log: Log): (failure: unknown) => void {
  let last: string | undefined
  return (failure) => {
    const reason = failure instanceof Failure ? failure.message : undefined
    if (reason === last) return
    last = reason
    if (reason === undefined) log.info('the server is ready again', { path: '/readyz' })
    else log.warn('the server is not ready', { path: '/readyz', error: failure })
  }
}

async function checkReading(db: OpenDb) {
  try {
    // Any read will do.
    await readSetting(db.read, TRIAL_NAME)
  } catch (cause) {
    throw new Failure('unavailable', 'The database does not answer; the log says why.', { cause })
  }
}

type Trial = { at: number; refusals: number; refused: Failure | undefined }

/**
 * Throws `unavailable` with the database's own message while it refuses writes: when the latest
 * trial failed, or any write has failed since.
 */
function createWriteCheck({ db, clock }: ReadinessDeps): () => Promise<void> {
  let latest: Promise<Trial> | undefined

  async function tryWriting(): Promise<Trial> {
    const at = clock.now()
    const refused = await db
      .write((tx) => tryAsking(tx, at))
      .then(
        () => undefined,
        (cause) =>
          cause instanceof Failure ? cause : new Failure('unavailable', NO_WRITES, { cause }),
      )
    return { at, refusals: db.refusals().count, refused }
  }

  return async () => {
    latest ??= tryWriting()
    const current = latest
    let trial = await current
    if (clock.now() - trial.at >= (refusalIn(db, trial) ? TRY_AGAIN_MS : TRY_EVERY_MS)) {
      // Of concurrent requests, one writes.
      if (latest === current) latest = tryWriting()
      trial = await latest
    }
    const refused = refusalIn(db, trial)
    if (refused) throw refused
  }
}

function refusalIn(db: OpenDb, { refused, refusals }: Trial): Failure | undefined {
  const { count, latest } = db.refusals()
  return refused ?? (count > refusals ? latest : undefined)
}

const FULL = 'The disk of the server is full; free space.'
const NO_WRITES = 'The database accepts no writes; the log says why.'

type MetricsDeps = {
  metrics: Metrics
  authentication: Pick<Authentication, 'agentFrom'>
  limits: Pick<Limits, 'token'>
  /** Returns true if the request began on this machine (`fromThisMachine`). */
  isLocal(request: Request): boolean
}

/** `/metrics`: with a token, or from this machine. */
export function metricsRoutes({ metrics, authentication, limits, isLocal }: MetricsDeps) {
  return new Elysia().get('/metrics', async ({ request }) => {
    if (!isLocal(request)) limits.token.take((await authentication.agentFrom(request)).tokenId)
    return new Response(await metrics.text(), {
      headers: { 'content-type': EXPOSITION, 'cache-control': 'no-store' },
    })
  })
}
