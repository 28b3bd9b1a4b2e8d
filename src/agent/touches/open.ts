import type { Command, Gap, Reading } from '../../ask/wire/reading/reading.ts'
import { rowOf } from '../../ask/wire/reading/rows/index.ts'
import { SHELL_NAMES } from '../../ask/wire/reading/shells.ts'
import { SPECIAL } from '../../ask/wire/reading/special.ts'
import { isStarter } from '../../ask/wire/reading/starters.ts'
import { isOrdinaryVariable } from '../../ask/wire/reading/variables.ts'
import { operandOf } from './operand.ts'
import { list, readOptions } from './options.ts'
import { PROGRAMS } from './programs.ts'
import { TOUCH_ROWS } from './rows.ts'

const IN_WORDS: Record<Gap['why'], string> = {
  syntax: 'it is not a complete command',
  size: 'it is too long',
  unseen: 'it has characters that cannot be seen',
  program: 'a program that is not known may start others, or has words that are not known',
  'program word': 'the command itself is not known',
  subcommand: 'what git does is not known',
  option: 'an option is not known',
  word: 'a word is not known',
  code: 'it runs code of its own',
  input: 'a program runs what it is fed',
  variable: 'it changes how the shell or a program finds its way',
  expansion: 'it has an expansion that cannot be followed',
  written: 'it runs what it has just written',
  target: 'a file that it changes is not known',
  'control file': 'it changes a file that programs read as commands',
  definition: 'it gives commands other meanings',
  language: 'it is in another language',
  redacted: 'it holds a secret',
}

/**
 * Why the shell itself is not understood in a text: then it may touch any path. Undefined if every
 * gap is only about what a program does with words that are all known; these words are judged.
 */
export function whyOpen(reading: Reading): string | undefined {
  const gap = reading.open.find((one) => !isAboutProgram(one, reading))
  return gap && IN_WORDS[gap.why]
}

function isAboutProgram(gap: Gap, { commands }: Reading): boolean {
  switch (gap.why) {
    case 'program':
      return commands.every(
        (one) => !isNamed(gap, one) || isJudged(one) || (isKnown(one) && !starts(one)),
      )
    case 'input': {
      const matching = commands.filter((one) => isNamed(gap, one))
      // The patch of `patch` is read elsewhere, or noted as open there.
      if (gap.name === PATCHER) return true
      return matching.length > 0 && matching.every((one) => isJudged(one) && !isRunner(one))
    }
    case 'subcommand':
      return concerned(gap, commands).every(
        (one) => one.program !== 'git' && isKnown(one) && !starts(one),
      )
    case 'option':
    case 'word': {
      const candidates = concerned(gap, commands)
      return candidates.length > 0 && candidates.every((one) => isSpelledOut(gap, one))
    }
    case 'variable':
      return (
        (gap.name !== undefined && isOrdinaryVariable(gap.name)) ||
        // It runs any code of the project anyway.
        commands.some(
          ({ does, env }) => does === 'project' && env.some(({ word }) => isSame(word.at, gap.at)),
        )
      )
    // Their paths are judged, and so is what runs them afterwards.
    case 'control file':
    case 'written':
      return true
    case 'target':
      return gap.name !== undefined && /^\/(dev|proc)\/[\w./-]*$/.test(gap.name)
    default:
      return false
  }
}

/** The commands of which not everything is understood, although all their words may be known. */
export function unclear({ open, commands }: Reading): ReadonlySet<Command> {
  const whys = new Set<Gap['why']>(['program', 'subcommand', 'option', 'word'])
  const gaps = open.filter(({ why }) => whys.has(why))
  return new Set(
    gaps.flatMap((gap) => [
      ...concerned(gap, commands),
      ...(gap.why === 'program' ? commands.filter((one) => isNamed(gap, one)) : []),
    ]),
  )
}

/**
 * Returns true if a gap is about this program: for `npx lex`, about the program that `npx` starts.
 */
function isNamed({ name = '' }: Gap, { program }: Command): boolean {
  return name === program || name.endsWith(` ${program}`)
}

/** git, patch and others may do what they are fed. */
function isRunner({ program }: Command): boolean {
  return program === 'git' || Object.hasOwn(PROGRAMS, program)
}

/** Returns true if a command is judged although one of its options or words is not in the table. */
function isSpelledOut({ at, why }: Gap, command: Command): boolean {
  if (Object.hasOwn(SPECIAL, command.program)) return false
  if (!isJudged(command)) return isKnown(command) && !starts(command) && !writesOperands(command)
  // A pattern may give an option: its names are looked up.
  const isPattern = command.words.some((word) => word.sure === 'names' && isSame(word.at, at))
  if (why === 'word') return isPattern
  return isKnown(command) && hasKnownOptions(command)
}

/**
 * Returns true if a program, other than one of the project, writes files that its operands name.
 */
function writesOperands({ program, does }: Command): boolean {
  const { operands = [] } = rowOf(program) ?? {}
  return does !== 'project' && operands.some((kind) => kind === 'write' || kind === 'path')
}

/** Returns true if every option of a program in the table is known, here or to the shell reader. */
function hasKnownOptions({ program, words }: Command): boolean {
  const touch = Object.hasOwn(TOUCH_ROWS, program) ? TOUCH_ROWS[program] : undefined
  const row = rowOf(program)
  if (!touch) return false
  const { takes, writes, into, trees, firstBy, deep, folders, asFile, spreads, links } = touch
  const taking = [takes, writes, into, trees, firstBy].flatMap(list)
  const others = [deep, folders, asFile, spreads, links].flatMap(list)
  const options = [...taking, ...others, ...(row?.options.keys() ?? [])]
  const { flags } = readOptions(
    words.map((word) => operandOf(word, '/')),
    taking,
  )
  return [...flags].every(
    (flag) =>
      options.some((one) => one === flag || (flag.length > 4 && one.startsWith(flag))) ||
      (touch.modes === true && /^-[rwxXst]$/.test(flag)),
  )
}

// As a word of a program that is not known, they are likely to be what it starts.
const STARTED = new Set(
  'rm mv cp dd tee touch ln chmod chown sed awk git find xargs env sudo perl python python3 node ruby php'.split(
    ' ',
  ),
)

function starts({ program, words }: Command): boolean {
  const name = program
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/(\.exe|[\d.]+)$/, '')
  // `env - rm`: what was read as a program is an option.
  const isStarted = words.some(({ text, sure }) => {
    // `--pre 'touch a'`: a command may be one word.
    const [first = ''] = text
      .replace(/^-[^=]*=/, '')
      .trim()
      .split(/\s/, 1)
    const word = first.replace(/^.*\//, '')
    return sure === 'text' && (STARTED.has(word) || SHELL_NAMES.includes(word))
  })
  return (
    isStarter(name) ||
    isStarter(name.replace(/[-.\d]+$/, '')) ||
    program.startsWith('-') ||
    isStarted
  )
}

/** The commands that a gap may be about. */
function concerned({ at }: Gap, commands: readonly Command[]): readonly Command[] {
  return commands.filter(
    (one) => isSame(one.at, at) || one.words.some((word) => isSame(word.at, at)),
  )
}

function isSame(one: Gap['at'], other: Gap['at']): boolean {
  return one[0] === other[0] && one[1] === other[1]
}

/**
 * Returns true if the words of a command are all known: exactly, as numbers, or as names of files.
 */
function isKnown({ words }: Command): boolean {
  return words.every(({ sure }) => sure !== 'part')
}

/** The program with which agents apply their patches. */
export const PATCHER = 'apply_patch'

/** Returns true if a program is judged by what its words name. */
function isJudged({ program }: Command): boolean {
  return program === 'git' || Object.hasOwn(TOUCH_ROWS, program) || Object.hasOwn(PROGRAMS, program)
}
