import type { Does, Touches } from './reading.ts'

/**
 * What a value stands for: nothing special, a file that is read, a file whose content is written, a
 * path that is made, moved or removed, a file that is built from the project, code or settings of
 * the project, a package, a query, an expression of yq, a goal of make, a phase of Maven, an address of git or of the
 * web, an archive of tar, a format of output or of a date, options of a compiler, a command, a secret,
 * a name and a secret, a database, a variable of psql, or a file for a program that reads options
 * from `@file`.
 */
export type Kind =
  | 'text'
  | 'read'
  | 'write'
  | 'path'
  | 'build'
  | 'project'
  | 'package'
  | 'query'
  | 'expression'
  | 'goal'
  | 'phase'
  | 'address'
  | 'url'
  | 'archive'
  | 'format'
  | 'date'
  | 'flags'
  | 'command'
  | 'secret'
  | 'pair'
  | 'connection'
  | 'setting'
  | 'object'

/** Returns true if a value of the kind names what is written, made, moved or removed. */
export function isWritten(kind: Kind | undefined): boolean {
  return kind === 'write' || kind === 'path' || kind === 'build' || kind === 'archive'
}

export type Option = {
  /** No value; a value, attached or the next word; a value only if it is attached. */
  takes: 'none' | 'value' | 'attached'
  kind: Kind
}

/** The understood part of a program or of one of its subcommands. All else is open. */
export type Row = {
  does: Does
  touches: Touches
  options: ReadonlyMap<string, Option>
  /** The meaning of the operands; the last goes on, `undefined` ends. Empty: it takes none. */
  operands: readonly (Kind | undefined)[]
  /** No word of it can do harm: it takes any, those that are not known too. */
  takesAny: boolean
  /** True if its options end at the first operand. */
  endsAtOperand: boolean
  /** Long options have one hyphen: `-name x`. */
  singleHyphen: boolean
  /** `-5` is an option. */
  takesDigits: boolean
  /** True if the input from another program is only data. */
  readsInput: boolean
  /** True if a file of the project is the program's normal input. */
  readsFile: boolean
  /** True if it writes files that its words do not name. */
  writesFiles: boolean
  /** True if its subcommands have rows of their own. */
  hasSubcommands: boolean
}

const KINDS: Record<string, Kind> = {
  t: 'text',
  r: 'read',
  w: 'write',
  p: 'path',
  c: 'command',
  s: 'secret',
  l: 'pair',
  q: 'query',
  e: 'expression',
  g: 'goal',
  m: 'phase',
  a: 'address',
  b: 'build',
  f: 'project',
  k: 'package',
  u: 'url',
  h: 'archive',
  y: 'format',
  d: 'date',
  x: 'flags',
  n: 'connection',
  v: 'setting',
  o: 'object',
}

/**
 * Reads one row: `names | does | options | operands`. `does` may name what it touches
 * (`writes:project`) and carry marks: `+any`, `+first`, `+single`, `+digits`, `+input`, `+noinput`, `+file`, `+writes`, `+sub`.
 * Options: `-n` has no value, `-o=w` has one, `--color?t` has one only if it is attached; the
 * letter is the kind; `-O!` writes a file that is not named. Operands: `t`, `r`, `w`, `p`; the last goes on, `.` ends.
 */
export function readRow(line: string): Row {
  const [, behaviour = '', options = '', operands = ''] = line.split('|').map((part) => part.trim())
  const [kind = '', ...marks] = behaviour.split(' ')
  const [does, touches] = kind.split(':')
  const has = (mark: string) => marks.includes(mark)
  return {
    does: does as Does,
    touches: (touches as Touches | undefined) ?? TOUCHES[does as Does] ?? 'elsewhere',
    options: new Map(words(options).map(readOption)),
    operands: words(operands).map((letter) => KINDS[letter]),
    takesAny: has('+any'),
    endsAtOperand: has('+first') || has('+sub'),
    singleHyphen: has('+single'),
    takesDigits: has('+digits'),
    readsInput: !has('+noinput') && (has('+input') || does === 'says' || does === 'reads'),
    readsFile: has('+file'),
    writesFiles: has('+writes'),
    hasSubcommands: has('+sub'),
  }
}

const TOUCHES: Record<Does, Touches> = {
  says: 'named',
  reads: 'named',
  writes: 'named',
  project: 'project',
  network: 'named',
  machine: 'elsewhere',
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

function readOption(text: string): [string, Option] {
  if (text.endsWith('!')) return [text.slice(0, -1), { takes: 'none', kind: 'write' }]
  const [, name = text, sign, letter] = /^(.+?)([=?])([a-z])$/.exec(text) ?? []
  const takes = sign === '=' ? 'value' : sign === '?' ? 'attached' : 'none'
  return [name, { takes, kind: KINDS[letter ?? 't'] ?? 'text' }]
}
