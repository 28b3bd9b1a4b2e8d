import type { SetupClient } from '../clients/clients.ts'
import { BrokenFile } from './broken-file.ts'
import { applyUndo, applyWrite, type FileChange, planUndo, planWrite } from './change.ts'
import type { FileWish, Wish } from './client-setup.ts'
import type { Ledger } from './ledger.ts'
import { filesOf } from './sign-in.ts'

/** The plan for one file, or its result. */
export type SetupOutcome = {
  path: string
  is: 'to_do' | 'as_wanted' | 'done' | 'broken' | 'kept'
  change?: FileChange
  /** For a broken file: why it stays as it is. */
  why?: string
}

export type ClientPlan = { client: SetupClient; wish: Wish; outcomes: SetupOutcome[] }

export type Way = 'write' | 'undo'

/** Reads every file of the client and changes none. */
export function planClient(client: SetupClient, wish: Wish, way: Way, ledger: Ledger): ClientPlan {
  const outcomes = filesOf(client, wish).map((file) => planFile(client, file, way, ledger))
  return { client, wish, outcomes }
}

function planFile(client: SetupClient, file: FileWish, way: Way, ledger: Ledger): SetupOutcome {
  const { path } = file
  try {
    const change =
      way === 'write' ? planWrite(client.name, file) : planUndo(client.name, file, ledger)
    return change ? { path, is: 'to_do', change } : { path, is: 'as_wanted' }
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error
    return { path, is: 'broken', why: error.message }
  }
}

/**
 * Changes the files one by one: a file that cannot be changed does not stop the next. Each is
 * planned again from its present content.
 */
export function carryOut({ client, wish }: ClientPlan, way: Way, ledger: Ledger): ClientPlan {
  const outcomes = filesOf(client, wish).map((file) => {
    const planned = planFile(client, file, way, ledger)
    if (!planned.change) {
      if (way === 'write') alsoFor(client, file, ledger)
      return planned
    }
    if (way === 'undo' && needed(client, file, ledger)) {
      return { path: file.path, is: 'kept' as const }
    }
    try {
      if (way === 'write') applyWrite(planned.change, ledger)
      else applyUndo(planned.change, ledger)
      return { ...planned, is: 'done' as const }
    } catch (error) {
      if (!(error instanceof BrokenFile)) throw error
      return { path: file.path, is: 'broken' as const, why: error.message }
    }
  })
  return { client, wish, outcomes }
}

/** Records that this client now uses a file that another one had written, too. */
function alsoFor({ name }: SetupClient, { path }: FileWish, ledger: Ledger): void {
  const entry = ledger[path]
  if (entry && !entry.clients.includes(name)) entry.clients.push(name)
}

/** Whether another client still uses this file; then only this client is removed from its entry. */
function needed({ name }: SetupClient, { path }: FileWish, ledger: Ledger): boolean {
  const entry = ledger[path]
  if (!entry) return false
  entry.clients = entry.clients.filter((one) => one !== name)
  return entry.clients.length > 0
}
