import { readdirSync, rmSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { HookCall } from '../calls/tool-call.ts'
import type { HookContext, SessionPlace } from '../session/context.ts'
import { callApi } from '../session/server.ts'
import { fileName, keepFile, readStateFile } from '../state/state-files.ts'
import { callDigest } from './spool.ts'

// A command that runs longer has no outcome.
const KEPT_MS = 24 * 60 * 60_000
const REPORT_MS = 1_500

// For other clients it is not known, or not certain, whether failed commands are reported as
// failed.
const TELLS_FAILURES: ReadonlySet<string> = new Set(['claude'])

/** The permits that were used for calls which have not ended. */
function permitsFolder(state: string): string {
  return join(state, 'permits')
}

/**
 * Remembers the permit of a call that may now run, until the client reports that it has run. Never
 * throws.
 */
export function keepPermit(place: SessionPlace, call: HookCall, permitId: string): void {
  if (!TELLS_FAILURES.has(place.client)) return
  try {
    const folder = permitsFolder(place.state)
    // For equal calls it does not matter which permit belongs to which.
    keepFile(join(folder, `${nameOf(place, call)}.${crypto.randomUUID()}`), permitId)
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
      if (Date.now() - mtimeMs > KEPT_MS) rmSync(path, { force: true })
    }
  } catch {
    // Then the audit trail only says that it was begun.
  }
}

/** Tells the server how a call with a permit ended. Never throws. */
export async function reportOutcome({ service, call, state, left }: HookContext): Promise<void> {
  const { client, sessionId } = call
  if (!service || sessionId === undefined) return
  const permitId = takePermit({ state, client, sessionId }, call)
  if (permitId === undefined) return
  const outcome = outcomeOf(call)
  const path = `/permits/${encodeURIComponent(permitId)}/outcome`
  await callApi(service, path, { outcome }, { ms: Math.min(REPORT_MS, left()) })
}

function outcomeOf({ event, rawEvent }: HookCall): 'succeeded' | 'failed' | 'not_run' {
  if (rawEvent === 'PermissionDenied') return 'not_run'
  return event === 'tool_failed' ? 'failed' : 'succeeded'
}

function takePermit(place: SessionPlace, call: HookCall): string | undefined {
  try {
    const folder = permitsFolder(place.state)
    const same = `${nameOf(place, call)}.`
    for (const name of readdirSync(folder).filter((name) => name.startsWith(same))) {
      const path = join(folder, name)
      const permitId = readStateFile(path)
      // If two hooks take it, only one can remove it.
      unlinkSync(path)
      if (permitId !== undefined) return permitId
    }
  } catch {}
  return undefined
}

function nameOf({ client, sessionId }: SessionPlace, call: HookCall): string {
  return `${fileName(client, sessionId)}.${callDigest(call.toolName ?? '', call.toolInput)}`
}
