import { dirname } from 'node:path'
import { clientFilePath, stateFolder } from '../../platform/config/client-file.ts'
import type { Environment } from '../../platform/config/env.ts'
import { findScope } from '../hook/kept-scope.ts'
import { rootsOf } from '../hook/paths/repository.ts'
import { doubtful } from '../hook/reasons.ts'
import { ENDS, NotStarted, type Wish } from './jail.ts'
import { existsByItself } from './placeholder-records.ts'
import { placeholdersIn } from './placeholders.ts'
import { scopePaths } from './scope-paths.ts'

/** The variable that holds the session's id in the commands of a client. */
const SESSION_IN: Readonly<Record<string, string>> = { claude: 'CLAUDE_CODE_SESSION_ID' }

/** The clients whose shell commands can be started in the scope of their session. */
export const JAILED_CLIENTS = Object.keys(SESSION_IN)

/**
 * What the scope of the session that this command belongs to allows now; undefined if there is
 * none. Throws `NotStarted` if the stored scope cannot be used.
 */
export function sessionWish(
  client: string,
  {
    words,
    cwd,
    env,
    withoutNamespaces,
  }: { words: readonly string[]; cwd: string; env: Environment; withoutNamespaces: boolean },
): Wish | undefined {
  const sessionId = env[SESSION_IN[client] ?? '']
  if (!sessionId) return undefined
  const state = stateFolder(env)
  const place = { state, client, sessionId }
  const found = findScope(place, Date.now())
  if (found.is === 'doubtful') throw new NotStarted(ENDS.notContained, doubtful(place, found.why))
  if (found.is === 'none' || !found.kept.contract) return undefined
  const { contract, widened, roots } = found.kept
  const own = { folders: [state, dirname(clientFilePath(env))], files: [process.execPath] }
  const scope = {
    ...contract,
    widened: [...contract.widened, ...widened],
    roots: [...new Set([...roots, ...roots.flatMap((root) => rootsOf(root, cwd))])],
    cwd,
  }
  const always = { withoutState: false, bestEffort: true }
  const paths = scopePaths(scope, own, words.join(' '))
  const around = { scope, write: paths.write, env, exists: existsByItself(state) }
  const placeholders = scope.roots.flatMap((root) => placeholdersIn(root, around))
  return { ...paths, placeholders, ...always, withoutNamespaces }
}
