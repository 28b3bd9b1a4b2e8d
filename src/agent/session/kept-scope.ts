import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CallMatch } from '../../ask/wire/call-match.ts'
import { hmac } from '../../platform/signing/hmac.ts'
import { fileName, keepFile, machineKey, readStateFile, renewKey } from '../state/state-files.ts'
import type { SessionPlace } from './context.ts'
import type { HookContract } from './server.ts'

const VERSION = 1
// A boundary holds this long, and so does a marker without a date.
const SCOPE_MS = 12 * 60 * 60_000

/** The hook's copy of the boundary of a session, for use without asking the server. */
export type KeptScope = {
  serverUrl: string
  etag: string
  /** When the server said so, in milliseconds since the epoch. */
  checkedAt: number
  contract: HookContract | null
  /** The folders of the session as they were when it began. */
  roots: string[]
  /** Exact paths that a person has allowed since. */
  widened: string[]
  /** The calls that rules of the workspace decide, whether or not the client asks. */
  ruleMatches?: readonly CallMatch[]
}

type StoredScope = KeptScope & { version: number; sessionId?: string }

export type FoundScope =
  | { is: 'none' }
  | { is: 'kept'; kept: KeptScope }
  /** A boundary is in force, but its content cannot be read or trusted. */
  | { is: 'doubtful'; why: string }

/** Never throws. An expired scope counts as no scope. */
export function findScope(place: SessionPlace, now: number): FoundScope {
  const { path, marker } = filesOf(place)
  try {
    const text = readStateFile(path)
    if (text !== undefined) {
      const scope = opened(text, place)
      return { is: 'kept', kept: inForce(scope, now) ? scope : { ...scope, contract: null } }
    }
    return isActive(marker, now) ? { is: 'doubtful', why: 'it is missing' } : { is: 'none' }
  } catch (error) {
    if (!isActive(marker, now)) return { is: 'none' }
    return { is: 'doubtful', why: error instanceof Doubt ? error.message : 'it cannot be read' }
  }
}

export function keepScope(place: SessionPlace, scope: KeptScope): void {
  const { path, marker } = filesOf(place)
  const body = JSON.stringify({ version: VERSION, sessionId: place.sessionId, ...scope })
  const file = `${signed(body, place)}\n${body}`
  // In this order, a process that dies in between leaves a doubt rather than an unnoticed boundary.
  if (scope.contract) keepFile(marker, String(untilOf(scope.contract, scope.checkedAt)))
  keepFile(path, file)
  if (!scope.contract) rmSync(marker, { force: true })
}

export function forgetScope(place: SessionPlace): void {
  const { path, marker } = filesOf(place)
  rmSync(marker, { force: true })
  rmSync(path, { force: true })
}

/**
 * Returns true if any session has a boundary; with `client`, any session of that client. It is for
 * input that does not name its session.
 */
export function anyScope(state: string, client: string | undefined, now: number): boolean {
  try {
    const folder = join(state, 'scope')
    return readdirSync(folder).some(
      (name) =>
        name.startsWith(client === undefined ? '' : `${client}-`) &&
        name.endsWith('.active') &&
        isActive(join(folder, name), now),
    )
  } catch {
    return false
  }
}

/** Undefined `sessionId`: the file that would say it cannot be read. */
export type NamedScope = { sessionId: string | undefined; scope: FoundScope }

/**
 * Returns the stored scope of each session of the client. Throws if the folder exists but cannot be
 * read.
 */
export function scopesIn(state: string, client: string, now: number): NamedScope[] {
  const folder = join(state, 'scope')
  const ours = namesIn(folder).filter((name) => name.startsWith(`${client}-`))
  const names = new Set(ours.flatMap((name) => /^(.*)\.(?:json|active)$/.exec(name)?.[1] ?? []))
  return [...names].map((name) => {
    const sessionId = sessionIn(join(folder, `${name}.json`))
    if (sessionId !== undefined && fileName(client, sessionId) === name)
      return { sessionId, scope: findScope({ state, client, sessionId }, now) }
    const isHeld = isActive(join(folder, `${name}.active`), now)
    const scope: FoundScope = isHeld
      ? { is: 'doubtful', why: 'its session is not known' }
      : NO_SCOPE
    return { sessionId: undefined, scope }
  })
}

const NO_SCOPE: FoundScope = { is: 'none' }

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

function sessionIn(path: string): string | undefined {
  try {
    const text = readStateFile(path) ?? ''
    const { sessionId } = JSON.parse(text.slice(text.indexOf('\n') + 1))
    return typeof sessionId === 'string' ? sessionId : undefined
  } catch {
    return undefined
  }
}

class Doubt extends Error {}

function opened(text: string, place: SessionPlace): KeptScope {
  const end = text.indexOf('\n')
  const body = text.slice(end + 1)
  // This need not run in constant time: whoever can read the file can read the key.
  if (text.slice(0, end) !== signature(body, place))
    throw new Doubt('it was changed by someone else')
  const { version, sessionId: _, ...scope } = JSON.parse(body) as StoredScope
  if (version !== VERSION) throw new Doubt('another version of beckon wrote it')
  return scope
}

/** Replies of the server can be signed again even if the key was lost. */
function signed(body: string, place: SessionPlace): string {
  try {
    return signature(body, place)
  } catch {
    renewKey(place.state)
    return signature(body, place)
  }
}

/** Bound to the session, so that the file of one session cannot be used for another. */
function signature(body: string, { state, client, sessionId }: SessionPlace): string {
  return hmac(machineKey(state), `${client}\0${sessionId}\0${body}`, 'hex')
}

function inForce({ contract, checkedAt }: KeptScope, now: number): boolean {
  return contract === null || now < untilOf(contract, checkedAt)
}

function untilOf({ expiresAt }: HookContract, checkedAt: number): number {
  const until = Date.parse(expiresAt)
  return Number.isFinite(until) ? until : checkedAt + SCOPE_MS
}

function isActive(marker: string, now: number): boolean {
  try {
    const text = readStateFile(marker)
    if (text === undefined) return false
    const until = Number(text)
    return Number.isFinite(until) && text !== '' ? now < until : true
  } catch {
    return true
  }
}

function filesOf({ state, client, sessionId }: SessionPlace) {
  const path = join(state, 'scope', fileName(client, sessionId))
  return { path: `${path}.json`, marker: `${path}.active` }
}
