import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { WorkTree } from '../hook/paths/repository.ts'
import { isAt } from './areas.ts'

/** Where git keeps a repository, and what in it decides which programs git runs. */
export type GitFolder = { folder: string; kept: string[] }

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
