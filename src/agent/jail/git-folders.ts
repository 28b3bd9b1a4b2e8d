import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { WorkTree } from '../paths/repository.ts'
import { isAt } from './areas.ts'
import { type Exists, type Placeholder, placeholdersOfGit } from './placeholders.ts'

// The files of a git folder that decide which programs git runs. They are in the folder of a repository,
// of each of its other work trees, and of each submodule.
const PROTECTED_NAMES = [
  'hooks',
  'config',
  'config.worktree',
  'commondir',
  'gitdir',
  'info/attributes',
]

// A repository with more submodules and work trees is not kept as a whole.
const FOLDERS_MAX = 2_000

/** The folders of repositories, and of their other work trees. */
type GitFolders = { repositories: string[]; workTrees: string[] }

/** The folder of a repository, those of its submodules at any depth, and of the work trees of all. */
function gitFoldersOf(common: string): GitFolders {
  const repositories = [common]
  const open = foldersIn(`${common}/modules`)
  for (let at = 0; at < open.length && at < FOLDERS_MAX; at++) {
    const folder = open[at] as string
    // The name of a submodule may have slashes in it.
    if (!existsSync(`${folder}/HEAD`)) {
      open.push(...foldersIn(folder))
      continue
    }
    repositories.push(folder)
    open.push(...foldersIn(`${folder}/modules`))
  }
  const workTrees = repositories.flatMap((folder) => foldersIn(`${folder}/worktrees`))
  return { repositories, workTrees }
}

/** The paths in a repository's folder that a command may not change, whether they exist or not. */
export function protectedGitPaths(common: string): string[] {
  const { repositories, workTrees } = gitFoldersOf(common)
  return [...repositories, ...workTrees].flatMap((folder) =>
    PROTECTED_NAMES.map((name) => `${folder}/${name}`),
  )
}

/**
 * Lists the files of a repository that must be created for the time of a command, because they do
 * not exist.
 */
export function placeholdersInGit(common: string, exists: Exists): Placeholder[] {
  const { repositories, workTrees } = gitFoldersOf(common)
  return [
    ...repositories.flatMap((folder) => placeholdersOfGit(folder, exists)),
    ...workTrees.map((folder) => settingsOfWorkTree(folder)).filter(({ path }) => !exists(path)),
  ]
}

function settingsOfWorkTree(folder: string): Placeholder {
  return { path: `${folder}/config.worktree`, text: '', isKept: true }
}

/**
 * The folder in which `git commit` writes when it runs in a work tree; undefined if `.git` leads to
 * a repository that does not know the work tree.
 */
export function gitFolderOf(tree: WorkTree): string | undefined {
  return existsSync(`${tree.common}/objects`) && isOwn(tree) ? tree.common : undefined
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
