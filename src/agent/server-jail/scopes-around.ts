import { readlinkSync, realpathSync } from 'node:fs'
import type { Environment } from '../../platform/config/env.ts'
import { isAt } from '../jail/areas.ts'
import { sessionIn } from '../jail/session-scope.ts'
import { type NamedScope, scopesIn } from '../session/kept-scope.ts'

/** A server of a client, and the folders that show which sessions may use it. */
export type ServerPlace = {
  state: string
  client: string
  sessionId: string | undefined
  folders: readonly string[]
}

/** The scopes that hold for a server now. */
export type ScopesAround = {
  sessionIds: readonly string[]
  /** The agreed scopes, one text each; paths allowed since then are `widened`. */
  agreed: ReadonlySet<string>
  widened: string
  /** Why the server must not run, in a sentence: a scope holds that cannot be read. */
  doubt?: string
}

/**
 * Where this process, a server of the client, was started: its own folder, that of the client, and the one that
 * the client names.
 */
export function serverPlace(client: string, state: string, env: Environment): ServerPlace {
  const paths = [process.cwd(), folderOf(process.ppid), env.CLAUDE_PROJECT_DIR]
  const folders = paths.flatMap((path) => (path ? [real(path)] : []))
  return { state, client, sessionId: sessionIn(client, env), folders: [...new Set(folders)] }
}

/**
 * The scopes in force of the client whose sessions may use the server: its own session, and each whose folder is
 * one of the server's, or above or below it. Clients keep a server when a session ends and another begins.
 */
export function scopesAround(place: ServerPlace, now: number): ScopesAround {
  const scopes = scopesIn(place.state, place.client, now).filter((one) => isAround(one, place))
  const doubt = scopes.find(({ scope }) => scope.is === 'doubtful')
  if (doubt?.scope.is === 'doubtful') {
    return { ...NO_SCOPE, doubt: doubtful(doubt.scope.why) }
  }
  const inForce = scopes
    .flatMap(({ scope, sessionId }) =>
      scope.is === 'kept' && scope.kept.contract && sessionId !== undefined
        ? [{ sessionId, kept: scope.kept, contract: scope.kept.contract }]
        : [],
    )
    .sort((one, other) => (one.sessionId < other.sessionId ? -1 : 1))
  return {
    sessionIds: inForce.map(({ sessionId }) => sessionId),
    agreed: new Set(
      inForce.map(({ sessionId, contract, kept: scope }) => {
        const { correlationId, allowedPaths, offLimitsPaths } = contract
        return JSON.stringify([sessionId, correlationId, allowedPaths, offLimitsPaths, scope.roots])
      }),
    ),
    widened: JSON.stringify(
      inForce.map(({ contract, kept: scope }) => [contract.widened, scope.widened]),
    ),
  }
}

function doubtful(why: string): string {
  return `Beckon: a person agreed to a scope on this machine that cannot be read (${why}), so this server does not run. It runs again after the next tool call of that session, or when the scope ends.`
}

const NO_SCOPE: ScopesAround = { sessionIds: [], agreed: new Set(), widened: '[]' }

/** Returns true if `now` forbids something that `before` did not. */
export function isTighter(before: ScopesAround, now: ScopesAround): boolean {
  if (now.doubt !== undefined) return before.doubt === undefined
  return [...now.agreed].some((one) => !before.agreed.has(one))
}

export function isSame(one: ScopesAround, other: ScopesAround): boolean {
  return (
    one.doubt === other.doubt &&
    one.widened === other.widened &&
    one.agreed.size === other.agreed.size &&
    !isTighter(one, other)
  )
}

/** A scope that cannot be read may be about any folder. */
function isAround({ sessionId, scope }: NamedScope, place: ServerPlace): boolean {
  if (scope.is === 'none') return false
  if (scope.is === 'doubtful' || sessionId === place.sessionId) return true
  return scope.kept.roots
    .map(real)
    .some((root) => place.folders.some((folder) => isAt(root, folder) || isAt(folder, root)))
}

function folderOf(process: number): string | undefined {
  try {
    return readlinkSync(`/proc/${process}/cwd`)
  } catch {
    return undefined
  }
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
