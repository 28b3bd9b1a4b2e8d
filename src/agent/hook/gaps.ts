import { readdirSync, readFileSync } from 'node:fs'
import { judgeOf } from '../../ask/wire/matcher/judge.ts'
import { type Environment, wholeEnvironment } from '../../platform/config/env.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { workTreeOf } from '../paths/repository.ts'
import type { HookContext } from '../session/context.ts'
import { refreshScope } from '../session/refresh.ts'
import { namesInHistory } from './git-objects.ts'
import { startsInScope } from './how-contained.ts'

// The agent waits for this once, before its proposal is sent.
const LOOK_MS = 700
const REPORT_MS = 500
const NAMED_MAX = 5
const NAME_MAX = 50

/**
 * Before a scope is proposed: tells the server what it will not keep from the agent, for the page
 * of the proposal. Never throws.
 */
export async function reportGaps(context: HookContext): Promise<void> {
  try {
    const { offLimitsPaths } = (context.call.toolInput ?? {}) as { offLimitsPaths?: unknown }
    const rules = Array.isArray(offLimitsPaths)
      ? offLimitsPaths.filter((rule) => typeof rule === 'string')
      : []
    const results = [await inHistory(context, rules), runningAlready(context, wholeEnvironment())]
    const gaps = results.filter((gap) => gap !== undefined)
    await refreshScope(context, { event: 'heartbeat', gaps, ms: REPORT_MS })
  } catch {
    // The proposal says nothing of it then.
  }
}

/** Commands read files of any commit from git's objects, which have no names. */
async function inHistory(
  { call }: HookContext,
  offLimitsPaths: readonly string[],
): Promise<string | undefined> {
  const tree = workTreeOf(call.roots[0] ?? call.cwd)
  if (!tree || offLimitsPaths.length === 0) return undefined
  const limit = { until: performance.now() + LOOK_MS, signal: AbortSignal.timeout(LOOK_MS) }
  const names = await namesInHistory(tree, offLimitsPaths, limit)
  const roots = [tree.top]
  const judge = judgeOf({ allowedPaths: [], offLimitsPaths, widened: [] }, { roots })
  if (names === undefined)
    return 'It is not known whether off-limits files are in the history of git, from which commands can read them.'
  const count = names.filter((name) => judge([name], 'read').is === 'off_limits').length
  if (count === 0) return undefined
  const files = count === 1 ? '1 off-limits file is' : `${count} off-limits files are`
  return `${files} in the history of git, from which commands can read them (git show).`
}

/** Reports that no scope holds what an agent started before. */
function runningAlready(context: HookContext, env: Environment): string | undefined {
  if (process.platform !== 'linux') return undefined
  const { sessionId } = context.call
  const all = processes()
  const own: number[] = []
  for (let pid = process.pid; pid > 1; pid = all.get(pid)?.parent ?? 0) own.push(pid)
  const client = startsInScope(context) ? clientAmong(own, all, env) : undefined
  const isBelow = (pid: number) => {
    for (let at = all.get(pid)?.parent ?? 0; at > 1; at = all.get(at)?.parent ?? 0)
      if (at === client) return true
    return false
  }
  const isOf = (pid: number) =>
    isBelow(pid) || (sessionId !== undefined && hasSession(pid, sessionId))
  const others = [...all].filter(
    ([pid, { words, parent }]) =>
      !own.includes(pid) && parent !== process.pid && !isOurs(words) && isOf(pid),
  )
  if (others.length === 0) return undefined
  const names = others
    .slice(0, NAMED_MAX)
    .map(([pid, { words }]) => `${cutText(cleanLine(nameOf(words)), NAME_MAX)} (${pid})`)
  const more = others.length > NAMED_MAX ? ` and ${others.length - NAMED_MAX} more` : ''
  return `Already running, and not held by the scope: ${names.join(', ')}${more}.`
}

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ash', 'env', 'timeout'])

/** The client above this hook, which a shell may have started. Claude Code says which it is. */
function clientAmong(
  own: readonly number[],
  all: ReadonlyMap<number, { words: string }>,
  env: Environment,
): number | undefined {
  const claudePid = Number(env.CLAUDE_PID ?? 0)
  if (claudePid > 1) return claudePid
  return own
    .slice(1)
    .find((pid) => !SHELLS.has(nameOf(all.get(pid)?.words ?? '').split(' ')[0] ?? ''))
}

/** The program and its first argument; later ones may hold secrets. */
function nameOf(words: string): string {
  const [program = '', first = ''] = words.split(' ')
  return `${program.slice(program.lastIndexOf('/') + 1)} ${first}`.trim()
}

/** Hooks of the same event, and the bridge to the server. */
function isOurs(words: string): boolean {
  return words === '' || /(^|[\s/])(beckon|main\.ts)\s(hook|mcp)\b/.test(words)
}

/** Clients name the session in a variable of what they start. */
function hasSession(pid: number, session: string): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/environ`, 'latin1')
    return text.split('\0').some((variable) => variable.endsWith(`=${session}`))
  } catch {
    return false
  }
}

function processes(): Map<number, { parent: number; words: string }> {
  const all = new Map<number, { parent: number; words: string }>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      all.set(Number(name), { parent, words })
    } catch {
      // It has ended.
    }
  }
  return all
}
