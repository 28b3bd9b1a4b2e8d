/**
 * Path globs as they are gated (spec: propose_scope): a bare directory also covers its contents,
 * a leading `**` also matches at the root. Order is kept, nothing is listed twice.
 */
export function expandPaths(globs: readonly string[]): string[] {
  return [...new Set(globs.flatMap(expandPath))]
}

function expandPath(glob: string): string[] {
  const path = glob.replace(/\/+$/, '') || '/'
  const expanded = isGlob(path) ? [path] : [path, path === '/' ? '/**' : `${path}/**`]
  if (!path.startsWith('**/')) return expanded
  return [...expanded, path.slice('**/'.length)]
}

function isGlob(path: string): boolean {
  return /[*?{[]/.test(path)
}
