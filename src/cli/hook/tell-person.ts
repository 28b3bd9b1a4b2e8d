import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cleanLine, cutText } from '../../kernel/text.ts'
import type { HookContext, SessionPlace } from './context.ts'
import { spawnHook, whereArgs, whereOf } from './refresh.ts'
import { type CallLimits, sendNote } from './server.ts'
import { fileName, keepFile, sha256 } from './state.ts'

const TITLE_MAX = 100
const BODY_MAX = 500

/**
 * A person hears that something off limits was tried, once for each path of a session (design:
 * R4), from a process of its own. Never throws.
 */
export function tellOnce(
  { service, call }: HookContext,
  place: SessionPlace,
  { path, rule }: { path: string; rule: string },
): void {
  if (!service) return
  try {
    const stamp = join(toldIn(place), sha256(path))
    if (existsSync(stamp)) return
    keepFile(stamp, '')
    const session = `--session=${place.sessionId}`
    spawnHook([`--barred=${path}`, `--rule=${rule}`, session, ...whereArgs(call)], place.client)
  } catch {
    // The agent is stopped all the same.
  }
}

/** The session is over. */
export function forgetTold(place: SessionPlace): void {
  rmSync(toldIn(place), { recursive: true, force: true })
}

/** What `tellOnce` has to say, in the process that it started. */
export async function tellBarred(
  context: HookContext,
  { path, rule }: { path: string; rule: string },
  limits: CallLimits,
): Promise<boolean> {
  const { service, client, call } = context
  if (!service) return false
  const shown = cleanLine(path)
  const note = {
    title: cutText(`${client.title} was stopped: ${shown}`, TITLE_MAX),
    body: cutText(
      `It is off limits in the scope of this session (rule ${cleanLine(rule)}): ${shown}`,
      BODY_MAX,
    ),
    agentName: whereOf(context).agentName,
    machineId: service.machineId,
    ...(call.sessionId === undefined ? {} : { sessionId: call.sessionId }),
  }
  return await sendNote(service, note, limits)
}

function toldIn({ state, client, sessionId }: SessionPlace): string {
  return join(state, 'told', fileName(client, sessionId))
}
