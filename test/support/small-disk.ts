import { tempFolder } from './temp-folder.ts'

/** Whether this user may mount a disk; for `test.skipIf`. */
export const CAN_MOUNT = canMount()

/** A disk of its own that is soon full. Throws where this user may not mount one. */
export function smallDisk(path: string, megabytes = 3): Disposable {
  // As a data folder is: its owner's alone.
  const size = `size=${megabytes}m,mode=0700`
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', size, 'tmpfs', path])
  if (!mounted.success) throw new Error(`no disk was mounted: ${mounted.stderr}`)
  return { [Symbol.dispose]: () => void Bun.spawnSync(['umount', '-l', path]) }
}

function canMount(): boolean {
  if (process.getuid?.() !== 0) return false
  using folder = tempFolder()
  try {
    using _disk = smallDisk(folder.path)
    return true
  } catch {
    return false
  }
}
