import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import type { Environment } from '../../platform/config/env.ts'
import type { Place } from './client-setup.ts'

/** This machine and its user; with `project`, the files of the project there. */
export function placeOf(env: Environment, project: string | undefined): Place {
  return {
    home: env.HOME || homedir(),
    env,
    platform: process.platform,
    project,
    has: existsSync,
    read: textOf,
    onPath: (name) => Bun.which(name, { PATH: env.PATH ?? '' }) !== null,
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** A path as people write it. */
export function shownPath({ home }: Place, path: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}
