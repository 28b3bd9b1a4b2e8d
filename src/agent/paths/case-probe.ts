import { lstatSync, opendirSync } from 'node:fs'

const NAMES_MAX = 64
const cache = new Map<string, boolean>()

/** How a folder is read: what is at a path, and some names in a folder. */
export type CaseLook = {
  fileAt(path: string): string | undefined
  namesIn(folder: string): string[]
}

/**
 * Returns true if the file system of a root takes `README` and `readme` for the same file. Tried
 * once in a process, with a name in the root in swapped case. For a root whose names have no
 * letters, the system's default is assumed.
 */
export function foldsCase(root: string, look: CaseLook = REAL, usual = USUAL): boolean {
  const before = cache.get(root)
  if (before !== undefined && look === REAL) return before
  const answer = probe(root, look) ?? usual
  if (look === REAL) cache.set(root, answer)
  return answer
}

const USUAL = process.platform === 'darwin' || process.platform === 'win32'

function probe(root: string, look: CaseLook): boolean | undefined {
  for (const name of ['.git', ...look.namesIn(root)]) {
    const other = swapCase(name)
    const file = other === name ? undefined : look.fileAt(`${root}/${name}`)
    if (file !== undefined) return look.fileAt(`${root}/${other}`) === file
  }
  return undefined
}

function swapCase(name: string): string {
  return name.replace(/[a-z]/gi, (letter) => {
    const small = letter.toLowerCase()
    return letter === small ? letter.toUpperCase() : small
  })
}

const REAL: CaseLook = {
  fileAt(path) {
    try {
      const stat = lstatSync(path, { throwIfNoEntry: false })
      return stat && `${stat.dev}:${stat.ino}`
    } catch {
      return undefined
    }
  },
  namesIn(folder) {
    const names: string[] = []
    try {
      const open = opendirSync(folder)
      for (let entry = open.readSync(); entry && names.length < NAMES_MAX; entry = open.readSync())
        names.push(entry.name)
      open.closeSync()
    } catch {
      // A folder that may not be listed is not probed.
    }
    return names
  },
}
