import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  linkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure } from '../../platform/failure.ts'
import { syncToDisk } from '../../platform/sync-to-disk.ts'
import { sweepFolders, temporaryFolder } from '../../platform/temporary-folder.ts'

/** A new executable beside the one it is to replace, on the same disk. */
export type Staged = Disposable & { path: string; replaces: Replaced }
type Replaced = { path: string; inode: number; changedAt: number }

const EXECUTABLE = 0o755
const STAGED = '.beckon-new-'
const VERSION_MS = 30_000

/** Removes what updates of this program that were killed left beside it. */
export function sweepUpdates(): void {
  sweepFolders(dirname(process.execPath), STAGED)
}

/** Throws a `Failure`, in one sentence, if the person may not replace `program`. */
export function requireReplaceable(program: string): void {
  const folder = dirname(realpathSync(program))
  try {
    accessSync(folder, constants.W_OK)
  } catch (cause) {
    const why = `${folder} cannot be written by you, so the program in it cannot be replaced`
    throw new Failure(
      'forbidden',
      `${why}; run this as the user who installed it (sudo), or, in a container, start a newer image.`,
      {
        cause,
      },
    )
  }
}

/**
 * Takes the executable out of a release's archive (bytes of a .tar.gz), puts it beside `program`,
 * and runs it once to check its `version`. Disposing removes it, unless it has replaced `program`.
 * Throws a `Failure` if it cannot be written or is not the right program.
 */
export async function stageProgram(
  archive: Uint8Array<ArrayBuffer>,
  version: string,
  program: string,
): Promise<Staged> {
  const path = realpathSync(program)
  const before = statSync(path)
  const folder = dirname(path)
  try {
    const own = temporaryFolder(folder, STAGED)
    const file = join(own.path, basename(path))
    try {
      writeFileSync(file, await executableIn(archive))
      chmodSync(file, EXECUTABLE)
      syncToDisk(file)
      requireVersion(file, version)
    } catch (error) {
      own[Symbol.dispose]()
      throw error
    }
    const replaces = { path, inode: before.ino, changedAt: before.mtimeMs }
    return { path: file, replaces, [Symbol.dispose]: own[Symbol.dispose] }
  } catch (error) {
    if (error instanceof Failure) throw error
    const { code, message } = error as NodeJS.ErrnoException
    const why = `The new program could not be put into ${folder} (${code ?? message})`
    throw new Failure('unavailable', `${why}; nothing was changed.`, { cause: error })
  }
}

/**
 * Replaces the old program by the staged one; the old one is kept under the name that is returned.
 * At every moment, even after a power cut, one complete program has the name. Throws `conflict` if
 * somebody else replaced it meanwhile, `unavailable` if the system does not let it be replaced.
 */
export function replaceProgram({ path: staged, replaces }: Staged): string {
  const { path, inode, changedAt } = replaces
  const now = statSync(path)
  if (now.ino !== inode || now.mtimeMs !== changedAt) {
    throw new Failure('conflict', `${path} was replaced meanwhile; nothing was changed.`)
  }
  const previousPath = previousOf(path)
  const part = `${previousPath}.part`
  try {
    rmSync(part, { force: true })
    copyOf(path, part)
    renameSync(part, previousPath)
    // Renaming one name of a file to another of its names does nothing: an update was cut off here.
    rmSync(part, { force: true })
    renameSync(staged, path)
    syncToDisk(dirname(path))
    return previousPath
  } catch (cause) {
    rmSync(part, { force: true })
    throw notReplaced(path, cause)
  }
}

/** A container may have mounted the file itself, and some files may not be changed by anybody. */
function notReplaced(path: string, cause: unknown): Failure {
  const { code, message } = cause as NodeJS.ErrnoException
  const why = `${path} cannot be replaced (${code ?? message}), so the old program stays`
  return new Failure('unavailable', `${why}. In a container, start a newer image.`, { cause })
}

/** Restores the program that `replaceProgram` kept. */
export function putBackProgram(program: string): void {
  const path = realpathSync(program)
  renameSync(previousOf(path), path)
  syncToDisk(dirname(path))
}

function previousOf(path: string): string {
  return `${path}.previous`
}

/** A hard link to the file, if the disk supports it. */
function copyOf(path: string, to: string): void {
  try {
    linkSync(path, to)
  } catch {
    copyFileSync(path, to)
    syncToDisk(to)
  }
}

async function executableIn(archive: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const files = await new Bun.Archive(archive).files('*/beckon')
  const [file] = [...files.values()]
  if (file) return await file.bytes()
  throw new Failure('unavailable', 'The archive of the release has no program in it.')
}

function requireVersion(file: string, version: string): void {
  const ran = Bun.spawnSync([file, '--version'], { stdin: 'ignore', timeout: VERSION_MS })
  const output = ran.stdout.toString().trim()
  if (ran.success && output === `beckon ${version}`) return
  const problem =
    output || ran.stderr.toString().trim() || `ended with ${ran.exitCode ?? ran.signalCode}`
  throw new Failure(
    'unavailable',
    `The new program does not run on this system as ${version} (${problem}); nothing was changed.`,
  )
}
