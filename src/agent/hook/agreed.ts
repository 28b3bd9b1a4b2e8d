import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionPlace } from './context.ts'
import { callDigest } from './spool.ts'
import { fileName, keepFile } from './state.ts'
import type { HookCall } from './tool-call.ts'

// By then the call has run, or its prompt is another one.
const AGREED_MS = 10 * 60_000

/** A person said yes to this very call: the client's own prompt for it need not ask again. Never throws. */
export function agreeTo(place: SessionPlace, call: HookCall, now: number): void {
  try {
    keepFile(pathOf(place, call), String(now))
  } catch {
    // Then it asks once more.
  }
}

/** Whether a person said yes to it; each yes counts once. */
export function takeAgreed(place: SessionPlace, call: HookCall, now: number): boolean {
  const path = pathOf(place, call)
  const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  if (at === undefined) return false
  rmSync(path, { force: true })
  return now - at < AGREED_MS
}

function pathOf({ state, client, sessionId }: SessionPlace, call: HookCall): string {
  const name = `${fileName(client, sessionId)}.${callDigest(call.toolName ?? '', call.toolInput)}`
  return join(state, 'agreed', name)
}
