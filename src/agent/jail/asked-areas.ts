import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Environment } from '../../platform/config/env.ts'
import { type WorkTree, workTreeOf } from '../hook/paths/repository.ts'
import { type Area, areasOf, isAt, type Mode, rememberedPaths } from './areas.ts'
import type { Wish } from './jail.ts'
import { makeStateFolders, stateFolders } from './state-folders.ts'

/** The areas that were asked for, and those that every command may change. */
export function askedAreas(wish: Wish, { cwd, env }: { cwd: string; env: Environment }): Area[] {
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
  }
  for (const path of wish.write) asked.push([path, 'write'])
  for (const path of wish.keep) asked.push([path, 'read'])
  for (const path of wish.deny) asked.push([path, 'none'])
  return areasOf(asked, find)
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

/** Where git keeps a repository, and what in it decides which programs git runs. */
type GitFolder = { folder: string; kept: string[] }

// These are in the folder of a repository, of each of its other work trees, and of each submodule.
const KEPT = ['hooks', 'config', 'config.worktree', 'commondir', 'gitdir']

/**
 * The folder in which `git commit` writes when it runs in a work tree; undefined if `.git` leads to
 * a repository that does not know the work tree.
 */
export function gitFolderOf(tree: WorkTree): GitFolder | undefined {
  if (!existsSync(`${tree.common}/objects`) || !isOwn(tree)) return undefined
  const { common } = tree
  const nested = [...foldersIn(`${common}/worktrees`), ...foldersIn(`${common}/modules`)]
  const kept: string[] = []
  for (const folder of [common, ...nested]) for (const name of KEPT) kept.push(`${folder}/${name}`)
  return { folder: common, kept }
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
