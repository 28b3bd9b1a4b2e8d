import type { ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { suggest } from '../did-you-mean.ts'
import { WrongUsage } from '../failure.ts'
import { cleanLine, cutText } from '../text.ts'
import { readPlainOptions } from './plain-options.ts'

// Enough to recognise it.
const SHOWN = 60

/** The option of every command that works on the data folder. */
export const DATA_OPTION = { data: { type: 'string' } } as const

/**
 * Reads options and the named positional arguments, all of which are required. Throws
 * `WrongUsage` in one sentence.
 */
export function readArguments<
  const O extends ParseArgsOptionsConfig,
  const P extends string = never,
>(args: string[], options: O, positionals: readonly P[] = []) {
  const { values, positionals: positions } = parsed(args, options)
  const extra = positions[positionals.length]
  if (extra !== undefined) throw new WrongUsage(`"${extra}" is one argument too many.`)
  const missing = positionals[positions.length]
  if (missing !== undefined) throw new WrongUsage(`${missing} is missing.`)
  const byName = Object.fromEntries(positionals.map((name, i) => [name, positions[i]]))
  return { ...values, ...(byName as Record<P, string>) }
}

/** Reads options, and any number of other arguments. Throws `WrongUsage` in one sentence. */
export function readOpenArguments<const O extends ParseArgsOptionsConfig>(
  args: string[],
  options: O,
) {
  const { values, positionals } = parsed(args, options)
  return { ...values, operands: positionals }
}

/** The value of an option that the command requires. */
export function required(value: string | undefined, option: string): string {
  if (value?.trim()) return value.trim()
  throw new WrongUsage(`--${option} is missing.`)
}

/** Picks the way to run a command by its first argument (`key create`). */
export function subcommand<T>(args: string[], ways: Record<string, T>): { way: T; rest: string[] } {
  const [name, ...rest] = args
  const subcommandNames = Object.keys(ways)
  const names = subcommandNames.join(', ')
  if (name === undefined || name.startsWith('-')) {
    throw new WrongUsage(`Say which of these to do: ${names}.`)
  }
  const way = Object.hasOwn(ways, name) ? ways[name] : undefined
  if (!way)
    throw new WrongUsage(`"${name}" is not one of ${names}${suggest(name, subcommandNames) || '.'}`)
  return { way, rest }
}

function parsed<const O extends ParseArgsOptionsConfig>(args: string[], options: O) {
  type Parsed = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>
  const plain = readPlainOptions(args, options)
  if (plain) return plain as unknown as Parsed
  try {
    const util = process.getBuiltinModule('node:util')
    return util.parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error
    const text = beforeDashes(args).find((arg) => /^-[^=]*\s/.test(arg))
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && text !== undefined) {
      throw new WrongUsage(
        `"${cutText(cleanLine(text), SHOWN)}" begins with a dash, as options do: put -- before it, after all options.`,
      )
    }
    const wantsValue = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument (?:missing|is ambiguous)/.exec(
      message,
    )?.[1]
    if (wantsValue) {
      throw new WrongUsage(
        `${wantsValue} needs a value; one that begins with a dash is written as ${wantsValue}=-VALUE.`,
      )
    }
    const unknown = /^Unknown option '(--[^']*)'/.exec(message)?.[1]
    const suggestion = unknown && suggest(unknown, [...Object.keys(options), 'help'].map(dashed))
    throw new WrongUsage(
      suggestion ? `Unknown option "${unknown}"${suggestion}` : sentence(message),
    )
  }
}

/** The words that may be options. */
function beforeDashes(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  return end < 0 ? args : args.slice(0, end)
}

function dashed(option: string): string {
  return `--${option}`
}

function sentence(message: string): string {
  const [first = message] = message.split(/\n|\. /)
  return `${first.replace(/\.$/, '').replaceAll("'", '"')}.`
}
