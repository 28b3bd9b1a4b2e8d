import type { Read } from '../../platform/db/database.ts'
import { VERSION } from '../../platform/program.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { type Check, passedCheck, skippedCheck, warnedCheck } from '../check.ts'
import { isEnforced } from '../policy/model/rule.ts'
import { listRules } from '../policy/model/store.ts'
import { type Hook, isHere } from '../scopes/model/hook.ts'
import { findHooks, listHooks } from '../scopes/model/hook-store.ts'
import { findInForce, listUnexpired } from '../scopes/model/store.ts'

const NAME = 'Hooks'
const DAY_MS = 24 * 3600 * 1000
const HOOKS_MAX = 500
const CONTRACTS_MAX = 100
const CLIENTS_MAX = 8
const CURE = 'Run beckon setup on the machine of the agent.'
const UPDATE = 'Run beckon update on the machines of these agents.'

/** Checks that hooks report, and that each session with a scope has one. */
export function hookCheck(...of: Parameters<typeof checkHooks>): Promise<Check> {
  // Data of an earlier version has no tables for hooks until the server is started.
  return checkHooks(...of).catch(() =>
    skippedCheck('people', NAME, 'The database could not be asked.'),
  )
}

async function checkHooks(
  read: Read,
  workspaces: readonly WorkspaceId[],
  now: number,
): Promise<Check> {
  const lookups = workspaces.map((id) => listHooks(read, id, now - DAY_MS, HOOKS_MAX))
  const hooks = (await Promise.all(lookups)).flat()
  const alone = await Promise.all(workspaces.map((id) => countUnwatched(read, id, now)))
  const unwatched = alone.reduce((sum, count) => sum + count, 0)
  const summary =
    hooks.length > 0
      ? `In the last 24 hours: ${sayClients(hooks)}.`
      : 'None has reported in the last 24 hours.'
  if (unwatched > 0) {
    const sessions = unwatched === 1 ? 'One session has' : `${unwatched} sessions have`
    return warnedCheck('people', NAME, `${summary} ${sessions} a scope that no hook checks.`, CURE)
  }
  const older = hooks.filter(({ hookVersion }) => isOlder(hookVersion))
  if (older.length > 0 && (await anyRuleHolds(read, older))) {
    const words = `Some hooks are older than this server (${VERSION}): rules that decline, or say who has to agree, may not hold there for calls without a prompt.`
    return warnedCheck('people', NAME, `${summary} ${words}`, UPDATE)
  }
  return hooks.length > 0
    ? passedCheck('people', NAME, summary)
    : skippedCheck('people', NAME, summary)
}

function isOlder(version: string | undefined): boolean {
  try {
    return version !== undefined && Bun.semver.order(version, VERSION) < 0
  } catch {
    // A word in its place says nothing about its age.
    return false
  }
}

/** Rules are there that hooks have to know, where these report. */
async function anyRuleHolds(read: Read, hooks: readonly Hook[]): Promise<boolean> {
  const workspaces = [...new Set(hooks.map(({ workspaceId }) => workspaceId))]
  const rules = await Promise.all(workspaces.map((id) => listRules(read, id)))
  return rules
    .flat()
    .some((rule) => isEnforced(rule) && (rule.approve !== undefined || rule.decision === 'deny'))
}

/** Sessions with a scope in force that no hook reports. */
async function countUnwatched(read: Read, workspaceId: WorkspaceId, now: number) {
  const contracts = await listUnexpired(read, workspaceId, now, CONTRACTS_MAX)
  const sessions = [...new Set(contracts.map(({ sessionId }) => sessionId))]
  const unwatched = sessions.map(async (sessionId) => {
    const hooks = await findHooks(read, workspaceId, sessionId)
    const scope = await findInForce(read, { workspaceId, sessionId, test: false }, now)
    return scope !== undefined && !hooks.some((hook) => isHere(hook, now))
  })
  return (await Promise.all(unwatched)).filter(Boolean).length
}

/** `claude 2.1.300 (hook 0.5.0, 3 sessions), codex 0.50 (hook 0.5.0)` */
function sayClients(hooks: Hook[]): string {
  const byClient = Map.groupBy(hooks, ({ client, clientVersion, hookVersion }) => {
    const clientText = clean([client, clientVersion].filter(Boolean).join(' '))
    return hookVersion ? `${clientText} (hook ${clean(hookVersion)}` : `${clientText} (`
  })
  const descriptions = [...byClient].map(([start, of]) => {
    const sessions = of.length === 1 ? 'one session' : `${of.length} sessions`
    return start.endsWith('(') ? `${start}${sessions})` : `${start}, ${sessions})`
  })
  const more = descriptions.length - CLIENTS_MAX
  return [...descriptions.slice(0, CLIENTS_MAX), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

function clean(text: string): string {
  return cutText(cleanLine(text), 60)
}
