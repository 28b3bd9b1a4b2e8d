import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionPlace } from '../session/context.ts'
import { fileName, keepFile, readStateFile } from '../state/state-files.ts'

/** Weaker than what a trial shows: of a command that was started so, or of a project too large for it. */
export type Weaker = 'landlock' | 'none'

/**
 * Notes that a command of this session was contained less than a trial shows. It counts until the
 * session starts anew. Never throws.
 */
export function noteWeaker(place: SessionPlace, how: Weaker): void {
  const before = weakerIn(place)
  if (before === how || before === 'none') return
  keep(place, 'weaker', how)
}

export function weakerIn(place: SessionPlace): Weaker | undefined {
  const text = readKind(place, 'weaker')
  return text === 'landlock' || text === 'none' ? text : undefined
}

/**
 * Returns the facts behind the last report of how commands are contained; undefined before the
 * first.
 */
export function reportedBasis(place: SessionPlace): string | undefined {
  return readKind(place, 'contained')
}

/** Never throws. */
export function noteReported(place: SessionPlace, basis: string): void {
  if (reportedBasis(place) !== basis) keep(place, 'contained', basis)
}

/** Deletes both notes of a session. Never throws. */
export function forgetContained(place: SessionPlace): void {
  for (const kind of ['weaker', 'contained'] as const)
    try {
      rmSync(pathOf(place, kind), { force: true })
    } catch {
      // A mark that remains can only claim too little containment, never too much.
    }
}

type Kind = 'weaker' | 'contained'

function keep(place: SessionPlace, kind: Kind, text: string): void {
  try {
    keepFile(pathOf(place, kind), text)
  } catch {
    // Inside another sandbox the state may be read-only.
  }
}

function readKind(place: SessionPlace, kind: Kind): string | undefined {
  try {
    return readStateFile(pathOf(place, kind))
  } catch {
    return undefined
  }
}

function pathOf({ state, client, sessionId }: SessionPlace, kind: Kind): string {
  return join(state, kind, fileName(client, sessionId))
}
