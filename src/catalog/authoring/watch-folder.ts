import { type FSWatcher, statSync, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../platform/clock.ts'
import { fileStamp } from './file-cache.ts'
import { listFolder } from './list-folder.ts'

export type WatchDeps = {
  dir: string
  clock: Clock
  /** What stands for the state of the folder: another one when something has changed. */
  stamp(): Promise<string>
  /** Called once at the beginning, and then after each change that has come to rest. */
  changed(): Promise<void>
  report(error: unknown): void
}

// Editors save in steps (a new file, a rename); in this time one that works has taken the next.
const REST_MS = 120
// Somebody who writes without a pause is followed all the same.
const RESTS_MAX = 8
// The system does not report of every change, on network drives of none: a look now and then sees it.
const LOOK_EVERY_MS = 1_000
// Looking takes at most this share of the time.
const LOOK_SHARE = 1 / 20

/**
 * Follows a folder until disposed: what the system says is only a reason to look at once, and what
 * it does not say is found by looking now and then. A folder that goes away and comes back is
 * followed again.
 */
export function watchFolder(deps: WatchDeps): AsyncDisposable {
  const { dir, clock, report } = deps
  let closed = false
  let seen: string | undefined
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
      // No more watches to be had: looking now and then does.
    }
  }

  async function look() {
    hear()
    let stamp = await deps.stamp()
    if (stamp === seen || closed) return
    for (let n = 0; n < RESTS_MAX && seen !== undefined; n++) {
      await after(clock, REST_MS)
      const next = await deps.stamp()
      if (next === stamp) break
      stamp = next
    }
    if (closed) return
    seen = stamp
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
        const begun = performance.now()
        await look().catch(report)
        cost = performance.now() - begun
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

// Between so many files other work may go first.
const FILES_AT_ONCE = 200

/** Another text when a file of the catalog is new, gone, or has been written. Never throws. */
export async function folderStamp(dir: string): Promise<string> {
  const here = await readdir(dir).catch(() => undefined)
  if (!here) return `no folder: ${fileStamp(dir)}`
  const listed = await listFolder(dir).catch(() => undefined)
  if (!listed) return 'no folder'
  // Settings, methodology and removed are files beside the folders.
  const beside = here.filter((name) => /\.ya?ml$/.test(name)).sort()
  const paths = [...beside, ...listed.entries.map(({ path }) => path)]
  const stamps = [JSON.stringify(listed.problems)]
  for (const [i, path] of paths.entries()) {
    stamps.push(`${path} ${fileStamp(join(dir, path))}`)
    if (i % FILES_AT_ONCE === FILES_AT_ONCE - 1) await Bun.sleep(0)
  }
  return Bun.hash(stamps.join('\n')).toString(36)
}
