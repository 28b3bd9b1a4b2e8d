import { dlopen, ptr } from 'bun:ffi'
import { existsSync } from 'node:fs'
import type { Area } from './areas.ts'
import type { Program } from './find-program.ts'
import { ENDS, NotStarted } from './jail.ts'
import { addressesOf, cText, withTexts } from './kernel.ts'
import { seatbeltProfile } from './seatbelt.ts'

const SANDBOX_EXEC = '/usr/bin/sandbox-exec'

/** Becomes `sandbox-exec`, which becomes the program. Throws `NotStarted` if it is missing. */
export function startInSandbox(
  areas: readonly Area[],
  devices: readonly string[],
  program: Program,
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
