import { lstatSync, readlinkSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isDevice, looksLikeWindows, normalise, readPathText, windowsPath } from './path-text.ts'

const KERNEL_PATH_MAX = 4096

/**
 * The names that a path may have once a tool uses it. `paths`: relative to the innermost root that
 * contains them, otherwise absolute, in NFC; empty for a device such as `/dev/null`, which is not a
 * file. All of them have to be allowed; one that is off limits is enough to refuse. `also`: the
 * same places relative to outer roots, used only for what is off limits. `outside`: one of them is
 * in no root. `refused`: why the path cannot be judged, so that nothing may be done with it.
 * `absolute`: where it leads.
 */
export type Candidates = {
  paths: string[]
  also: string[]
  outside: boolean
  refused?: string
  absolute: string
}

/** `home` and `windows` default to those of this machine. */
export type PathPlace = {
  cwd: string
  roots: readonly string[]
  home?: string
  windows?: boolean
}

/**
 * The path as written and as the kernel resolves it. Reads the file system, changes nothing, never
 * throws. It cannot see hard links, nor a path that is swapped between this look and the tool's
 * own. The roots of one list are read once.
 */
export function candidatesOf(path: string, place: PathPlace): Candidates {
  const windows = place.windows ?? process.platform === 'win32'
  const read = readPathText(path, { home: place.home ?? homedir(), windows })
  if ('refused' in read) return refusal(read.refused, path)
  if ('device' in read) return { paths: [], also: [], outside: false, absolute: read.device }
  const absolute = isAbsolute(read.text) ? read.text : `${asPosix(place.cwd)}/${read.text}`
  const lexical = normalise(absolute)
  const walked = walkAsKernel(absolute, place.cwd)
  if ('refused' in walked) return refusal(walked.refused, lexical)
  const places = [...new Set([lexical, walked.path])].filter((one) => !isDevice(one))
  const roots = formsOf(place)
  const forms = places.map((one) => relativeForms(one, roots))
  const paths = forms.map(({ innermost, absolute }) => innermost ?? absolute)
  return {
    paths: [...new Set(paths)],
    also: [...new Set(forms.flatMap(({ outer }) => outer))].filter((one) => !paths.includes(one)),
    outside: forms.some(({ innermost }) => innermost === undefined),
    absolute: walked.path.normalize('NFC'),
  }
}

function refusal(why: string, path: string): Candidates {
  return { paths: [], also: [], outside: true, refused: why, absolute: path.normalize('NFC') }
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[a-z]:\//.test(path)
}

// A command names many paths, and its roots stay where they are.
const cache = new WeakMap<readonly string[], Root[]>()

function formsOf({ roots, cwd }: PathPlace): Root[] {
  const before = cache.get(roots)
  if (before !== undefined) return before
  const forms = roots.map((root) => rootForms(asPosix(root), cwd))
  cache.set(roots, forms)
  return forms
}

function asPosix(folder: string): string {
  return looksLikeWindows(folder) ? (windowsPath(folder) ?? folder) : folder
}

/** A root as it was given and as the kernel knows it: it may be a link itself. */
function rootForms(root: string, cwd: string): { forms: string[]; file: string | undefined } {
  const lexical = normalise(root)
  const walked = walkAsKernel(root, cwd)
  const forms = 'path' in walked ? [lexical, walked.path] : [lexical]
  return { forms: [...new Set(forms.map((form) => form.normalize('NFC')))], file: fileId(root) }
}

type Root = ReturnType<typeof rootForms>

function relativeForms(path: string, roots: readonly Root[]) {
  const absolute = path.normalize('NFC')
  const inside = roots
    .flatMap((root) => root.forms.map((form) => below(absolute, form)))
    .filter((one) => one !== undefined)
  const names = inside.length > 0 ? inside : belowAnotherName(path, roots)
  const [innermost, ...outer] = [...new Set(names)].sort((a, b) => depth(a) - depth(b))
  return { absolute, innermost, outer }
}

function depth(relative: string): number {
  return relative === '.' ? 0 : relative.split('/').length
}

function below(path: string, root: string): string | undefined {
  if (path === root) return '.'
  const folder = root.endsWith('/') ? root : `${root}/`
  return path.startsWith(folder) ? path.slice(folder.length) : undefined
}

/**
 * A root reached under another name: with other case on a file system that ignores case, or mounted
 * twice.
 */
function belowAnotherName(path: string, roots: readonly Root[]): string[] {
  if (path.length > KERNEL_PATH_MAX) return []
  const files = new Set(roots.map((root) => root.file).filter((file) => file !== undefined))
  const names: string[] = []
  for (let end = path.length; end > 0 && files.size > 0; end = path.lastIndexOf('/', end - 1)) {
    const file = fileId(path.slice(0, end))
    if (file !== undefined && files.has(file))
      names.push(path.slice(end + 1).normalize('NFC') || '.')
  }
  return names
}

function fileId(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat === undefined || stat.ino === 0 ? undefined : `${stat.dev}:${stat.ino}`
  } catch {
    return undefined
  }
}

// Linux follows 40 links in one path, then fails with ELOOP.
const HOPS_MAX = 40
// The kernel allows 4096 bytes for a path, and a link may lead to another such path.
const NAMES_MAX = 20_000

type Walked = { path: string } | { refused: string }

/**
 * Where the kernel ends up with an absolute path. Each name is read; a link is followed even if its
 * target is missing, because writing there creates it; and `..` goes up from where the link led.
 * From the first name that is missing or may not be read, the rest stays as written.
 * `/proc/self/cwd` is the caller's `cwd`, not that of this process.
 */
function walkAsKernel(absolute: string, cwd: string): Walked {
  const drive = /^[a-z]:(?=\/)/.exec(absolute)?.[0] ?? ''
  const todo = absolute.slice(drive.length).split('/').reverse()
  const links = new Map<string, string>()
  let at = drive
  let hops = 0
  let names = 0
  // Below a missing name there is nothing to read, until `..` leads out again.
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
    const link = ofThisProcess(next, cwd) ?? (missing <= at.length ? NO_LINK : lookAt(next, links))
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

// No link has these targets: a target cannot be empty or contain a NUL.
const NO_LINK = ''
const MISSING = '\0'

/** The target of the link at that path, or `NO_LINK` or `MISSING`. */
function lookAt(path: string, links: Map<string, string>): string {
  const cached = links.get(path)
  if (cached !== undefined) return cached
  const link = read(path)
  links.set(path, link)
  return link
}

function read(path: string): string {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return MISSING
    return stat.isSymbolicLink() ? readlinkSync(path) : NO_LINK
  } catch {
    // It may not be read, is not a folder, or is too long: the kernel stops there as well.
    return MISSING
  }
}

// These links resolve differently for the process that will run the tool.
function ofThisProcess(path: string, cwd: string): string | undefined {
  if (!path.startsWith('/proc/')) return undefined
  if (path === '/proc/self' || path === '/proc/thread-self') return NO_LINK
  const link = /^\/proc\/(self|thread-self|\d+)(?:\/task\/[^/]+)?\/(cwd|root|fd\/\d+)$/.exec(path)
  if (!link || (/^\d/.test(link[1] ?? '') && link[1] !== String(process.pid))) return undefined
  if (link[2] === 'cwd') return cwd
  return link[2] === 'root' ? '/' : NO_LINK
}
