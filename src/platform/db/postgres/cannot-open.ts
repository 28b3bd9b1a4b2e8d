import type { DatabaseConfig } from '../../config/config.ts'
import { Failure } from '../../failure.ts'
import { cleanLine, cutText } from '../../text.ts'
import { placeOf } from '../data-place.ts'
import { codeOf, rootCause } from '../storage-failure.ts'
import { postgresFailure, sqlState, UNTRUSTED } from './errors.ts'
import { requireTlsFiles } from './tls-files.ts'

/** An address of PostgreSQL, and where the person wrote it: a variable or an option. */
export type Address = { url: string; setting: string }

/** The address without a pooler in between. */
export function directTo({ url, listenUrl }: Pick<DatabaseConfig, 'url' | 'listenUrl'>): Address {
  if (listenUrl === undefined) return { url, setting: 'BECKON_DATABASE_URL' }
  return { url: listenUrl, setting: 'BECKON_DATABASE_LISTEN_URL' }
}

/**
 * Why a database could not be opened, as a `Failure` in one sentence that names the place but never
 * the account's password; a `conflict` if trying again cannot help. A bug is returned as it is.
 */
export function cannotOpen(thrown: unknown, address: Address): unknown {
  // A transaction pooler or a newer version was found, which already has its own sentence.
  if (thrown instanceof Failure) return thrown
  const failure = postgresFailure(thrown)
  if (failure instanceof Failure && failure.code === 'conflict') return failure
  const cause =
    sentenceOf(thrown, address) ?? (failure instanceof Failure ? undefined : other(thrown, address))
  if (cause === undefined) return failure
  return new Failure(cause.isFinal ? 'conflict' : 'unavailable', cause.sentence, { cause: thrown })
}

/** Resolves to the result of `work`. Throws as `cannotOpen` says. */
export async function opening<T>(address: Address, work: () => Promise<T>): Promise<T> {
  try {
    requireTlsFiles(address)
    return await work()
  } catch (error) {
    throw cannotOpen(error, address)
  }
}

/** Checks that the account may create what the migrations create. */
export function mayMakeNoTables({ url, setting }: Address, why: string): Failure {
  return new Failure(
    'conflict',
    `PostgreSQL at ${placeOf(url)} does not let this user make tables (${why}); the user in ${setting} has to own the database: alter database … owner to ….`,
  )
}

/** For commands that need a database that has been used. */
export function nobodyWasHere({ url, setting }: Address): Failure {
  return new Failure(
    'not_found',
    `There is no Beckon in PostgreSQL at ${placeOf(url)} (the database has none of its tables); correct ${setting}, or start a server there first.`,
  )
}

type OpenFailure = { sentence: string; isFinal?: true }

function sentenceOf(thrown: unknown, address: Address): OpenFailure | undefined {
  const { url, setting } = address
  const at = `PostgreSQL at ${placeOf(url)}`
  const state = sqlState(thrown)
  if (state !== undefined) return ofServer(state, messageOf(thrown), address)
  const code = codeOf(thrown)
  const why = UNREACHED.find(([codes]) => codes.test(code))?.[1]
  if (why !== undefined) return unreached(why, address)
  if (code === 'ERR_POSTGRES_TLS_NOT_AVAILABLE') {
    return { sentence: `${at} offers no TLS, which sslmode in ${setting} asks for.`, isFinal: true }
  }
  if (UNTRUSTED.test(code)) {
    const sentence = `${at} shows a certificate that this machine does not trust (${code}: ${messageOf(thrown)}); name the file of its authority as sslrootcert in ${setting}, and the host as the certificate does.`
    return { sentence, isFinal: true }
  }
  return undefined
}

/** An error without a sentence in this file or in `postgresFailure`; undefined for a bug. */
function other(thrown: unknown, { url, setting }: Address): OpenFailure | undefined {
  const code = sqlState(thrown) ?? codeOf(thrown)
  if (code === '') return undefined
  return {
    sentence: `PostgreSQL at ${placeOf(url)} refuses (${code}: ${messageOf(thrown)}); check ${setting}.`,
    isFinal: true,
  }
}

/** PostgreSQL's own answer; its messages name users and databases, but no passwords. */
function ofServer(state: string, message: string, address: Address): OpenFailure | undefined {
  const { url, setting } = address
  const at = `PostgreSQL at ${placeOf(url)}`
  if (/^(08|57P0)/.test(state)) return unreached(message, address)
  if (state.startsWith('28')) {
    const sentence = `${at} does not let this user in (${message}); check user and password in ${setting}, and pg_hba.conf there.`
    return { sentence, isFinal: true }
  }
  if (state === '3D000') {
    const sentence = `PostgreSQL at ${new URL(url).host} has no such database (${message}); correct ${setting}, or make it with: create database … encoding 'UTF8' template template0.`
    return { sentence, isFinal: true }
  }
  // A user without rights to a schema cannot see it.
  if (state === '42501' || state === '3F000')
    return { sentence: mayMakeNoTables(address, message).message, isFinal: true }
  if (/^42(P0[67]|710)/.test(state)) {
    const sentence = `${at} holds tables of another program (${message}); give Beckon a database of its own.`
    return { sentence, isFinal: true }
  }
  if (state === '53300') {
    const sentence = `${at} takes no more connections (${message}); raise its max_connections, or lower BECKON_DATABASE_POOL of the servers.`
    return { sentence }
  }
  return undefined
}

function unreached(why: string, { url, setting }: Address): OpenFailure {
  return {
    sentence: `PostgreSQL at ${placeOf(url)} cannot be reached (${why}); check that it runs and that ${setting} leads to it.`,
  }
}

/** By error code of the driver, which is the same for a refused connection and an unknown name. */
const UNREACHED: ReadonlyArray<[RegExp, string]> = [
  [/^(ERR_POSTGRES_CONNECTION_REFUSED|ECONNREFUSED)/, 'nothing answers, or the name is unknown'],
  [/^(ERR_POSTGRES_(CONNECTION|IDLE)_TIMEOUT|ETIMEDOUT)/, 'it does not answer in time'],
  [/^(ERR_POSTGRES_(CONNECTION|LIFETIME)|E[A-Z]+$)/, 'the connection ends at once'],
]

function messageOf(thrown: unknown): string {
  const cause = rootCause(thrown)
  return cutText(cleanLine(cause instanceof Error ? cause.message : String(cause)), 200)
}
