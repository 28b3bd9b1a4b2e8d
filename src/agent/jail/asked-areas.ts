import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { stateFolder } from '../../platform/config/client-file.ts'
import type { Environment } from '../../platform/config/env.ts'
import { type WorkTree, workTreeOf } from '../hook/paths/repository.ts'
import { type Area, areasOf, isAt, type Mode, rememberedPaths } from './areas.ts'
import type { Wish } from './jail.ts'
import { existsByItself } from './placeholder-records.ts'
import { type Placeholder, placeholdersOfGit } from './placeholders.ts'
import { makeStateFolders, stateFolders } from './state-folders.ts'

/**
 * The areas that were asked for, and those that every command may change, with what must be made
 * for them.
 */
export function askedAreas(
  wish: Wish,
  { cwd, env }: { cwd: string; env: Environment },
): { areas: Area[]; placeholders: Placeholder[] } {
  const missing = [...(wish.placeholders ?? [])]
  const asked: Array<readonly [string, Mode]> = []
  const find = rememberedPaths()
  const real = (path: string) => find(path)?.path
  if (!wish.withoutState) {
    makeStateFolders(env)
    const folders: string[] = []
    for (const folder of stateFolders(env)) {
      const found = find(folder)
      if (!found) continue
      folders.push(found.path)
      asked.push([found.path, 'write'])
    }
    const tree = workTreeOf(cwd)
    const git = tree && gitFolderOf(tree)
    const project = tree?.top ?? cwd
    const top = real(project) ?? project
    const write = wish.write.map((path) => real(path) ?? path)
    if (isTemporary(top, folders, write)) asked.push([top, 'read'])
    const cache = real(`${top}/node_modules/.cache`)
    if (cache !== undefined && isAt(cache, top)) asked.push([cache, 'write'])
    if (git) asked.push([git.folder, 'write'])
    for (const path of git?.kept ?? []) asked.push([path, 'read'])
    const exists = existsByItself(stateFolder(env))
    const ofGit = wish.placeholders ? (git?.nested ?? []) : []
    for (const folder of ofGit) missing.push(...placeholdersOfGit(folder, exists))
  }
  for (const path of wish.write) asked.push([path, 'write'])
  for (const path of wish.keep) asked.push([path, 'read'])
  for (const path of wish.deny) asked.push([path, 'none'])
  const placeholders = missing.map((one) => ({ ...one, path: realPath(one.path, real) }))
  const made = new Map(placeholders.map((one) => [one.path, one]))
  for (const { path, isKept } of placeholders) if (isKept) asked.push([path, 'read'])
  const owner = process.geteuid?.() ?? 0
  const areas = areasOf(asked, (path) => {
    const placeholder = made.get(path)
    return placeholder ? { path, isFolder: placeholder.text === undefined, owner } : find(path)
  })
  return { areas, placeholders }
}

/** Without links, for a path whose end does not exist. */
function realPath(path: string, real: (path: string) => string | undefined): string {
  const whole = real(path)
  if (whole !== undefined || path === '/') return whole ?? path
  return join(realPath(dirname(path), real), basename(path))
}

/** A project inside a temporary folder is not a temporary file. */
function isTemporary(
  project: string,
  folders: readonly string[],
  write: readonly string[],
): boolean {
  const isInside = folders.some((folder) => project !== folder && isAt(project, folder))
  return isInside && !write.some((path) => isAt(project, path))
}

/**
 * Where git keeps a repository, and what in it decides which programs git runs. `nested`: it, and
 * those of submodules in it.
 */
type GitFolder = { folder: string; kept: string[]; nested: string[] }

// These are in the folder of a repository, of each of its other work trees, and of each submodule.
const KEPT = ['hooks', 'config', 'config.worktree', 'commondir', 'gitdir', 'info/attributes']

/**
 * The folder in which `git commit` writes when it runs in a work tree; undefined if `.git` leads to
 * a repository that does not know the work tree.
 */
export function gitFolderOf(tree: WorkTree): GitFolder | undefined {
  if (!existsSync(`${tree.common}/objects`) || !isOwn(tree)) return undefined
  const { common } = tree
  const whole = [common, ...foldersIn(`${common}/modules`)]
  const kept: string[] = []
  for (const folder of [...whole, ...foldersIn(`${common}/worktrees`)])
    for (const name of KEPT) kept.push(`${folder}/${name}`)
  return { folder: common, kept, nested: whole }
}

// Otherwise anybody who can write a `.git` file could open any folder.
function isOwn({ top, common }: WorkTree): boolean {
  if (common === `${top}/.git`) return true
  const parent = /^(.*)\/\.git\/modules\//.exec(common)?.[1]
  if (parent !== undefined && isAt(top, parent)) return true
  return foldersIn(`${common}/worktrees`).some(
    (folder) => readText(`${folder}/gitdir`) === `${top}/.git`,
  )
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  try {
    return readdirSync(folder).map((name) => `${folder}/${name}`)
  } catch {
    return []
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
