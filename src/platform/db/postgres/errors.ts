import { Failure } from '../../failure.ts'
import { codeOf, rootCause } from '../storage-failure.ts'

/** The SQLSTATE of a PostgreSQL error, however deeply it is wrapped (Drizzle wraps it). */
export function sqlState(thrown: unknown): string | undefined {
  const cause = rootCause(thrown)
  const { errno } = (cause instanceof Object ? cause : {}) as { errno?: unknown }
  return typeof errno === 'string' && /^[0-9A-Z]{5}$/.test(errno) ? errno : undefined
}

/**
 * Returns true if the connection is gone, so that the work on it is undone or its result unknown.
 */
export function isLost(thrown: unknown): boolean {
  const state = sqlState(thrown)
  if (state !== undefined) return /^(08|57P0[123])/.test(state)
  return LOST.test(codeOf(thrown))
}

/**
 * Returns true if the same transaction can be tried again at once, because it collided with others.
 */
export function isCollision(thrown: unknown): boolean {
  return /^(40001|40P01)$/.test(sqlState(thrown) ?? '')
}

/**
 * Returns true if the server ended a transaction because this process stood still and sent nothing
 * for it.
 */
export function wasAbandoned(thrown: unknown): boolean {
  return sqlState(thrown) === '25P03'
}

/**
 * Returns true if the server that answered cannot take writes: a replica, or one that was set
 * read-only.
 */
export function isReadOnly(thrown: unknown): boolean {
  return sqlState(thrown) === '25006'
}

/**
 * An error of PostgreSQL that is temporary as `unavailable`, and a text that it cannot store as
 * `invalid_input`, each in one sentence; any other error unchanged.
 */
export function postgresFailure(thrown: unknown): unknown {
  if (thrown instanceof Failure) return thrown
  const state = sqlState(thrown)
  if (state === '22021') {
    return new Failure('invalid_input', 'A text has a character that cannot be stored (U+0000).', {
      cause: thrown,
    })
  }
  const cause = rootCause(thrown)
  if (cause instanceof Error && /startup parameter/.test(cause.message)) {
    return needsDirectWay(thrown)
  }
  const sentence = state === undefined ? driverSentence(thrown) : stateSentence(state)
  return sentence === undefined ? thrown : new Failure('unavailable', sentence, { cause: thrown })
}

/** A transaction pooler is in between, which keeps no parameters and passes on no notifications. */
export function needsDirectWay(cause?: unknown): Failure {
  return new Failure(
    'conflict',
    'BECKON_DATABASE_URL leads through a transaction pooler, such as pgbouncer, which passes on no notifications (LISTEN); set BECKON_DATABASE_LISTEN_URL to an address of the same database without it.',
    { cause },
  )
}

/**
 * The connection was lost during the commit, so only reading again can tell whether it succeeded.
 */
export class OutcomeUnknown extends Failure {
  constructor(cause: unknown) {
    super(
      'unavailable',
      'The database went away during the commit, so this may have been recorded or not. Try again; with the same idempotency key nothing is done twice.',
      { cause },
    )
  }
}

/** The database or a connection to it did not come within the deadline. */
class TooLate extends Failure {
  constructor(sentence: string) {
    super('unavailable', sentence)
  }
}

/** Returns true if a deadline passed, here or (of a statement) at the server. */
export function isTooLate(thrown: unknown): boolean {
  return rootCause(thrown) instanceof TooLate || sqlState(thrown) === '57014'
}

/** The server did not answer within the deadline. */
export function tooSlow(ms: number): Failure {
  return new TooLate(
    `The database did not answer within ${ms / 1_000} seconds; nothing was recorded. Try again shortly.`,
  )
}

/** All connections were busy until the deadline. */
export function tooBusy(ms: number): Failure {
  return new TooLate(
    `No connection to the database was free for ${ms / 1_000} seconds; nothing was recorded. Try again shortly.`,
  )
}

// Errors of the driver itself: connections that cannot be opened, broke, or were closed by us.
const LOST = /^ERR_POSTGRES_(CONNECTION|IDLE_TIMEOUT|LIFETIME_TIMEOUT|QUERY_CANCELLED)|^E[A-Z]+$/
/** Errors of TLS: the server's certificate is not trusted. */
export const UNTRUSTED =
  /^(ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_|HOSTNAME_MISMATCH|ERR_SSL)/

const REFUSED_LOGIN = /^ERR_POSTGRES_(AUTHENTICATION|SASL|TLS|SSL|CHANNEL_BINDING|PASSWORD)/

const AWAY = 'The database cannot be reached; nothing was recorded. Try again shortly.'

function driverSentence(thrown: unknown): string | undefined {
  const code = codeOf(thrown)
  if (LOST.test(code)) return AWAY
  if (REFUSED_LOGIN.test(code) || UNTRUSTED.test(code)) {
    return `The database does not let the server in (${code}); nothing was recorded.`
  }
  return undefined
}

/** By class of SQLSTATE; the first match counts. */
const SENTENCES: ReadonlyArray<[RegExp, string]> = [
  [/^08|^57P0[123]/, AWAY],
  [/^57014/, 'The database took too long; nothing was recorded. Try again shortly.'],
  [/^53100/, 'The disk of the database is full; nothing was recorded. Free space, then try again.'],
  [/^53300/, 'The database takes no more connections; nothing was recorded. Try again shortly.'],
  [
    /^(40001|40P01|55P03)/,
    'Others changed the same data at the same time; nothing was recorded. Try again.',
  ],
  [/^25006/, 'The database is read-only at present; nothing was recorded. Try again shortly.'],
  [/^25P02/, 'A step of the same transaction had failed; nothing was recorded. Try again.'],
  [/^25P0[34]/, 'The database ended a transaction that took too long; nothing was recorded.'],
  [/^(28|3D000)/, 'The database does not let the server in; nothing was recorded.'],
  [/^42501/, 'The database does not let the server do this; nothing was recorded.'],
  [
    /^(XX00[12]|58)/,
    'The database of the server is damaged or its disk fails; nothing was recorded.',
  ],
  [/^5[3578]/, 'The database refuses to work at present; nothing was recorded. Try again shortly.'],
]

function stateSentence(state: string): string | undefined {
  return SENTENCES.find(([states]) => states.test(state))?.[1]
}
