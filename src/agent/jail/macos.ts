import { dlopen, ptr } from 'bun:ffi'
import { existsSync } from 'node:fs'
import { type Area, foldersOnTheWay } from './areas.ts'
import type { FoundProgram } from './find-program.ts'
import { ENDS, NotStarted } from './jail.ts'
import { addressesOf, cText, withTexts } from './kernel.ts'

const SANDBOX_EXEC = '/usr/bin/sandbox-exec'

/** Becomes `sandbox-exec`, which becomes the program. Throws `NotStarted` if it is missing. */
export function startInSandbox(
  areas: readonly Area[],
  devices: readonly string[],
  program: FoundProgram,
): never {
  if (!existsSync(SANDBOX_EXEC))
    throw new NotStarted(ENDS.notContained, `This system has no ${SANDBOX_EXEC}.`)
  const profile = seatbeltProfile(areas, devices)
  const options = ['sandbox-exec', '-p', profile, program.file]
  const word = 'ptr'
  const system = dlopen('libSystem.B.dylib', {
    execve: { args: [word, word, word], returns: 'i32' },
  })
  const { bytes, starts } = program.argv
  const argv = withTexts({ bytes, starts: starts.slice(1) }, 0, options)
  const [file, args, env] = [cText(SANDBOX_EXEC), addressesOf(argv), addressesOf(program.env)]
  system.symbols.execve(ptr(file), ptr(args), ptr(env))
  throw new NotStarted(ENDS.notContained, `${SANDBOX_EXEC} cannot be executed.`)
}

type Place = Omit<Area, 'owner'>

/**
 * The profile of `sandbox-exec` for these areas. If several rules match, the last one counts, so
 * they are ordered from the outermost area to the innermost.
 */
export function seatbeltProfile(areas: readonly Place[], devices: readonly string[]): string {
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    ...devices.map((path) => `(allow file-write* (subpath ${quoted(path)}))`),
    ...areas.map(ruleOf),
    ...foldersOnTheWay(areas).map((path) => `(deny file-write-unlink (literal ${quoted(path)}))`),
    '',
  ].join('\n')
}

function ruleOf({ path, mode, isFolder }: Place): string {
  const place = `(${isFolder ? 'subpath' : 'literal'} ${quoted(path)})`
  if (mode === 'write') return `(allow file-write* ${place})`
  return mode === 'read' ? `(deny file-write* ${place})` : `(deny file-read* file-write* ${place})`
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`
}
