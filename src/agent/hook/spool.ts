import { readdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { HookCall } from '../calls/tool-call.ts'
import type { SessionPlace } from '../session/context.ts'
import { fileName, keepFile, ownFolder, readStateFile } from '../state/state-files.ts'

// After this time a tool call, or its prompt, is over.
const SPOOL_MS = 10 * 60_000

type Entry = { file: string; call: string; at: number; id: string }

/**
 * Clients name a tool call before it runs, but not when they ask for permission. So the id is
 * stored under a digest of the call. Never throws.
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
    // A hook that is registered twice stores one each, so that both find the id again.
    const own = process.pid
    const name = [callDigest(call.toolName, call.toolInput), now, digest(call.toolUseId), own]
    writeFileSync(join(folder, name.join('.')), call.toolUseId, { mode: 0o600 })
  } catch {
    // Without the id the permission prompt becomes a question of its own.
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
      // If two hooks take it, only one can remove it.
      unlinkSync(path)
      return id
    } catch {}
  }
  return undefined
}

/** Deletes what is stored of a call that is over. Never throws. */
export function dropCall(place: SessionPlace, toolUseId: string): void {
  dropAgreed(place, toolUseId)
  const folder = folderOf(place)
  const id = digest(toolUseId)
  for (const entry of entries(folder)) {
    if (entry.id === id) rmSync(join(folder, entry.file), { force: true })
  }
}

/** Deletes the ids of a session that is over. Never throws. */
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

/** Equal only for equal calls; a call that cannot be compared equals no other. Never throws. */
export function callDigest(toolName: string, toolInput: unknown): string {
  try {
    return digest(`${toolName}\0${canonical(toolInput)}`)
  } catch {
    return digest(crypto.randomUUID())
  }
}

/** JSON with sorted keys, because two hooks may get them in different orders. */
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

// After this time the call has run, or its prompt is a new one.
const AGREED_MS = 10 * 60_000

/** What becomes of the client's own prompt: it is answered, or it asks about something else. */
export type PromptAfterYes = 'allow' | 'stays'

/**
 * A person said yes to this call, so they are not asked again when the client's own prompt for it
 * comes. Never throws.
 */
export function agreeTo(
  place: SessionPlace,
  call: HookCall,
  now: number,
  prompt: PromptAfterYes = 'allow',
): void {
  try {
    keepFile(pathOf(place, call), `${prompt} ${call.toolUseId ?? now}`)
  } catch {
    // Then the prompt asks once more.
  }
}

/** Returns what a yes to this call says of its prompt; each yes counts once. */
export function takeAgreed(
  place: SessionPlace,
  call: HookCall,
  now: number,
): PromptAfterYes | undefined {
  const path = pathOf(place, call)
  const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  if (at === undefined) return undefined
  const text = readStateFile(path)
  rmSync(path, { force: true })
  if (now - at >= AGREED_MS) return undefined
  return text?.startsWith('stays ') ? 'stays' : 'allow'
}

/** Deletes the yes to a call that is over: its client has not asked. Never throws. */
function dropAgreed({ state, client, sessionId }: SessionPlace, toolUseId: string): void {
  try {
    const own = `${fileName(client, sessionId)}.`
    for (const name of readdirSync(join(state, AGREED))) {
      const path = join(state, AGREED, name)
      if (name.startsWith(own) && readStateFile(path)?.endsWith(` ${toolUseId}`))
        rmSync(path, { force: true })
    }
  } catch {
    // There is no such folder yet, or another hook took it.
  }
}

const AGREED = 'agreed'

function pathOf({ state, client, sessionId }: SessionPlace, call: HookCall): string {
  // The same command in another folder is another call.
  const digest = callDigest(call.toolName ?? '', [call.cwd, call.toolInput])
  const name = `${fileName(client, sessionId)}.${digest}`
  return join(state, AGREED, name)
}
