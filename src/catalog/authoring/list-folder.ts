import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { FileProblem } from '../records/problem.ts'

/** One file of the catalog, by its path in the folder, with slashes. */
export type FolderEntry = { path: string; kind: EntryKind }
type EntryKind = 'vendor' | 'tool' | 'text' | 'review' | 'change' | 'desk' | 'reply'

const FILES_MAX = 250_000

// The last part of a path is the record's name; the parts before it give its kind.
const SHAPES: Array<{ kind: EntryKind; pattern: RegExp }> = [
  { kind: 'vendor', pattern: /^vendors\/[^/]+\.yaml$/ },
  { kind: 'tool', pattern: /^tools\/[^/]+\.yaml$/ },
  { kind: 'text', pattern: /^tools\/[^/]+\.md$/ },
  { kind: 'review', pattern: /^reviews\/[^/]+\/[^/]+\.json$/ },
  { kind: 'reply', pattern: /^replies\/[^/]+\.json$/ },
  { kind: 'desk', pattern: /^desk\/[^/]+\.yaml$/ },
  { kind: 'change', pattern: /^changes\/[^/]+\/[^/]+\.yaml$/ },
]
const EXPECTED: Record<string, string> = {
  vendors: 'vendors/VENDOR.yaml',
  tools: 'tools/SLUG.yaml or tools/SLUG.md',
  reviews: 'reviews/SLUG/ID.json',
  desk: 'desk/ID.yaml',
  replies: 'replies/SLUG.json',
  changes: 'changes/YEAR/ID.yaml',
}
// Files that editors, operating systems and git leave behind.
const IGNORED = /^\.|~$|^(Thumbs\.db|desktop\.ini)$/

/** Lists every file of the catalog by name, and a problem for each file that does not belong. */
export async function listFolder(folder: string) {
  const entries: FolderEntry[] = []
  const problems: FileProblem[] = []
  const root = await realpath(folder)
  let count = 0

  function report(file: string, expected: string, what: string) {
    problems.push({ file, line: 0, field: '', expected, found: what })
  }

  async function visit(path: string, top: string, depth: number): Promise<void> {
    for (const entry of await listed(join(folder, path))) {
      if (IGNORED.test(entry.name)) continue
      if (count++ === FILES_MAX) report(path, `at most ${FILES_MAX} files`, 'more')
      if (count > FILES_MAX) return
      const inner = `${path}/${entry.name}`
      const kind = await kindOf(join(folder, inner), entry, root)
      const shape = SHAPES.find(({ pattern }) => pattern.test(inner))
      if (kind === 'outside') report(inner, 'a file of this folder', 'a link that leads out of it')
      else if (kind === 'dead') report(inner, 'a file', 'a link to nothing')
      else if (kind === 'odd') report(inner, 'a file', 'neither a file nor a folder')
      else if (kind === 'folder' && depth > 0) await visit(inner, top, depth - 1)
      else if (kind === 'file' && shape) entries.push({ path: inner, kind: shape.kind })
      else report(inner, EXPECTED[top] ?? '', kind === 'folder' ? 'a folder' : 'another file')
    }
  }

  for (const top of Object.keys(EXPECTED)) {
    const itself = await realPlaceOf(join(folder, top), root)
    if (itself === 'outside') report(top, 'a folder in this folder', 'a link that leads out of it')
    else if (itself) await visit(top, top, top === 'reviews' || top === 'changes' ? 1 : 0)
  }
  return { entries, problems }
}

async function listed(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

type Found = 'file' | 'folder' | 'odd' | 'outside' | 'dead'

async function kindOf(path: string, entry: Dirent, root: string): Promise<Found> {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  if (!entry.isSymbolicLink()) return 'odd'
  const place = await realPlaceOf(path, root)
  if (place !== 'inside') return place ?? 'dead'
  const target = await stat(path)
  if (target.isFile()) return 'file'
  // A link to a folder could form a circle.
  return 'odd'
}

/** The real path; undefined if nothing is there. */
export async function realPlaceOf(path: string, root: string) {
  const real = await realpath(path).catch(() => undefined)
  if (real === undefined) return undefined
  return real === root || real.startsWith(root + sep) ? 'inside' : 'outside'
}
