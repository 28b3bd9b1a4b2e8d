import { dirname } from 'node:path'
import { systemClock } from '../platform/clock.ts'
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

/**
 * Makes the nightly snapshots of a server, each in a process of its own: copying and checking a
 * large database would keep everybody waiting. Disposing ends the one that is under way.
 */
export function keepSnapshots(config: Config, log: Log): Disposable {
  if (config.database || config.snapshots.keep === 0) return { [Symbol.dispose]() {} }
  const stopped = new AbortController()
  const wait = (ms: number) => systemClock.after(ms, () => void look())
  let forget = wait(LOOK_MS)

  async function look() {
    const isDue = isSnapshotDue(config, systemClock.now())
    const isWell = !isDue || (await snapshot(config, log, stopped.signal))
    if (!stopped.signal.aborted) forget = wait(isWell ? LOOK_MS : AGAIN_MS)
  }

  return {
    [Symbol.dispose]() {
      stopped.abort()
      forget()
    },
  }
}

/** Whether it was made; the log says so, or why not. */
async function snapshot(config: Config, log: Log, signal: AbortSignal): Promise<boolean> {
  const { dataFolder, snapshots } = config
  const child = Bun.spawn([...restartWords(), 'backup', '--snapshot', '--data', dataFolder], {
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
  const said = cutText(cleanLine((await new Response(child.stderr).text()).trim()), SAID_MAX)
  const code = await child.exited
  if (code === 0) log.info('made a snapshot of the database', { folder: snapshots.folder })
  else if (!signal.aborted) {
    log.warn(`The nightly snapshot of the database was not made: ${said || `exit ${code}`}`)
  }
  return code === 0
}
