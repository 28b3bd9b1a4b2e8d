import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import { judgeOf } from '../../ask/wire/matcher/judge.ts'
import { type OwnPaths, PROTECTED, protect } from '../../ask/wire/matcher/protected-paths.ts'
import { candidatesOf } from '../paths/candidates.ts'
import { foldsCase } from '../paths/case-probe.ts'
import { isAt } from './areas.ts'
import type { RequestedScope } from './jail.ts'

/** The agreed scope, and the folders that its paths are relative to. */
export type ScopeHere = {
  allowedPaths: readonly string[]
  offLimitsPaths: readonly string[]
  widened: readonly string[]
  roots: readonly string[]
  cwd: string
}

// The command waits for these walks, so they are bounded. Allowed files beyond the bound cannot be
// changed by a command; of files that are off limits only the hook knows.
const ALLOWED_MAX = 20_000
const FORBIDDEN_MAX = 300_000
// Too many files to walk through; the rules for .git are fixed.
const PASSED_OVER = new Set(['.git', 'node_modules'])

/**
 * `isWhole`: at most `max` entries are there, so everything that may be off limits was found.
 * `repositories`: the folders named `.git` in what may be changed.
 */
type ScopePaths = Pick<RequestedScope, 'write' | 'keep' | 'deny'> & {
  isWhole: boolean
  repositories: string[]
}

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
  max: number = FORBIDDEN_MAX,
): ScopePaths {
  createScopePaths(scope, text)
  const write = allowedIn(scope)
  const { keep, deny, isWhole, repositories } = forbiddenIn(scope, { own, write, max })
  const roots = scope.roots.filter((root) => !write.some((path) => isAt(root, path)))
  return {
    write,
    keep: [...roots, ...keep, ...(own.files ?? [])],
    deny: [...deny, ...(own.folders ?? [])],
    isWhole,
    repositories: repositories.filter((path) => write.some((one) => isAt(path, one))),
  }
}

function judgeHere({ roots }: ScopeHere, boundary: Parameters<typeof judgeOf>[0]) {
  return judgeOf(boundary, { roots, fold: roots.some((root) => foldsCase(root)) })
}

function allowedIn(scope: ScopeHere): string[] {
  const { allowedPaths, widened, roots } = scope
  const judge = judgeHere(scope, { allowedPaths, offLimitsPaths: [], widened })
  const within: string[] = []
  let count = 0
  const visit = (path: string) => {
    const kind = kindOf(path)
    // A link is replaced by its target, which is judged by its own path.
    if (kind === undefined || count++ > ALLOWED_MAX) return
    const names = candidatesOf(path, scope).paths
    if (names.length === 0) return
    const touch = kind === 'folder' ? 'tree' : 'write'
    if (judge(names, touch).is === 'within') within.push(path)
    else if (kind === 'folder') for (const name of namesIn(path)) visit(join(path, name))
  }
  const begins = [...allowedPaths.map(plainPart), ...widened]
  const paths = allowedPaths.length === 0 ? ['.', ...widened] : begins
  for (const path of new Set(paths)) for (const one of inRoots(path, roots)) visit(one)
  return within
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

type Forbidden = { own: OwnPaths; write: readonly string[]; max: number }

function forbiddenIn(scope: ScopeHere, { own, write, max }: Forbidden) {
  const { allowedPaths, offLimitsPaths, widened, roots } = scope
  const rules = protect({ allowedPaths, offLimitsPaths, widened }, own)
  const judge = judgeHere(scope, { ...rules, allowedPaths: [], widened: [] })
  const [keep, deny, repositories]: [string[], string[], string[]] = [[], [], []]
  const mayMatch = namesOfRules(rules.offLimitsPaths)
  let count = 0
  const visit = (path: string, name: string, kind: Kind, isShielded: boolean) => {
    if (count++ >= max) return
    if (isShielded || mayMatch(name)) {
      const names = namesOf(path, roots)
      if (judge(names, 'read').is === 'off_limits') return void deny.push(path)
      if (isShielded && judge(names, 'write').is === 'off_limits') return void keep.push(path)
    }
    if (kind === 'folder') within(path, isShielded)
  }
  const within = (folder: string, isShielded: boolean) => {
    for (const { name, kind } of entriesOf(folder)) {
      if (name === '.git' && kind === 'folder') repositories.push(join(folder, name))
      if (!PASSED_OVER.has(name))
        visit(join(folder, name), name, kind, isShielded || SHIELDED.has(name))
    }
  }
  const isPattern = (rule: string) => /[*?[]/.test(rule)
  for (const rule of offLimitsPaths.filter((one) => !isPattern(one)))
    for (const path of inRoots(rule, roots)) {
      const kind = kindOf(path)
      if (kind) visit(path, basename(path), kind, false)
    }
  const isAnywhere = offLimitsPaths.some(isPattern)
  for (const folder of isAnywhere ? roots : write) within(folder, false)
  return { keep, deny, isWhole: count <= max, repositories }
}

/**
 * Returns a function that is true for names that a rule may match. Returns true when in doubt. A
 * folder is checked before its content, so names below a match need not be found.
 */
function namesOfRules(rules: readonly string[]): (name: string) => boolean {
  const ends = rules.map(
    (rule) =>
      rule
        .replace(/(\/\*\*)+$/, '')
        .split('/')
        .at(-1) ?? '',
  )
  const isKnown = ends.every(
    (end) => /^([\w.*?-]|\{[\w.*?,-]+\})+$/.test(end) && !/^\**$/.test(end),
  )
  if (!isKnown) return () => true
  const patterns = ends.map((end) =>
    end
      .replace(/[.-]/g, '\\$&')
      .replace(/\*+/g, '.*')
      .replace(/\?/g, '.')
      .replace(/[{},]/g, (sign) => ({ '{': '(', '}': ')', ',': '|' })[sign] ?? sign),
  )
  const pattern = new RegExp(`^(${patterns.join('|')})$`, 'i')
  // Other names may be spelled in several ways.
  return (name) => !/^[\w.@+,=()-]*\w$/.test(name) || pattern.test(name)
}

/** Names without links are enough here, because targets are judged by their own paths. */
function namesOf(path: string, roots: readonly string[]): string[] {
  const inside = roots.filter((root) => path !== root && isAt(path, root))
  return [path, ...inside.map((root) => relative(root, path))].map((name) => name.normalize('NFC'))
}

function createScopePaths({ allowedPaths, widened, roots }: ScopeHere, text: string): void {
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

type Kind = 'file' | 'folder'

/** Without links. */
function entriesOf(folder: string): Array<{ name: string; kind: Kind }> {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isSymbolicLink())
      .map((entry) => ({ name: entry.name, kind: entry.isDirectory() ? 'folder' : 'file' }))
  } catch {
    return []
  }
}

function kindOf(path: string): Kind | undefined {
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
