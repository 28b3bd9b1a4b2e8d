/** A Python of at least 3.10, if there is one. */
export const PYTHON = ['/usr/bin/python3', '/usr/local/bin/python3'].find(
  (path) => versionOf(path) >= 10,
)

/** The second number of Python's version; 0 where there is none. */
function versionOf(path: string): number {
  if (!Bun.which(path)) return 0
  const { stdout } = Bun.spawnSync([path, '-c', 'import sys; print(sys.version_info[1])'])
  return Number(stdout.toString())
}
