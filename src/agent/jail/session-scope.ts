import { dirname } from 'node:path'
import { clientFilePath, stateFolder } from '../../platform/config/client-file.ts'
import type { Environment } from '../../platform/config/env.ts'
import { rootsOf } from '../paths/repository.ts'
import type { SessionPlace } from '../session/context.ts'
import { findScope, type KeptScope } from '../session/kept-scope.ts'
import { doubtful } from '../session/reasons.ts'
import { isAt } from './areas.ts'
import { placeholdersInGit, protectedGitPaths } from './git-folders.ts'
import { ENDS, NotStarted, type RequestedScope } from './jail.ts'
import { existsByItself } from './placeholder-records.ts'
import { placeholdersIn } from './placeholders.ts'
import { type ScopeHere, scopePaths } from './scope-paths.ts'

/** The variable that holds the session's id in the commands of a client. */
const SESSION_IN: Readonly<Record<string, string>> = { claude: 'CLAUDE_CODE_SESSION_ID' }

/** The clients whose shell commands can be started in the scope of their session. */
export const JAILED_CLIENTS = ['claude', 'codex', 'opencode', 'gemini', 'droid', 'cline', 'copilot']

/** The id of the session that a command of this client belongs to, if its environment has it. */
export function sessionIn(client: string, env: Environment): string | undefined {
  return env[SESSION_IN[client] ?? ''] || undefined
}

type Session = { client: string; sessionId: string }
type Around = {
  words: readonly string[]
  cwd: string
  env: Environment
  withoutNamespaces: boolean
}

type SessionScope = RequestedScope & { isWhole: boolean }

/**
 * Returns the union of the scopes of the sessions that a command belongs to; undefined if there is
 * none. `isWhole`: all that they forbid was found. Throws `NotStarted` if a stored scope cannot be
 * used.
 */
export function sessionScope(
  sessions: readonly Session[],
  around: Around,
): SessionScope | undefined {
  const requests = sessions.flatMap((session) => requestOf(session, around) ?? [])
  return requests.reduce<SessionScope | undefined>(
    (one, other) => (one ? both(one, other) : other),
    undefined,
  )
}

function requestOf(
  session: Session,
  { words, cwd, env, withoutNamespaces }: Around,
): SessionScope | undefined {
  const state = stateFolder(env)
  const place = { state, ...session }
  const scopeState = findScope(place, Date.now())
  if (scopeState.is === 'doubtful')
    throw new NotStarted(ENDS.notContained, doubtful(place, scopeState.why))
  if (scopeState.is === 'none') return undefined
  const scope = scopeHere(scopeState.kept, cwd)
  if (!scope) return undefined
  const own = ownPaths(state, env)
  const always = { withoutState: false, bestEffort: true }
  const { write, deny, isWhole, ...paths } = scopePaths(scope, own, words.join(' '))
  const keep = [...paths.keep, ...paths.repositories.flatMap(protectedGitPaths)]
  const exists = existsByItself(state)
  const around = { scope, write, env, exists }
  const placeholders = [
    ...scope.roots.flatMap((root) => placeholdersIn(root, around)),
    ...paths.repositories.flatMap((folder) => placeholdersInGit(folder, exists)),
  ]
  return { write, keep, deny, placeholders, ...always, withoutNamespaces, isWhole }
}

/** Only what both allow may be changed, and what one forbids is forbidden. */
function both(one: SessionScope, other: SessionScope): SessionScope {
  const inside = (paths: readonly string[], areas: readonly string[]) =>
    paths.filter((path) => areas.some((area) => isAt(path, area)))
  const write = [...inside(one.write, other.write), ...inside(other.write, one.write)]
  return {
    ...one,
    write: [...new Set(write)],
    keep: [...one.keep, ...other.keep],
    deny: [...one.deny, ...other.deny],
    placeholders: [...(one.placeholders ?? []), ...(other.placeholders ?? [])],
    isWhole: one.isWhole && other.isWhole,
  }
}

/**
 * Returns true if a jail denies everything in the project that the scope of a session may forbid;
 * false for a very large project.
 */
export function coversAll(place: SessionPlace, cwd: string, env: Environment): boolean {
  const state = findScope(place, Date.now())
  const scope = state.is === 'kept' ? scopeHere(state.kept, cwd) : undefined
  return !scope || scopePaths(scope, ownPaths(place.state, env), '').isWhole
}

function scopeHere({ contract, widened, roots }: KeptScope, cwd: string): ScopeHere | undefined {
  if (!contract) return undefined
  return {
    ...contract,
    widened: [...contract.widened, ...widened],
    roots: [...new Set([...roots, ...roots.flatMap((root) => rootsOf(root, cwd))])],
    cwd,
  }
}

function ownPaths(state: string, env: Environment) {
  return { folders: [state, dirname(clientFilePath(env))], files: [process.execPath] }
}
