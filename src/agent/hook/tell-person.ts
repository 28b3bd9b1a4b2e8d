import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../platform/signing/sha256.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import type { HookContext, SessionPlace } from '../session/context.ts'
import { spawnHook, whereOf } from '../session/refresh.ts'
import { type CallLimits, sendNote } from '../session/server.ts'
import { fileName, keepFile } from '../state/state-files.ts'

const TITLE_MAX = 100
const BODY_MAX = 500

/** Names of files, and how many there are in all. */
type ChangedOutside = { paths: string[]; count: number }

/**
 * Notifies a person, from a process of its own, that the agent tried something off limits or, with
 * no rule, something outside; once for each path of a session. Never throws.
 */
export function tellOnce(
  { service, call }: HookContext,
  place: SessionPlace,
  { path, rule }: { path: string; rule?: string | undefined },
): void {
  if (!service) return
  try {
    const stamp = join(noticeFolderOf(place), sha256(path))
    if (existsSync(stamp)) return
    keepFile(stamp, '')
    const by = rule === undefined ? [] : [`--rule=${rule}`]
    spawnHook([`--off-limits=${path}`, ...by], call)
  } catch {
    // The agent is stopped anyway.
  }
}

/** Tells a person once that an agent tried something that only people may do. Never throws. */
export function tellGuarded({ service, call }: HookContext, place: SessionPlace, what: string) {
  if (!service) return
  try {
    const stamp = join(noticeFolderOf(place), sha256(`guarded ${what}`))
    if (existsSync(stamp)) return
    keepFile(stamp, '')
    spawnHook([`--guarded=${what}`], call)
  } catch {
    // The agent is stopped anyway.
  }
}

/** The message of `tellGuarded`, in the process that it started. */
export async function tellTried(
  context: HookContext,
  what: string,
  limits: CallLimits,
): Promise<boolean> {
  const { service, client, call } = context
  if (!service) return false
  const action = cleanLine(what)
  const note = {
    title: cutText(`${client.title} was stopped: ${action}`, TITLE_MAX),
    body: cutText(
      `An agent may not run or change this: it could switch off what watches it, or answer itself. The attempt: ${action}`,
      BODY_MAX,
    ),
    agentName: whereOf(context).agentName,
    machineId: service.machineId,
    ...(call.sessionId === undefined ? {} : { sessionId: call.sessionId }),
  }
  return await sendNote(service, note, limits)
}

/** Deletes the marks of a session that is over. */
export function deleteNoticeMarks(place: SessionPlace): void {
  rmSync(noticeFolderOf(place), { recursive: true, force: true })
}

/** The message of `tellOnce`, in the process that it started. */
export async function tellOffLimits(
  context: HookContext,
  { path, rule }: { path: string; rule?: string | undefined },
  limits: CallLimits,
): Promise<boolean> {
  const { service, client, call } = context
  if (!service) return false
  const pathText = cleanLine(path)
  const note = {
    title: cutText(`${client.title} was stopped: ${pathText}`, TITLE_MAX),
    body: cutText(
      rule === undefined
        ? `A command tried to change what is outside the scope of this session, and was stopped: ${pathText}`
        : `It is off limits in the scope of this session (rule ${cleanLine(rule)}): ${pathText}`,
      BODY_MAX,
    ),
    agentName: whereOf(context).agentName,
    machineId: service.machineId,
    ...(call.sessionId === undefined ? {} : { sessionId: call.sessionId }),
  }
  return await sendNote(service, note, limits)
}

/** Tells a person what changed outside the scope, from a background process. Never throws. */
export function tellChangedInBackground(
  { service, call }: HookContext,
  { paths, count }: ChangedOutside,
): void {
  if (!service) return
  try {
    const listed = paths.map((path) => `--changed-outside=${path}`)
    spawnHook([...listed, `--count=${count}`], call)
  } catch {
    // The agent is told anyway.
  }
}

/** The message of `tellChangedInBackground`, in the process that it started. */
export async function tellChangedOutside(
  context: HookContext,
  { paths, count }: ChangedOutside,
  limits: CallLimits,
): Promise<boolean> {
  const { service, client, call } = context
  if (!service) return false
  const names = paths.map(cleanLine)
  const more = count - paths.length
  const files = count === 1 ? 'a file' : `${count} files`
  const note = {
    title: cutText(`${client.title}: ${files} changed outside the scope`, TITLE_MAX),
    body: cutText(`Not covered by the scope of this session: ${names.join(', ')}`, BODY_MAX),
    agentName: whereOf(context).agentName,
    machineId: service.machineId,
    context: {
      type: 'error' as const,
      summary: 'Files changed while the session went on that its scope does not cover.',
      filesChanged: more > 0 ? [...names, `and ${more} more`] : names,
      nextSteps:
        'Nothing was put back. See whether the agent did this or you, and undo what should not be.',
    },
    ...(call.sessionId === undefined ? {} : { sessionId: call.sessionId }),
  }
  return await sendNote(service, note, limits)
}

function noticeFolderOf({ state, client, sessionId }: SessionPlace): string {
  return join(state, 'told', fileName(client, sessionId))
}
