import { dirname } from 'node:path'
import { type Clock, systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config/config.ts'
import { wholeEnvironment } from '../platform/config/env.ts'
import { isSnapshotDue } from '../platform/db/snapshots.ts'
import type { Log } from '../platform/log.ts'
import { restartWords } from '../platform/program.ts'
import { cleanLine, cutText } from '../platform/text.ts'

// Not in the busy first moment of a server.
const LOOK_MS = 60_000
// After a failure, so that a full disk does not fill the log.
const AGAIN_MS = 60 * 60_000
const SAID_MAX = 500

/** Makes a snapshot; resolves to why it was not made. */
type Take = (config: Config, signal: AbortSignal) => Promise<string | undefined>

/**
 * Makes the nightly snapshots of a server, each in a process of its own: copying and checking a
 * large database would keep everybody waiting. Disposing ends the one that is under way.
 */
export function keepSnapshots(
  config: Config,
  log: Log,
  { clock = systemClock, take = snapshotOf }: { clock?: Clock; take?: Take } = {},
): Disposable {
  if (config.database || config.snapshots.keep === 0) return { [Symbol.dispose]() {} }
  const stopped = new AbortController()
  const wait = (ms: number) => clock.after(ms, () => void takeIfDue())
  let forget = wait(LOOK_MS)

  async function takeIfDue() {
    const isDue = isSnapshotDue(config, clock.now())
    const isWell = !isDue || (await snapshot(() => take(config, stopped.signal)))
    if (!stopped.signal.aborted) forget = wait(isWell ? LOOK_MS : AGAIN_MS)
  }

  /** Makes a snapshot. Resolves to true if it succeeded; the log has the result or the reason. */
  async function snapshot(make: () => Promise<string | undefined>): Promise<boolean> {
    const failure = await make()
    if (failure === undefined) {
      log.info('made a snapshot of the database', { folder: config.snapshots.folder })
    } else if (!stopped.signal.aborted) {
      log.warn(`The nightly snapshot of the database was not made: ${failure}`)
    }
    return failure === undefined
  }

  return {
    [Symbol.dispose]() {
      stopped.abort()
      forget()
    },
  }
}

/** Makes one in a process of its own; resolves to why it was not made. */
export async function snapshotOf(
  { dataFolder, snapshots }: Config,
  signal: AbortSignal,
  program: readonly string[] = restartWords(),
): Promise<string | undefined> {
  const child = Bun.spawn([...program, 'backup', '--snapshot', '--data', dataFolder], {
    env: {
      ...wholeEnvironment(),
      BECKON_SNAPSHOTS: `${snapshots.keep}`,
      BECKON_SNAPSHOT_FOLDER: snapshots.folder,
    },
    // Not the folder of a project: Bun would read its settings.
    cwd: dirname(process.execPath),
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  const error = cutText(cleanLine((await new Response(child.stderr).text()).trim()), SAID_MAX)
  const code = await child.exited
  return code === 0 ? undefined : error || `exit ${code}`
}
