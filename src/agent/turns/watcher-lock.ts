import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { findProcess } from '../processes.ts'
import type { HookContext } from '../session/context.ts'
import { spawnHook } from '../session/refresh.ts'
import { keepFile, readStateFile } from '../state/state-files.ts'
import { type ClientProcess, isRunning } from '../terminal.ts'

/** The option of the process that reports the turns of all sessions of this machine. */
export const WATCHES_TURNS = 'turns'

/** Starts the process that reports turns, unless it runs. */
export function wakeWatcher({ state, call }: Pick<HookContext, 'state' | 'call'>): void {
  const watcher = readLock(state)
  if (watcher && isRunning(watcher)) return
  spawnHook([`--${WATCHES_TURNS}`], call)
}

/** Takes the lock for this process; false if another one has it. */
export function takeLock(state: string): boolean {
  const watcher = readLock(state)
  if (watcher && watcher.pid !== process.pid && isRunning(watcher)) return false
  const startedAt = findProcess(process.pid)?.startedAt ?? ''
  keepFile(lockPath(state), JSON.stringify({ pid: process.pid, startedAt }))
  return true
}

/** Whether this process still has the lock: of two that take it at once, the later one. */
export function hasLock(state: string): boolean {
  return readLock(state)?.pid === process.pid
}

/** Lets another process watch from now on. */
export function dropLock(state: string): void {
  if (hasLock(state)) rmSync(lockPath(state), { force: true })
}

function readLock(state: string): ClientProcess | undefined {
  try {
    return JSON.parse(readStateFile(lockPath(state)) ?? '')
  } catch {
    return undefined
  }
}

function lockPath(state: string): string {
  return join(state, 'turns', 'watcher')
}
