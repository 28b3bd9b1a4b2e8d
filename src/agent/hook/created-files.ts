import { existsSync, lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../platform/signing/sha256.ts'
import { candidatesOf } from '../paths/candidates.ts'
import type { HookContext, SessionPlace } from '../session/context.ts'
import { fileName, ownFolder } from '../state/state-files.ts'
import { touchedBy } from './touched.ts'

const MADE_MAX = 1_000
const CALL_MAX = 50

/**
 * Remembers the files that this call creates, because what a session made itself is not the
 * person's work. Never throws.
 */
export async function noteCreatedFiles({ call }: HookContext, place: SessionPlace): Promise<void> {
  try {
    const { touches } = await touchedBy(call)
    const paths = touches.filter(({ touch }) => touch === 'write')
    const fresh = paths
      .slice(0, CALL_MAX)
      .map(({ path }) => candidatesOf(path, { cwd: call.cwd, roots: [] }).absolute)
      .filter((path) => lstatSync(path, { throwIfNoEntry: false }) === undefined)
    if (fresh.length === 0) return
    const folder = folderOf(place)
    ownFolder(folder)
    if (readdirSync(folder).length > MADE_MAX) return
    for (const path of fresh) writeFileSync(join(folder, sha256(path)), '', { mode: 0o600 })
  } catch {
    // Then a person is asked about it.
  }
}

export function isCreatedFile(place: SessionPlace, path: string): boolean {
  return existsSync(join(folderOf(place), sha256(path)))
}

/** Deletes the list of a session that is over. */
export function deleteCreatedFiles(place: SessionPlace): void {
  rmSync(folderOf(place), { recursive: true, force: true })
}

function folderOf({ state, client, sessionId }: SessionPlace): string {
  return join(state, 'made', fileName(client, sessionId))
}
