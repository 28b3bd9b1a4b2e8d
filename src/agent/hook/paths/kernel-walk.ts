import { lstatSync, readlinkSync } from 'node:fs'

// Linux follows 40 links in one path, and then says ELOOP.
const HOPS_MAX = 40
// A path is 4096 bytes to the kernel; a link may name another of them.
const NAMES_MAX = 20_000

export type Walked = { path: string } | { refused: string }

/**
 * Where the kernel ends up with an absolute path: each name is looked at, a link is followed even
 * when what it names is missing (writing there makes it), and `..` goes up from where the link led.
 * From the first name that is missing, or that may not be looked at, the rest stands as it is.
 * `/proc/self/cwd` is the caller's `cwd`, not that of this process.
 */
export function walkAsKernel(absolute: string, cwd: string): Walked {
  const drive = /^[a-z]:(?=\/)/.exec(absolute)?.[0] ?? ''
  const todo = absolute.slice(drive.length).split('/').reverse()
  const seen = new Map<string, string>()
  let at = drive
  let hops = 0
  let names = 0
  // Below a name that is missing there is nothing to look at, until `..` leads out again.
  let missing = Number.POSITIVE_INFINITY
  while (todo.length > 0) {
    const name = todo.pop() as string
    if (name === '' || name === '.') continue
    if (++names > NAMES_MAX) return { refused: 'the path is too long' }
    if (name === '..') {
      at = at.slice(0, Math.max(drive.length, at.lastIndexOf('/')))
      if (at.length < missing) missing = Number.POSITIVE_INFINITY
      continue
    }
    const next = `${at}/${name}`
    const link = ofThisProcess(next, cwd) ?? (missing <= at.length ? NO_LINK : lookAt(next, seen))
    if (link === NO_LINK || link === MISSING) {
      at = next
      if (link === MISSING) missing = at.length
      continue
    }
    if (++hops > HOPS_MAX) return { refused: 'its links lead in a circle (ELOOP)' }
    if (link.includes('\uFFFD')) return { refused: 'it leads over a link whose target is not text' }
    if (link.startsWith('/')) at = ''
    const parts = link.split('/')
    for (let part = parts.length - 1; part >= 0; part--) todo.push(parts[part] as string)
  }
  return { path: at === drive ? `${drive}/` : at }
}

// No link says this: they can not be empty, nor hold a NUL.
const NO_LINK = ''
const MISSING = '\0'

/** What the link at that path says, `NO_LINK` or `MISSING`. */
function lookAt(path: string, seen: Map<string, string>): string {
  const known = seen.get(path)
  if (known !== undefined) return known
  const link = read(path)
  seen.set(path, link)
  return link
}

function read(path: string): string {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return MISSING
    return stat.isSymbolicLink() ? readlinkSync(path) : NO_LINK
  } catch {
    // Not to be looked at, no folder, or too long: the kernel stops there as well.
    return MISSING
  }
}

// These links say something else to the process that will do the work.
function ofThisProcess(path: string, cwd: string): string | undefined {
  if (!path.startsWith('/proc/')) return undefined
  if (path === '/proc/self' || path === '/proc/thread-self') return NO_LINK
  const link = /^\/proc\/(self|thread-self|\d+)(?:\/task\/[^/]+)?\/(cwd|root|fd\/\d+)$/.exec(path)
  if (!link || (/^\d/.test(link[1] ?? '') && link[1] !== String(process.pid))) return undefined
  if (link[2] === 'cwd') return cwd
  return link[2] === 'root' ? '/' : NO_LINK
}
