import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import type { Environment } from '../../platform/config/env.ts'
import { fromFolder } from '../paths/path-text.ts'
import { ENDS, NotStarted } from './jail.ts'
import { type Texts, textsIn, textsOf, withTexts } from './kernel.ts'

/**
 * The program to start: the file, its arguments and environment in the form that the kernel takes.
 */
export type FoundProgram = { file: string; argv: Texts; env: Texts; cwd: string }

/**
 * `given`: variables that it gets besides those of this process, as `NAME=VALUE` by their names.
 */
type Called = {
  words: readonly string[]
  cwd: string
  env: Environment
  variables: ReadonlyMap<string, string>
}

const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin'

/**
 * Finds the command as `execvp` does: in PATH, and a text file without `#!` goes to the shell.
 * Throws `NotStarted` with 127 or 126.
 */
export function findProgram({ words, cwd, env, variables }: Called): FoundProgram {
  const file = find(words[0] ?? '', cwd, env.PATH || USUAL_PATH)
  // The bytes as they came, because text in another encoding must not change.
  const argv = last(ownTexts('cmdline') ?? textsOf(words), words.length)
  const around = ownTexts('environ') ?? environOf(env)
  const program = withVariables({ file, argv, env: around, cwd }, variables)
  if (!isTextForShell(file)) return program
  const rest = last(argv, argv.starts.length - 1)
  return { ...program, file: '/bin/sh', argv: withTexts(rest, 0, ['sh', file]) }
}

/** The same program with other variables, as `NAME=VALUE` by their names. */
export function withVariables(
  program: FoundProgram,
  variables: ReadonlyMap<string, string>,
): FoundProgram {
  return variables.size === 0 ? program : { ...program, env: replaced(program.env, variables) }
}

/** The same program and environment, with one more argument after `word`. */
export function findItself(word: string, more: string): FoundProgram {
  const argv = ownTexts('cmdline') ?? textsOf([])
  const at = argv.starts.findIndex((start) => textAt(argv, start, 0) === word) + 1
  const env = ownTexts('environ') ?? textsOf([])
  return { file: process.execPath, argv: withTexts(argv, at, [more]), env, cwd: process.cwd() }
}

function last({ bytes, starts }: Texts, count: number): Texts {
  return { bytes, starts: count === 0 ? [] : starts.slice(-count) }
}

/** The text from `start` to the first byte that is `end`, a number. */
function textAt({ bytes }: Texts, start: number, end: number): string {
  return Buffer.from(bytes.subarray(start, bytes.indexOf(end, start))).toString()
}

function replaced(around: Texts, variables: ReadonlyMap<string, string>): Texts {
  const starts = around.starts.filter((start) => !variables.has(textAt(around, start, EQUALS)))
  return withTexts({ bytes: around.bytes, starts }, starts.length, [...variables.values()])
}

const EQUALS = 61

function find(name: string, cwd: string, path: string): string {
  let isThere = false
  const files = name.includes('/')
    ? [name]
    : path.split(':').map((folder) => `${folder || '.'}/${name}`)
  for (const one of name === '' ? [] : files) {
    const file = fromFolder(cwd, one)
    const kind = kindOf(file)
    if (kind === 'runnable') return file
    if (kind === 'other') isThere = true
  }
  if (isThere) throw new NotStarted(ENDS.notExecutable, `"${name}" cannot be executed.`)
  throw new NotStarted(ENDS.notFound, `There is no command "${name}".`)
}

function kindOf(file: string): 'runnable' | 'other' | 'missing' {
  try {
    // It is missing in most folders of PATH, so no error is created for that.
    const stat = statSync(file, { throwIfNoEntry: false })
    if (!stat) return 'missing'
    if (!stat.isFile()) return 'other'
  } catch {
    return 'missing'
  }
  try {
    accessSync(file, constants.X_OK)
    return 'runnable'
  } catch {
    return 'other'
  }
}

// The kernel starts only these formats; any other file is a shell script.
const BEGINS = /^(#!|\x7fELF|[\xcf\xfe\xca])/

function isTextForShell(file: string): boolean {
  const begin = Buffer.alloc(4)
  try {
    const opened = openSync(file, 'r')
    readSync(opened, begin, 0, begin.length, 0)
    closeSync(opened)
  } catch {
    // The file may be executable but not readable.
    return false
  }
  return !BEGINS.test(begin.toString('latin1'))
}

/** Undefined if the system does not tell. */
function ownTexts(name: 'cmdline' | 'environ'): Texts | undefined {
  if (process.platform !== 'linux') return undefined
  const cached = KNOWN.get(name)
  if (cached) return cached
  const bytes = readFileSync(`/proc/self/${name}`)
  const isEnded = bytes.length === 0 || bytes.at(-1) === 0
  const texts = textsIn(isEnded ? bytes : Buffer.concat([bytes, Buffer.alloc(1)]))
  KNOWN.set(name, texts)
  return texts
}

// They are what this process was started with, and are needed twice.
const KNOWN = new Map<'cmdline' | 'environ', Texts>()

function environOf(env: Environment): Texts {
  return textsOf(Object.entries(env).map(([name, value]) => `${name}=${value}`))
}
