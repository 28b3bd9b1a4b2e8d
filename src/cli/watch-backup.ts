import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT } from '../platform/command.ts'
import { wholeEnvironment } from '../platform/config/env.ts'
import { DATABASE_FILE } from '../platform/db/find-database.ts'
import { restartWords } from '../platform/program.ts'
import { createLiveLine } from '../platform/terminal/live-line.ts'
import { progress } from '../platform/terminal/progress.ts'
import { note, noteError, say } from '../platform/terminal/terminal.ts'

const LOOK_MS = 500
const MIB = 1024 * 1024
// A smaller one is copied in a moment.
const WATCHED_BYTES = 32 * MIB

/** Whether its copy takes long enough to be watched. */
export function isLarge(dataFolder: string): boolean {
  return sizeOf(join(dataFolder, DATABASE_FILE)) >= WATCHED_BYTES
}

/**
 * Runs `beckon backup` with `args` in a process of its own, and shows on this terminal how far the
 * copy is: SQLite checks and copies in one piece, in which this process could draw nothing. `file` is
 * the backup; undefined for a snapshot, which is made in `snapshots`. Resolves to the exit code.
 */
export async function watchBackup(
  args: readonly string[],
  {
    dataFolder,
    snapshots,
    file,
  }: { dataFolder: string; snapshots: string; file: string | undefined },
): Promise<number> {
  // Its standard error is no terminal, so it does the work itself.
  const child = Bun.spawn([...restartWords(), 'backup', ...args], {
    env: wholeEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = Promise.all([child.stderr, child.stdout].map((one) => new Response(one).text()))
  const live = createLiveLine()
  const bar = progress('MiB copied', true)
  let before = 0
  const look = () => {
    const bytes = partSize(snapshots, file)
    // Before and after the copy SQLite reads all of it: nothing grows meanwhile.
    if (bytes === 0 || bytes === before) {
      bar.end()
      live.show(bytes === 0 ? 'Checking the database …' : 'Checking the copy …')
    } else {
      live.clear()
      bar.step(bytes / MIB, Math.max(bytes, sizeOf(join(dataFolder, DATABASE_FILE))) / MIB)
    }
    before = bytes
  }
  look()
  const timer = setInterval(look, LOOK_MS)
  const code = await child.exited
  clearInterval(timer)
  bar.end()
  live.clear()
  const [errors = '', output = ''] = await texts
  for (const line of linesOf(output)) say(line)
  // Its announcement of the copy is what was shown here.
  for (const line of linesOf(errors).filter((one) => !one.endsWith('…'))) {
    if (code === EXIT.done) note(line)
    else noteError(line)
  }
  return code
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

/** The size of the unfinished copy in bytes; 0 before the copy begins. */
function partSize(snapshots: string, file: string | undefined): number {
  if (file !== undefined) return sizeOf(`${file}.part`)
  const sizes = namesIn(snapshots)
    .filter((name) => name.startsWith(DATABASE_FILE) && name.endsWith('.part'))
    .map((name) => sizeOf(join(snapshots, name)))
  return Math.max(0, ...sizes)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // It is made with the first snapshot.
    return []
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
