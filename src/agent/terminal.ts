import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { ancestorsOf, type FindProcess, findProcess } from './processes.ts'

/** The client that runs a hook: its process, and the device of its terminal if it has one. */
export type ClientProcess = { pid: number; startedAt: string; terminal?: string }

// The kernel rounds the times of terminals to 8 seconds.
const GRAIN_MS = 8_000
/** A terminal that is idle for less has just been typed at. */
export const TYPED_MS = 2 * GRAIN_MS

/** How long nobody has typed at a terminal, or why that is not known. */
export type Idle = { is: 'known'; ms: number } | { is: 'unknown'; why: string }

// They stand between a client and its hook.
const BETWEEN = new Set(['sh', 'bash', 'dash', 'zsh', 'env', 'busybox', 'timeout'])

/**
 * Finds the process of the client that runs a hook: the nearest ancestor that is not a shell. A hook
 * has no terminal of its own, so the terminal is that of the nearest ancestor that has one. Undefined
 * where the system does not list processes. Never throws.
 */
export function findClientProcess(
  parent: number,
  find: FindProcess = findProcess,
): ClientProcess | undefined {
  const above = [...ancestorsOf(parent, find)]
  const client = above.find(({ words }) => !BETWEEN.has(programOf(words))) ?? above[0]
  if (!client) return undefined
  const terminal = above.find((one) => one.terminal !== undefined)?.terminal
  const { pid, startedAt } = client
  return { pid, startedAt, ...(terminal === undefined ? {} : { terminal }) }
}

/** A login shell has a minus before its name. */
function programOf([program = '']: string[]): string {
  return basename(program).replace(/^-/, '')
}

/** Whether the process still runs. A process whose id another one has now does not. */
export function isRunning(
  { pid, startedAt }: ClientProcess,
  find: FindProcess = findProcess,
): boolean {
  return find(pid)?.startedAt === startedAt
}

/**
 * How long ago the client last read from its terminal, which it does for each key and for nothing
 * else. The kernel rounds the time to 8 seconds. `tmux send-keys` counts as typing. Never throws.
 */
export function idleOf(terminal: string | undefined, now: number): Idle {
  if (terminal === undefined) return { is: 'unknown', why: 'the client has no terminal' }
  const readAt = readAtOf(terminal)
  if (readAt === undefined) return { is: 'unknown', why: 'the terminal cannot be read' }
  return { is: 'known', ms: Math.max(0, now - readAt) }
}

/**
 * When the terminal was last read, in milliseconds since the epoch; undefined if it cannot be
 * determined.
 */
export function readAtOf(terminal: string): number | undefined {
  try {
    return statSync(terminal, { throwIfNoEntry: false })?.atimeMs
  } catch {
    return undefined
  }
}
