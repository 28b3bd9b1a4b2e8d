import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { isLong } from './share.ts'

// Loaded before the first test of each process (bunfig.toml). SQLite syncs every commit; on a disk
// the quick run would wait for that half of its time. The long runs keep the real disk.
const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 2 * 1024 ** 3

if (!isLong && process.env.TMPDIR === undefined && isUsable()) process.env.TMPDIR = MEMORY

/** Containers often give it 64 MiB, or let no program in it run. */
function isUsable(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const options = mounts.find((line) => line.split(' ')[1] === MEMORY)?.split(' ')[3] ?? 'noexec'
    return bavail * bsize >= ENOUGH_BYTES && !options.split(',').includes('noexec')
  } catch {
    return false
  }
}
