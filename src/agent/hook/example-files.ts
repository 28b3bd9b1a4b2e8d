import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

const FILES_MAX = 200
// A walk of a few milliseconds, whatever the size of the project.
const FOLDERS_MAX = 150
const ENTRIES_MAX = 4_000
const PATH_MAX = 200
// Made by tools, and of no interest to whoever agrees to a scope.
const MADE =
  /^(node_modules|bower_components|vendor|dist|build|out|target|coverage|venv|__pycache__|\.(git|hg|svn|venv|cache|next|nuxt|turbo|gradle|idea|tox|mypy_cache|pytest_cache))$/

/**
 * Some files of a project, relative to its root: so that a person sees what a scope would allow.
 * The nearest come first, and no folder fills the list alone. Never throws.
 */
export function exampleFiles(root: string): string[] {
  const files: string[][] = []
  const folders = ['']
  let seen = 0
  for (let at = 0; at < folders.length && at < FOLDERS_MAX && seen < ENTRIES_MAX; at++) {
    const folder = folders[at] ?? ''
    const entries = entriesOf(join(root, folder))
    seen += entries.length
    const path = ({ name }: Dirent) => (folder === '' ? name : `${folder}/${name}`)
    files.push(entries.filter((entry) => entry.isFile()).map(path))
    folders.push(
      ...entries.filter((entry) => entry.isDirectory() && !MADE.test(entry.name)).map(path),
    )
  }
  return inTurns(files).slice(0, FILES_MAX)
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

/** The first of each folder, then the second of each. */
function inTurns(lists: string[][]): string[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  const turns = Array.from({ length: Math.min(longest, FILES_MAX) }, (_, at) =>
    lists.flatMap((list) => list[at] ?? []),
  )
  return turns.flat().filter((path) => path.length <= PATH_MAX)
}
