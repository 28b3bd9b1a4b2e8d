/**
 * Every address of the catalog, with `:name` for one segment. Called as a macro: the list is read
 * from the feed modules while the program is built, so that it is known before they are loaded. The
 * pages among them call a macro themselves, which a macro cannot; so another process reads them.
 */
export function catalogPaths(): string[] {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, import.meta.path])
  if (exitCode !== 0) throw new Error(`The addresses of the catalog were not read: ${stderr}`)
  return JSON.parse(stdout.toString())
}

/** The other process: prints the addresses as JSON. */
if (import.meta.main) {
  const [{ ROOMS }, { MANIFEST_ROUTES }, { MIRROR_ROUTES }] = await Promise.all([
    import('./routes.ts'),
    import('./feeds/manifest-feeds.ts'),
    import('./mirror/mirror-feeds.ts'),
  ])
  const documents = ROOMS.flatMap(({ routes }) => routes)
  const paths = new Set(['/api/v1', ...documents, ...MANIFEST_ROUTES, ...MIRROR_ROUTES])
  process.stdout.write(JSON.stringify([...paths]))
}
