/** A disk of its own that is soon full; undefined where this user may not mount one. */
export function smallDisk(path: string, megabytes = 2): Disposable | undefined {
  // As a data folder is: its owner's alone.
  const size = `size=${megabytes}m,mode=0700`
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', size, 'tmpfs', path])
  if (!mounted.success) return undefined
  return { [Symbol.dispose]: () => void Bun.spawnSync(['umount', '-l', path]) }
}
