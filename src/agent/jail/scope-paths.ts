import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { judgeOf } from '../../ask/wire/matcher/judge.ts'
import { type OwnPaths, PROTECTED, protect } from '../../ask/wire/matcher/protected-paths.ts'
import { candidatesOf } from '../hook/paths/candidates.ts'
import { foldsCase } from '../hook/paths/case-probe.ts'
import { isAt } from './areas.ts'
import type { Wish } from './jail.ts'

/** What a person agreed to, and the folders that its paths are relative to. */
export type ScopeHere = {
  allowedPaths: readonly string[]
  offLimitsPaths: readonly string[]
  widened: readonly string[]
  roots: readonly string[]
  cwd: string
}

// The command waits for this walk, so it is bounded: beyond the bound only the hook checks paths.
const LOOKED_AT_MAX = 20_000
// Too many files to walk through; the rules for .git are fixed.
const PASSED_OVER = new Set(['.git', 'node_modules'])

/**
 * The paths of a scope on this machine now: the files that a pattern covers, or a whole folder if
 * it covers everything in it. A path that does not exist yet is created if the text of the command
 * names it, so that the command can write it: an empty file if it has an extension, otherwise a
 * folder.
 */
export function scopePaths(
  scope: ScopeHere,
  own: OwnPaths,
  text: string,
): Pick<Wish, 'write' | 'keep' | 'deny'> {
  makeNamed(scope, text)
  const write = allowedIn(scope)
  const { keep, deny } = forbiddenIn(scope, own, write)
  const roots = scope.roots.filter((root) => !write.some((path) => isAt(root, path)))
  return {
    write,
    keep: [...roots, ...keep, ...(own.files ?? [])],
    deny: [...deny, ...(own.folders ?? [])],
  }
}

function judgeHere({ roots }: ScopeHere, boundary: Parameters<typeof judgeOf>[0]) {
  return judgeOf(boundary, { roots, fold: roots.some((root) => foldsCase(root)) })
}

function allowedIn(scope: ScopeHere): string[] {
  const { allowedPaths, widened, roots } = scope
  const judge = judgeHere(scope, { allowedPaths, offLimitsPaths: [], widened })
  const found: string[] = []
  let seen = 0
  const visit = (path: string) => {
    const kind = kindOf(path)
    // A link is replaced by its target, which is judged by its own path.
    if (kind === undefined || seen++ > LOOKED_AT_MAX) return
    const names = candidatesOf(path, scope).paths
    if (names.length === 0) return
    const touch = kind === 'folder' ? 'tree' : 'write'
    if (judge(names, touch).is === 'within') found.push(path)
    else if (kind === 'folder') for (const name of namesIn(path)) visit(join(path, name))
  }
  const begins = [...allowedPaths.map(plainPart), ...widened]
  const paths = allowedPaths.length === 0 ? ['.', ...widened] : begins
  for (const path of new Set(paths)) for (const one of inRoots(path, roots)) visit(one)
  return found
}

/** `src/gen/*.ts` → `src/gen`: the folder of everything it covers. */
function plainPart(glob: string): string {
  const names = glob.split('/')
  const end = names.findIndex((name) => /[*?[]/.test(name))
  const plain = end < 0 ? names : names.slice(0, end)
  return plain.join('/') || (glob.startsWith('/') ? '/' : '.')
}

function inRoots(path: string, roots: readonly string[]): string[] {
  return isAbsolute(path) ? [path] : roots.map((root) => join(root, path))
}

// The folders that contain protected paths.
const SHIELDED = new Set(
  PROTECTED.flatMap((glob) => glob.split('/').filter((name) => !/[*?[]/.test(name))),
)

function forbiddenIn(scope: ScopeHere, own: OwnPaths, write: readonly string[]) {
  const { allowedPaths, offLimitsPaths, widened, roots } = scope
  const rules = protect({ allowedPaths, offLimitsPaths, widened }, own)
  const judge = judgeHere(scope, { ...rules, allowedPaths: [], widened: [] })
  const [keep, deny]: [string[], string[]] = [[], []]
  let seen = 0
  const visit = (path: string, isShielded: boolean) => {
    const kind = kindOf(path)
    if (kind === undefined || seen++ > LOOKED_AT_MAX) return
    const names = namesOf(path, roots)
    if (judge(names, 'read').is === 'off_limits') return void deny.push(path)
    if (isShielded && judge(names, 'write').is === 'off_limits') keep.push(path)
    else if (kind === 'folder') within(path, isShielded)
  }
  const within = (folder: string, isShielded: boolean) => {
    for (const name of namesIn(folder))
      if (!PASSED_OVER.has(name)) visit(join(folder, name), isShielded || SHIELDED.has(name))
  }
  const isPattern = (rule: string) => /[*?[]/.test(rule)
  for (const rule of offLimitsPaths.filter((one) => !isPattern(one)))
    for (const path of inRoots(rule, roots)) visit(path, false)
  const isAnywhere = offLimitsPaths.some(isPattern)
  for (const folder of isAnywhere ? roots : write) within(folder, false)
  return { keep, deny }
}

/** Names without links are enough here, because targets are judged by their own paths. */
function namesOf(path: string, roots: readonly string[]): string[] {
  const inside = roots.filter((root) => path !== root && isAt(path, root))
  return [path, ...inside.map((root) => relative(root, path))].map((name) => name.normalize('NFC'))
}

function makeNamed({ allowedPaths, widened, roots }: ScopeHere, text: string): void {
  const exact = [...allowedPaths.filter((glob) => plainPart(glob) === glob), ...widened]
  for (const path of exact.flatMap((one) => inRoots(one, roots))) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (name === '' || !text.includes(name) || kindOf(path) || kindOf(dirname(path)) !== 'folder')
      continue
    try {
      if (/.\.[^.]+$/.test(name)) writeFileSync(path, '', { flag: 'wx' })
      else mkdirSync(path)
    } catch {
      // The command reports what it cannot write.
    }
  }
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (!stat || stat.isSymbolicLink()) return undefined
    return stat.isDirectory() ? 'folder' : 'file'
  } catch {
    return undefined
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
