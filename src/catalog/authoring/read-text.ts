import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FileProblem } from '../records/problem.ts'
import { realPlaceOf } from './list-folder.ts'

// Files written by hand are far smaller, and a megabyte of YAML takes seconds to parse.
const RECORD_BYTES_MAX = 64 * 1024
/** For the few files whose lists grow with the catalog. */
const LIST_BYTES_MAX = 256 * 1024
// Opening a pipe without a writer would block for ever.
const READ = constants.O_RDONLY | constants.O_NONBLOCK
// If the system cannot refuse links, each file is checked.
const REFUSE_LINKS: number | undefined = constants.O_NOFOLLOW

/** Reads the text of one file, or returns the problem. Never throws. */
export type ReadText = (file: string) => Promise<string | FileProblem>

export async function readFolderFile(folder: string, file: string): Promise<string | FileProblem> {
  return await textReader(folder)(file)
}

/** For many files of one folder: each subfolder is checked once. */
export function textReader(folder: string): ReadText {
  const places = new Map<string, Promise<string | undefined>>()
  let root: string | undefined

  async function isOutside(path: string): Promise<boolean> {
    root ??= realpathSync(folder)
    return (await realPlaceOf(path, root)) === 'outside'
  }

  async function opened(path: string): Promise<number | undefined> {
    const parent = dirname(path)
    root ??= realpathSync(folder)
    const place = places.get(parent) ?? realPlaceOf(parent, root)
    places.set(parent, place)
    if ((await place) === 'outside') return undefined
    if (REFUSE_LINKS !== undefined) {
      try {
        return openSync(path, READ | REFUSE_LINKS)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error
      }
    }
    return (await isOutside(path)) ? undefined : openSync(path, READ)
  }

  return async (file) => {
    const problem = (expected: string, actual: string) => ({
      file,
      line: 0,
      field: '',
      expected,
      found: actual,
    })
    let handle: number | undefined
    try {
      handle = await opened(join(folder, file))
      if (handle === undefined) return problem('a file of this folder', OUTSIDE)
      const about = fstatSync(handle)
      if (!about.isFile()) return problem('a file', 'something else')
      const most = file.includes('/') ? RECORD_BYTES_MAX : LIST_BYTES_MAX
      if (about.size > most) {
        return problem(`at most ${most / 1024} KiB`, `${Math.ceil(about.size / 1024)} KiB`)
      }
      return textOf(readFileSync(handle)) ?? problem('text in UTF-8', 'bytes that are not text')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return problem('the file', 'nothing')
      return problem('a file that can be read', code ?? 'a failure')
    } finally {
      if (handle !== undefined) closeSync(handle)
    }
  }
}

const OUTSIDE = 'a link that leads out of it'

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n')
  } catch {
    return undefined
  }
}
