import { type Static, Type } from '@sinclair/typebox'
import { oneOf, PatternMeaning } from '../../../platform/schema.ts'
import { isBuiltin } from './builtins.ts'
import { rowOf } from './rows/index.ts'
import { isStarter } from './starters.ts'
import type { ReadingSummary } from './summary.ts'
import { gapOfWords } from './unknown.ts'

/**
 * Statements of an owner about a program: `words`, it starts no other program, whatever words it is
 * given; `project`, it is a tool of the project and runs its code.
 */
export const PROGRAM_KINDS = ['words', 'project'] as const
export type ProgramKind = (typeof PROGRAM_KINDS)[number]

export const NAME_MAX = 64

/** A program that a workspace knows and Beckon does not. */
export const OwnProgram = Type.Object(
  {
    name: Type.String({
      maxLength: NAME_MAX,
      pattern: '^[A-Za-z0-9_][A-Za-z0-9_.+-]*$',
      [PatternMeaning]: 'must be the name of a program, without a folder',
      description: 'The name as it stands in a command, without a folder.',
    }),
    kind: oneOf(PROGRAM_KINDS, {
      description:
        'words: it starts no other program, whatever words it is given. project: it is a tool of the project and runs its code.',
    }),
  },
  { additionalProperties: false },
)
export type OwnProgram = Static<typeof OwnProgram>

type Gap = ReadingSummary['open'][number]

/** A reading in which these programs are known. Every other reason why it is open stays. */
export function settle(summary: ReadingSummary, programs: readonly OwnProgram[]): ReadingSummary {
  const { open, commands } = summary
  if (programs.length === 0 || commands.length === 0) return summary
  const kinds = new Map(programs.map(({ name, kind }) => [name, kind]))
  const remaining = open.filter((gap) => !isSettled(gap, kinds))
  if (remaining.length === open.length) return summary
  const located = commands.map((command) =>
    kinds.get(command.program) === 'project'
      ? { ...command, does: 'project' as const, touches: 'project' as const }
      : command,
  )
  return { ...summary, open: remaining, commands: located }
}

function isSettled({ why, name = '' }: Gap, kinds: ReadonlyMap<string, ProgramKind>): boolean {
  const starts = (program: string) => kinds.get(program) === 'project'
  const startsNothing = (program: string) => kinds.get(program) === 'words'
  switch (why) {
    case 'program':
      return kinds.has(name)
    case 'input':
      return startsNothing(name)
    case 'option':
      return [...kinds].some(([own, kind]) => kind === 'words' && name === gapOfWords(own))
    case 'written': {
      const [runner = '', writer = ''] = name.split(' after ')
      return startsNothing(runner) || starts(writer)
    }
    default:
      return false
  }
}

/**
 * The programs of a reading that an owner could add, and the kinds that would leave something open;
 * no programs if both would.
 */
export function missingPrograms(summary: ReadingSummary): {
  names: string[]
  tooLittle: ProgramKind[]
} {
  const unknown = summary.open.flatMap(({ why, name = '' }) => (why === 'program' ? [name] : []))
  const names = [...new Set(unknown)].filter((name) => whyNotOwn(name) === undefined)
  const tooLittle = PROGRAM_KINDS.filter((kind) => {
    const all = names.map((name) => ({ name, kind }))
    return settle(summary, all).open.length > 0
  })
  return { names: tooLittle.length < PROGRAM_KINDS.length ? names : [], tooLittle }
}

/** Why a program cannot be added, in words that follow its name; undefined if it can. */
export function whyNotOwn(name: string): string | undefined {
  if (name.length > NAME_MAX || !new RegExp(OwnProgram.properties.name.pattern ?? '').test(name)) {
    return 'is not the name of a program without its folder'
  }
  // `bash-5.2`, `python3.13`, `BASH.exe`: on some machines letters have no case.
  const plain = name.toLowerCase().replace(/\.(exe|cmd|bat|com)$/, '')
  const names = [name, plain]
  if (names.some(isBuiltin)) return 'is a command of the shell'
  if ([...names, plain.replace(/[-.\d]+$/, '')].some(isStarter)) {
    return 'starts other programs or runs code that it is given'
  }
  return names.some((one) => rowOf(one)) ? 'is known to Beckon already' : undefined
}
