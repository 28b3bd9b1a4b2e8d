import { readFind, readXargs } from './find.ts'
import { INTERPRETERS } from './interpreters.ts'
import { RUNNERS } from './runners.ts'
import { readAwk, readSed } from './scripts.ts'
import { readShell, SHELL_NAMES } from './shells.ts'
import type { Special } from './started.ts'
import { WRAPPERS } from './wrappers.ts'

/** The programs that have a reader of their own. */
export const SPECIAL: Readonly<Record<string, Special>> = {
  ...WRAPPERS,
  ...RUNNERS,
  ...INTERPRETERS,
  ...Object.fromEntries(SHELL_NAMES.map((name) => [name, readShell])),
  find: readFind,
  xargs: readXargs,
  sed: readSed,
  awk: readAwk,
  gawk: readAwk,
  mawk: readAwk,
}
