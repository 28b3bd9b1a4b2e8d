import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type WorkTree, workTreeOf } from '../hook/paths/repository.ts'
import { isAt } from './areas.ts'

/** Where git keeps a repository, and what in it decides which programs git runs. */
export type GitFolder = { folder: string; kept: string[] }

// In the folder of a repository, of each of its other work trees, and of each submodule.
const KEPT = ['hooks', 'config', 'config.worktree', 'commondir', 'gitdir']

/**
 * The folder in which `git commit` writes when it is called in `cwd`; undefined outside of a work
 * tree, and for a `.git` that leads to a repository which knows nothing of this work tree.
 */
export function gitFolderOf(cwd: string): GitFolder | undefined {
  const tree = workTreeOf(cwd)
  if (!tree || !existsSync(join(tree.common, 'objects')) || !isOwn(tree)) return undefined
  const nested = ['worktrees', 'modules'].flatMap((name) => foldersIn(join(tree.common, name)))
  const kept = [tree.common, ...nested].flatMap((folder) => KEPT.map((name) => join(folder, name)))
  return { folder: tree.common, kept }
}

// Whoever may write a `.git` file could otherwise open any folder.
function isOwn({ top, common }: WorkTree): boolean {
  if (common === join(top, '.git')) return true
  const parent = /^(.*)\/\.git\/modules\//.exec(common)?.[1]
  if (parent !== undefined && isAt(top, parent)) return true
  return foldersIn(join(common, 'worktrees')).some(
    (folder) => readText(join(folder, 'gitdir')) === join(top, '.git'),
  )
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  try {
    return readdirSync(folder).map((name) => join(folder, name))
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
