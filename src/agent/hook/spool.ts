import { readdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionPlace } from './context.ts'
import { fileName, keepFile, ownFolder, sha256 } from './state.ts'
import type { HookCall } from './tool-call.ts'

// Longer ago a tool call is over, or its prompt is.
const SPOOL_MS = 10 * 60_000

type Entry = { file: string; call: string; at: number; id: string }

/**
 * Clients name a tool call before it runs, and not when they ask for permission: the id is kept
 * under what the call is. Never throws.
 */
export function putCall(
  place: SessionPlace,
  call: { toolName: string; toolInput: unknown; toolUseId: string },
  now: number,
): void {
  try {
    const folder = folderOf(place)
    ownFolder(folder)
    for (const old of entries(folder)) {
      if (now - old.at > SPOOL_MS) rmSync(join(folder, old.file), { force: true })
    }
    // Of a hook that is registered twice each has its own, so that both find the id again.
    const own = process.pid
    const name = [callDigest(call.toolName, call.toolInput), now, digest(call.toolUseId), own]
    writeFileSync(join(folder, name.join('.')), call.toolUseId, { mode: 0o600 })
  } catch {
    // Without it the permission prompt has a question of its own.
  }
}

/** The newest stored id for such a call; each is returned once. */
export function takeCall(
  place: SessionPlace,
  call: { toolName: string; toolInput: unknown },
  now: number,
): string | undefined {
  const folder = folderOf(place)
  const same = callDigest(call.toolName, call.toolInput)
  const fresh = entries(folder)
    .filter((entry) => entry.call === same && now - entry.at <= SPOOL_MS)
    .sort((a, b) => b.at - a.at)
  for (const { file } of fresh) {
    const path = join(folder, file)
    try {
      const id = readFileSync(path, 'utf8')
      // Of two who take it, one removes it.
      unlinkSync(path)
      return id
    } catch {}
  }
  return undefined
}

/** The call is over. Never throws. */
export function dropCall(place: SessionPlace, toolUseId: string): void {
  const folder = folderOf(place)
  const id = digest(toolUseId)
  for (const entry of entries(folder)) {
    if (entry.id === id) rmSync(join(folder, entry.file), { force: true })
  }
}

/** The session is over. Never throws. */
export function dropSession(place: SessionPlace): void {
  try {
    rmSync(folderOf(place), { recursive: true, force: true })
  } catch {}
}

function entries(folder: string): Entry[] {
  try {
    return readdirSync(folder).flatMap((file) => {
      const [call, at, id] = file.split('.')
      return call && at && id ? [{ file, call, at: Number(at), id }] : []
    })
  } catch {
    return []
  }
}

/** The same for the same call alone; what cannot be compared is the same as nothing. Never throws. */
export function callDigest(toolName: string, toolInput: unknown): string {
  try {
    return digest(`${toolName}\0${canonical(toolInput)}`)
  } catch {
    return digest(crypto.randomUUID())
  }
}

/** JSON with sorted keys: two hooks may get them in different orders. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

function digest(text: string): string {
  return sha256(text).slice(0, 32)
}

function folderOf({ state, client, sessionId }: SessionPlace): string {
  return join(state, 'spool', fileName(client, sessionId))
}

// By then the call has run, or its prompt is another one.
const AGREED_MS = 10 * 60_000

/** A person said yes to this call: the client's own prompt for it need not ask again. Never throws. */
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
  // The same command in another folder is another call.
  const digest = callDigest(call.toolName ?? '', [call.cwd, call.toolInput])
  const name = `${fileName(client, sessionId)}.${digest}`
  return join(state, 'agreed', name)
}
