import { type FSWatcher, statSync, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../platform/clock.ts'
import { fileStamp } from './file-cache.ts'
import { listFolder } from './list-folder.ts'

export type WatchDeps = {
  dir: string
  clock: Clock
  /** Describes the state of the folder; changes whenever the folder does. */
  stamp(): Promise<string>
  /** Called once at the start, and again after each change has settled. */
  changed(): Promise<void>
  report(error: unknown): void
}

// Editors save in steps (new file, rename); wait this long for the last one.
const REST_MS = 120
// The longest wait while changes keep coming.
const RESTS_MAX = 8
// Operating systems miss some changes, and all of them on network drives, so the folder is also
// polled.
const LOOK_EVERY_MS = 1_000
// Polling takes at most this share of the time.
const LOOK_SHARE = 1 / 20

/**
 * Watches a folder until disposed. Events of the system only trigger a look; polling finds what
 * they miss. A folder that is deleted and created again is watched again.
 */
export function watchFolder(deps: WatchDeps): AsyncDisposable {
  const { dir, clock, report } = deps
  let closed = false
  let lastStamp: string | undefined
  let ear: { watcher: FSWatcher; inode: number } | undefined
  let forget = () => {}
  let underWay: Promise<void> | undefined
  let again = false

  function hear() {
    const inode = inodeOf(dir)
    if (ear && ear.inode === inode) return
    ear?.watcher.close()
    ear = undefined
    if (inode === undefined) return
    try {
      const watcher = watch(dir, { recursive: true }, lookSoon)
      watcher.on('error', () => {})
      ear = { watcher, inode }
    } catch {
      // The system has no watches left: polling goes on.
    }
  }

  async function scan() {
    hear()
    let stamp = await deps.stamp()
    if (stamp === lastStamp || closed) return
    for (let n = 0; n < RESTS_MAX && lastStamp !== undefined; n++) {
      await after(clock, REST_MS)
      const next = await deps.stamp()
      if (next === stamp) break
      stamp = next
    }
    if (closed) return
    lastStamp = stamp
    await deps.changed()
  }

  function lookSoon() {
    again = true
    if (underWay || closed) return
    forget()
    underWay = (async () => {
      let cost = 0
      while (again && !closed) {
        again = false
        const startedAt = performance.now()
        await scan().catch(report)
        cost = performance.now() - startedAt
      }
      underWay = undefined
      if (!closed) forget = clock.after(Math.max(LOOK_EVERY_MS, cost / LOOK_SHARE), lookSoon)
    })()
  }

  lookSoon()
  return {
    async [Symbol.asyncDispose]() {
      closed = true
      forget()
      ear?.watcher.close()
      await underWay
    },
  }
}

function inodeOf(dir: string): number | undefined {
  return statSync(dir, { throwIfNoEntry: false })?.ino
}

function after(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve))
}

// Lets other work run after this many files.
const FILES_AT_ONCE = 200

/** A text that changes when a file of the catalog is added, removed or written. Never throws. */
export async function folderStamp(dir: string): Promise<string> {
  const here = await readdir(dir).catch(() => undefined)
  if (!here) return `no folder: ${fileStamp(dir)}`
  const listed = await listFolder(dir).catch(() => undefined)
  if (!listed) return 'no folder'
  // Settings, methodology and removed are files next to the folders.
  const beside = here.filter((name) => /\.ya?ml$/.test(name)).sort()
  const paths = [...beside, ...listed.entries.map(({ path }) => path)]
  const stamps = [JSON.stringify(listed.problems)]
  for (const [i, path] of paths.entries()) {
    stamps.push(`${path} ${fileStamp(join(dir, path))}`)
    if (i % FILES_AT_ONCE === FILES_AT_ONCE - 1) await Bun.sleep(0)
  }
  return Bun.hash(stamps.join('\n')).toString(36)
}
