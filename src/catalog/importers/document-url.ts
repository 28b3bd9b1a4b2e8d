import { basename, relative, resolve, sep } from 'node:path'

/**
 * The address of a document that was opened: below `at`, where its reader says that SOURCE was
 * copied from, or else `file:` with its name. A file does not show where it comes from, and the
 * folder that it lies in is nobody's business.
 */
export function documentUrl(source: string, file: string, at?: string): string {
  const path = relative(resolve(source), resolve(file)).split(sep).map(encodeURIComponent).join('/')
  if (at !== undefined) return path === '' ? at : `${at.replace(/\/+$/, '')}/${path}`
  const name = encodeURIComponent(basename(resolve(source)))
  return path === '' ? `file:${name}` : `file:${name}/${path}`
}
