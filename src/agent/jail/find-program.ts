import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { resolve } from 'node:path'
import type { Environment } from '../../platform/config/env.ts'
import { ENDS, NotStarted } from './jail.ts'
import { cText } from './kernel.ts'

/** What is started: the file, its arguments and environment as the kernel takes them. */
export type Program = { file: string; argv: Uint8Array[]; env: Uint8Array[]; cwd: string }

/** `given`: variables that it gets beside those around it, as `NAME=VALUE` by their names. */
type Called = {
  words: readonly string[]
  cwd: string
  env: Environment
  given: ReadonlyMap<string, string>
}

const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin'

/**
 * Finds the command as `execvp` does: in PATH, and a text without `#!` is for the shell. Throws
 * `NotStarted` with 127 or 126.
 */
export function findProgram({ words, cwd, env, given }: Called): Program {
  const file = find(words[0] ?? '', cwd, env.PATH || USUAL_PATH)
  // As they came: text in another encoding stays what it is.
  const argv = ownWords('cmdline')?.slice(-words.length) ?? words.map((word) => cText(word))
  const around = ownWords('environ') ?? environOf(env)
  const others = given.size === 0 ? around : around.filter((entry) => !given.has(nameOf(entry)))
  const own = [...given.values()].map((entry) => cText(entry))
  const program = { file, argv, env: [...others, ...own], cwd }
  if (!isTextForShell(file)) return program
  return { ...program, file: '/bin/sh', argv: [cText('sh'), cText(file), ...argv.slice(1)] }
}

/** The same program and environment, with one more argument before those it was called with. */
export function findItself(after: string, more: string): Program {
  const words = ownWords('cmdline') ?? []
  const at = words.findIndex((word) => Buffer.from(word).toString() === `${after}\0`) + 1
  const argv = [...words.slice(0, at), cText(more), ...words.slice(at)]
  return { file: process.execPath, argv, env: ownWords('environ') ?? [], cwd: process.cwd() }
}

function find(name: string, cwd: string, path: string): string {
  const folders = name.includes('/') ? ['.'] : path.split(':')
  const files = folders.map((folder) => resolve(cwd, folder || '.', name))
  const found = files.find(isRunnable)
  if (found !== undefined && name !== '') return found
  if (name !== '' && files.some((one) => existsSync(one)))
    throw new NotStarted(ENDS.notExecutable, `"${name}" cannot be executed.`)
  throw new NotStarted(ENDS.notFound, `There is no command "${name}".`)
}

function isRunnable(file: string): boolean {
  // In most folders of PATH it is missing: no error is made for that.
  if (!existsSync(file)) return false
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

// The kernel starts neither: what begins otherwise is a script of the shell.
const BEGINS = /^(#!|\x7fELF|[\xcf\xfe\xca])/

function isTextForShell(file: string): boolean {
  const begin = Buffer.alloc(4)
  try {
    const opened = openSync(file, 'r')
    readSync(opened, begin, 0, begin.length, 0)
    closeSync(opened)
  } catch {
    // It may be run and not read.
    return false
  }
  return !BEGINS.test(begin.toString('latin1'))
}

/** Undefined where the system does not say. */
function ownWords(name: 'cmdline' | 'environ'): Uint8Array[] | undefined {
  if (process.platform !== 'linux') return undefined
  const known = KNOWN.get(name)
  if (known) return known
  const bytes = readFileSync(`/proc/self/${name}`)
  const words: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at)
    words.push(bytes.subarray(at, end + 1))
    at = end < 0 ? bytes.length : end + 1
  }
  KNOWN.set(name, words)
  return words
}

// They are what this process was started with, and are needed twice.
const KNOWN = new Map<'cmdline' | 'environ', Uint8Array[]>()

function nameOf(entry: Uint8Array): string {
  return Buffer.from(entry.subarray(0, Math.max(0, entry.indexOf(EQUALS)))).toString()
}

const EQUALS = 61

function environOf(env: Environment): Uint8Array[] {
  return Object.entries(env).map(([name, value]) => cText(`${name}=${value}`))
}
