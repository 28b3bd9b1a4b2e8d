import { BrokenFile } from '../client-files/broken-file.ts'
import type { DesiredFile, InstallRequest } from '../client-files/client-setup.ts'
import { isServerStarter, type ServerHere } from '../client-files/jailed-servers.ts'
import { readable } from '../client-files/text-file.ts'
import type { SetupClient } from '../clients/clients.ts'
import { rememberFiles } from './before.ts'
import { applyUndo, applyWrite, type FileChange, planUndo, planWrite } from './change.ts'
import type { Ledger } from './ledger.ts'
import { serversIn } from './server-starter.ts'
import { filesOf } from './sign-in.ts'

/** The plan for one file, or its result. */
export type SetupOutcome = {
  path: string
  is: 'to_do' | 'as_wanted' | 'done' | 'broken' | 'kept'
  change?: FileChange
  /** For a broken file: why it stays as it is. */
  why?: string
}

export type ClientPlan = {
  client: SetupClient
  request: InstallRequest
  outcomes: SetupOutcome[]
  /** The other MCP servers of the client, as they will be started. */
  servers: readonly ServerHere[]
}

export type Way = 'write' | 'undo'

/**
 * Reads every file of the client and changes none. A client is set up as a whole: if one of its
 * files cannot be written, none is.
 */
export function planClient(
  client: SetupClient,
  request: InstallRequest,
  way: Way,
  ledger: Ledger,
): ClientPlan {
  const files = filesOf(client, request)
  const outcomes = files.map((file) => planFile(client, file, way, ledger))
  const servers = way === 'undo' ? [] : serversAfter(serversIn(files), request)
  const isWhole = way === 'undo' || !outcomes.some(({ is }) => is === 'broken')
  return { client, request, servers, outcomes: isWhole ? outcomes : outcomes.map(leaveAlone) }
}

function serversAfter(now: readonly ServerHere[], { jailServers }: InstallRequest): ServerHere[] {
  return now.map(({ name, is }) => {
    if (is === 'outside' && jailServers?.add.includes(name)) return { name, is: 'in_the_jail' }
    if (is === 'in_the_jail' && jailServers?.drop.includes(name)) return { name, is: 'outside' }
    return { name, is }
  })
}

function leaveAlone({ path, is, why }: SetupOutcome): SetupOutcome {
  if (is === 'broken' || is === 'as_wanted') return { path, is, ...(why ? { why } : {}) }
  return { path, is: 'broken', why: 'another file of this client cannot be written' }
}

function planFile(client: SetupClient, file: DesiredFile, way: Way, ledger: Ledger): SetupOutcome {
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
 * Changes the files, planned again from their present content. Undo goes on after a file that cannot
 * be changed; a set-up that fails puts back every file of the client.
 */
export function carryOut(plan: ClientPlan, way: Way, ledger: Ledger): ClientPlan {
  const { client, request } = plan
  if (way === 'undo') return { ...plan, outcomes: undoFiles(client, request, ledger) }
  const { outcomes: planned } = planClient(client, request, way, ledger)
  if (planned.some(({ is }) => is === 'broken')) return { ...plan, outcomes: planned }
  const before = rememberFiles(planned.map(({ path }) => path))
  const earlier = structuredClone(ledger)
  const outcomes = planned.map((one) => writeFile(client, one, ledger))
  if (!outcomes.some(({ is }) => is === 'broken')) return { ...plan, outcomes }
  before.restore()
  for (const path of planned.map(({ path }) => path)) {
    const entry = earlier[path]
    if (entry) ledger[path] = entry
    else delete ledger[path]
  }
  return { ...plan, outcomes: outcomes.map(leaveAlone) }
}

function writeFile(client: SetupClient, planned: SetupOutcome, ledger: Ledger): SetupOutcome {
  if (!planned.change) {
    alsoFor(client, planned, ledger)
    return planned
  }
  const { change } = planned
  return changed(planned, () => applyWrite(change, ledger))
}

/** Removes the file that starts servers of a client in the jail, once it starts none. */
export function dropStarter(
  client: SetupClient,
  files: readonly DesiredFile[],
  ledger: Ledger,
): void {
  const starter = files.find(({ path, kind }) => kind === 'own' && isServerStarter(path))
  if (!starter || serversIn(files).some(({ is }) => is === 'in_the_jail')) return
  const change = planUndo(client.name, starter, ledger)
  if (change) applyUndo(change, ledger)
}

function undoFiles(client: SetupClient, request: InstallRequest, ledger: Ledger): SetupOutcome[] {
  const files = filesOf(client, request)
  return files.map((file) => {
    const planned = planFile(client, file, 'undo', ledger)
    const { change, path } = planned
    if (!change) return planned
    if (isServerStarter(path) && serversIn(files).some(({ is }) => is === 'in_the_jail'))
      return { path, is: 'broken', why: 'MCP servers are still started by it' }
    if (needed(client, file, ledger)) return { path, is: 'kept' }
    return changed(planned, () => applyUndo(change, ledger))
  })
}

function changed(planned: SetupOutcome, apply: () => void): SetupOutcome {
  try {
    apply()
    return { ...planned, is: 'done' }
  } catch (error) {
    const why = readable(error)
    if (!(why instanceof BrokenFile)) throw error
    return { path: planned.path, is: 'broken', why: why.message }
  }
}

/** Records that this client now uses a file that another one had written, too. */
function alsoFor({ name }: SetupClient, { path }: { path: string }, ledger: Ledger): void {
  const entry = ledger[path]
  if (entry && !entry.clients.includes(name)) entry.clients.push(name)
}

/**
 * Returns true if another client still uses this file; then only this client is removed from its
 * entry.
 */
function needed({ name }: SetupClient, { path }: DesiredFile, ledger: Ledger): boolean {
  const entry = ledger[path]
  if (!entry) return false
  entry.clients = entry.clients.filter((one) => one !== name)
  return entry.clients.length > 0
}
