import { readFileSync, realpathSync, statSync } from 'node:fs'
import { sha256 } from '../../platform/signing/sha256.ts'
import { fromFolder, normalise } from './path-text.ts'

const CONFIG_MAX_BYTES = 1_000_000
const DEFAULT_PORTS = new Set(['22', '80', '443', '9418'])

/** A folder that git works in: `common` is shared by all worktrees of one repository. */
export type WorkTree = { top: string; common: string; folder: string }

/**
 * Identifies a repository wherever it is checked out (`repoKey`): `host/owner/name` of `origin`,
 * without scheme, name, password and `.git`. Without an origin on another machine it is `path:` and
 * a hash of the repository's real path. At most 200 characters. Reads git's files and runs nothing.
 */
export function repoKeyOf(dir: string): string {
  const tree = workTreeOf(dir)
  const origin = tree && originIn(readText(`${tree.common}/config`) ?? '')
  const remote = origin === undefined ? undefined : remoteKey(origin)
  return remote ?? `path:${hash(real(tree?.common ?? dir))}`
}

/**
 * The folders that paths may be relative to: the one the session began in, the top of the work tree
 * it lies in, and that of `cwd` when it is another work tree of the repository.
 */
export function rootsOf(dir: string, cwd: string = dir): string[] {
  const own = workTreeOf(dir)
  const other = cwd === dir ? own : workTreeOf(cwd)
  const shared = own && other && real(own.common) === real(other.common) ? [other.top] : []
  return [...new Set([normalise(dir), ...(own ? [own.top] : []), ...shared])]
}

// As much of a commit id as git shows for a detached work tree, and enough to find it.
const COMMIT_CHARS = 12
const BRANCH_MAX = 200

/**
 * The branch of the work tree that a folder lies in; the first characters of the commit where none
 * is checked out. Undefined outside a work tree. Reads `HEAD`, and starts nothing.
 */
export function branchOf(dir: string): string | undefined {
  const tree = workTreeOf(dir)
  const head = tree && readText(`${tree.folder}/HEAD`)?.trim()
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head ?? '')?.[1]
  if (branch !== undefined) return branch.length > BRANCH_MAX ? undefined : branch
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(head ?? '') ? head?.slice(0, COMMIT_CHARS) : undefined
}

/** The work tree that a folder lies in; a worktree and a submodule have a file for `.git`. */
export function workTreeOf(dir: string): WorkTree | undefined {
  for (let at = normalise(dir); ; at = normalise(`${at}/..`)) {
    const git = at === '/' ? '/.git' : `${at}/.git`
    const folder = kindOf(git) === 'file' ? gitFolder(readText(git), at) : git
    if (folder !== undefined && kindOf(`${folder}/HEAD`) === 'file')
      return { top: at, common: commonFolder(folder), folder }
    if (at === '/' || /^[a-z]:\/$/.test(at)) return undefined
  }
}

/** The commit that a work tree stands on, read from git's files; undefined before the first one. */
export function headOf({ folder, common }: WorkTree): string | undefined {
  const head = readText(`${folder}/HEAD`)?.trim() ?? ''
  const ref = /^ref: (.+)$/.exec(head)?.[1]
  if (ref === undefined) return COMMIT.exec(head)?.[0]
  const loose = COMMIT.exec(readText(`${common}/${ref}`)?.trim() ?? '')?.[0]
  if (loose !== undefined) return loose
  const lines = (readText(`${common}/packed-refs`) ?? '').split('\n')
  const packed = lines.find((line) => line.endsWith(` ${ref}`)) ?? ''
  return COMMIT.exec(packed.split(' ')[0] ?? '')?.[0]
}

const COMMIT = /^[0-9a-f]{40,64}$/

/** `Git@Host:Owner/Name.git` → `host/Owner/Name`; undefined for a folder of this machine. */
export function remoteKey(url: string): string | undefined {
  const text = url.trim()
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)\/(.*)$/is.exec(text)
  const scp = scheme ? null : /^([^/:]*@)?(\[[^\]]+\]|[^/:[\]]+):(?!\/\/)(.*)$/s.exec(text)
  if (!scheme && !scp) return undefined
  if (scheme?.[1]?.toLowerCase() === 'file' || (scp && /^[a-z]$/i.test(scp[2] ?? '')))
    return undefined
  const authority = (scheme ? scheme[2] : scp?.[2]) ?? ''
  const [, host = '', port] =
    /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(authority.replace(/^.*@/s, '')) ?? []
  const path = ((scheme ? scheme[3] : scp?.[3]) ?? '')
    .replace(/[?#].*$/s, '')
    .split('/')
    .filter(Boolean)
    .join('/')
    .replace(/\.git$/i, '')
  if (host === '' || path === '') return undefined
  const key = `${host.toLowerCase()}${port && !DEFAULT_PORTS.has(port) ? `:${port}` : ''}/${path}`
  return key.length > 200 ? `remote:${hash(key)}` : key
}

/** The `url` of `[remote "origin"]`; the last one that is not empty, as git reads it. */
function originIn(config: string): string | undefined {
  let origin: string | undefined
  let inside = false
  for (const line of config.split('\n')) {
    const section = /^\s*\[\s*([^\]]*?)\s*\](.*)$/.exec(line)
    if (section) inside = /^remote\s+"origin"$/i.test(section[1] ?? '')
    const setting = /^\s*url\s*=\s*(.*)$/i.exec(section ? (section[2] ?? '') : line)
    const url = inside ? setting?.[1]?.replace(/\s[#;].*$/, '').replace(/^"(.*)"\s*$/, '$1') : ''
    if (url?.trim()) origin = url.trim()
  }
  return origin
}

function gitFolder(text: string | undefined, top: string): string | undefined {
  const target = /^gitdir: (.+)$/m.exec(text ?? '')?.[1]?.trim()
  return target === undefined ? undefined : fromFolder(top, target)
}

function commonFolder(folder: string): string {
  const target = readText(`${folder}/commondir`)?.trim()
  return target ? fromFolder(folder, target) : folder
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat?.isFile() ? 'file' : stat?.isDirectory() ? 'folder' : undefined
  } catch {
    return undefined
  }
}

function readText(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat?.isFile() || stat.size > CONFIG_MAX_BYTES) return undefined
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function hash(text: string): string {
  return sha256(text).slice(0, 32)
}
