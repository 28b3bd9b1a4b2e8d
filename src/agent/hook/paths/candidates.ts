import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { walkAsKernel } from './kernel-walk.ts'
import { isDevice, normalise, readPathText } from './path-text.ts'
import { looksLikeWindows, windowsPath } from './windows.ts'

const KERNEL_PATH_MAX = 4096

/**
 * What a path may be once a tool uses it. `paths`: relative to the innermost root that holds them,
 * else absolute, in NFC; empty for a device such as `/dev/null`, which is no file. All of them have
 * to be allowed, one that is off limits is enough. `also`: the same places relative to outer roots;
 * they count for what is off limits alone. `outside`: one of them lies in no root. `refused`: why
 * the path can not be judged, so that nothing may be done with it. `absolute`: where it leads.
 */
export type Candidates = {
  paths: string[]
  also: string[]
  outside: boolean
  refused?: string
  absolute: string
}

/** `home` and `windows` are those of this machine unless said. */
export type Place = {
  cwd: string
  roots: readonly string[]
  home?: string
  windows?: boolean
}

/**
 * The path as text says it and as the kernel finds it. Looks at the file system, changes nothing,
 * never throws. What is swapped between this look and the tool's own is not seen, nor is a hard
 * link. The roots of one list are looked at once.
 */
export function candidatesOf(path: string, place: Place): Candidates {
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
  const named = places.map((one) => relativeForms(one, roots))
  const paths = named.map(({ innermost, absolute }) => innermost ?? absolute)
  return {
    paths: [...new Set(paths)],
    also: [...new Set(named.flatMap(({ outer }) => outer))].filter((one) => !paths.includes(one)),
    outside: named.some(({ innermost }) => innermost === undefined),
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
const known = new WeakMap<readonly string[], Root[]>()

function formsOf({ roots, cwd }: Place): Root[] {
  const before = known.get(roots)
  if (before !== undefined) return before
  const forms = roots.map((root) => rootForms(asPosix(root), cwd))
  known.set(roots, forms)
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
  const found = inside.length > 0 ? inside : belowAnotherName(path, roots)
  const [innermost, ...outer] = [...new Set(found)].sort((a, b) => depth(a) - depth(b))
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

/** A root reached under another name: in other case where case does not count, or mounted twice. */
function belowAnotherName(path: string, roots: readonly Root[]): string[] {
  if (path.length > KERNEL_PATH_MAX) return []
  const files = new Set(roots.map((root) => root.file).filter((file) => file !== undefined))
  const found: string[] = []
  for (let end = path.length; end > 0 && files.size > 0; end = path.lastIndexOf('/', end - 1)) {
    const file = fileId(path.slice(0, end))
    if (file !== undefined && files.has(file))
      found.push(path.slice(end + 1).normalize('NFC') || '.')
  }
  return found
}

function fileId(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat === undefined || stat.ino === 0 ? undefined : `${stat.dev}:${stat.ino}`
  } catch {
    return undefined
  }
}
