import { join } from 'node:path'
import type { Environment } from '../../platform/config/env.ts'
import { workTreeOf } from '../hook/paths/repository.ts'
import { type Area, areasOf, isAt, type Mode, realPath } from './areas.ts'
import { gitFolderOf } from './git-folder.ts'
import type { Wish } from './jail.ts'
import { makeStateFolders, stateFolders } from './state-folders.ts'

/** What was asked for, with what every command may change, and without the project around it. */
export function askedAreas(wish: Wish, { cwd, env }: { cwd: string; env: Environment }): Area[] {
  const asked: Array<readonly [string, Mode]> = []
  if (!wish.withoutState) {
    makeStateFolders(env)
    const folders = stateFolders(env).flatMap((folder) => realPath(folder) ?? [])
    const git = gitFolderOf(cwd)
    for (const folder of folders) asked.push([folder, 'write'])
    const top = real(workTreeOf(cwd)?.top ?? cwd)
    if (isTemporary(top, folders, wish.write)) asked.push([top, 'read'])
    const cache = realPath(join(top, 'node_modules/.cache'))
    if (cache !== undefined && isAt(cache, top)) asked.push([cache, 'write'])
    if (git) asked.push([git.folder, 'write'])
    for (const path of git?.kept ?? []) asked.push([path, 'read'])
  }
  for (const path of wish.write) asked.push([path, 'write'])
  for (const path of wish.keep) asked.push([path, 'read'])
  for (const path of wish.deny) asked.push([path, 'none'])
  return areasOf(asked)
}

/** A project in a temporary folder is no temporary file. */
function isTemporary(
  project: string,
  folders: readonly string[],
  write: readonly string[],
): boolean {
  const isInside = folders.some((folder) => project !== folder && isAt(project, folder))
  return isInside && !write.map(real).some((path) => isAt(project, path))
}

function real(path: string): string {
  return realPath(path) ?? path
}
