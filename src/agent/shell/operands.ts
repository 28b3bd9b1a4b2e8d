import type { Touch } from '../../ask/wire/matcher/judge.ts'
import type { CommandRule } from './commands.ts'
import { byRsync } from './exclusions.ts'
import { type Arg, literalArg, type Notes, type Places } from './notes.ts'
import { hasFlag, type Options, readOptions, valuesOf, words } from './options.ts'

/** What a command of the table does to the files that its words name. */
export function touchOperands(
  rule: CommandRule,
  args: readonly Arg[],
  places: Places,
  notes: Notes,
) {
  const taking = [rule.takes, rule.writes, rule.into, rule.trees, rule.firstBy].flatMap(words)
  const given = rule.modes ? args.map(modeAsOperand) : args
  const options = readOptions(given, taking)
  const { operands } = options
  for (const value of valuesOf(options, rule.writes)) notes.target(value, 'write', places)
  for (const value of valuesOf(options, rule.trees)) notes.target(value, 'tree', places)
  if (rule.opaque === true || (rule.opaque && operands.length === 0))
    notes.opaque('it writes files that it does not name')
  const unknown = operands.find(({ raw, why }) => why !== undefined && raw.startsWith('\uE080'))
  if (unknown && rule.operands !== 'none') notes.opaque(`a word is not known: ${unknown.why}`)
  if (hasFlag(options, rule.folders)) touchAll(operands, 'write', places, notes)
  else if (rule.operands === 'last' || rule.operands === 'move') copy(rule, options, places, notes)
  else touchNamed(rule, options, places, notes)
}

function modeAsOperand(arg: Arg): Arg {
  return /^-[rwxXst]+$/.test(arg.text) ? literalArg('mode') : arg
}

function touchNamed(rule: CommandRule, options: Options, places: Places, notes: Notes) {
  const { operands } = options
  const from = rule.firstBy === undefined || !hasFlag(options, rule.firstBy) ? 1 : 0
  const named = {
    all: operands,
    rest: operands.slice(from),
    second: operands.slice(1, 2),
    none: [],
    last: [],
    move: [],
  }[rule.operands]
  const deep = hasFlag(options, rule.deep)
  for (const operand of named) {
    const touch = rule.touch ?? 'write'
    const whole = deep && !isAlways('holdsFile', operand, places, notes)
    if (rule.loses && operand.why === undefined)
      notes.lose({ how: 'both', places, paths: notes.joined(operand, places) })
    if (touch !== 'write' && (whole || touch === 'tree')) notes.takeAway(operand, places)
    else notes.target(operand, whole ? 'tree' : touch, places)
  }
}

function touchAll(args: readonly Arg[], touch: Touch, places: Places, notes: Notes) {
  for (const arg of args) notes.target(arg, touch, places)
}

// Of rsync: they bring something back, or change where patterns begin.
const FILTERS = '-f -F -R --filter --include --include-from --relative'

/** `cp a b`, `cp a b folder`, `cp -t folder a b`, and the same for `mv`, `ln`, `install`, `rsync`. */
function copy(rule: CommandRule, options: Options, places: Places, notes: Notes) {
  const move = rule.operands === 'move'
  const deep = move || hasFlag(options, rule.deep)
  const into = valuesOf(options, rule.into)
  const { operands } = options
  const sources = into.length > 0 ? operands : operands.slice(0, -1)
  const to = into.length > 0 ? into : operands.slice(-1)
  const only = operands.length === 1 ? operands[0] : undefined
  // `ln -s ../a` makes `a`.
  if (only && into.length === 0 && !move) sources.push(only)
  const targets = only && into.length === 0 && !move ? [literalArg('.')] : to
  for (const source of sources) {
    const whole = deep && !isAlways('holdsFile', source, places, notes)
    if (move && whole) notes.takeAway(source, places)
    else if (move) notes.target(source, 'delete', places)
    else if (whole) notes.takeCopy(source, places, { by: byRsync, patterns: leftOut(options) })
    for (const target of targets) {
      if (rule.remote && /^[^/]*:/.test(target.text)) continue
      const touch = whole ? 'tree' : 'write'
      const surely = into.length > 0 || sources.length > 1 || /(^|\/)\.{0,2}$/.test(target.text)
      if (hasFlag(options, rule.spreads)) notes.target(target, 'tree', places)
      else put(source, target, touch, surely && !hasFlag(options, rule.asFile))
    }
  }

  function put(source: Arg, target: Arg, touch: Touch, surely: boolean) {
    const from = /^[/~]/.test(source.text) || !hasFlag(options, rule.links) ? undefined : source
    const write = (arg: Arg) =>
      rule.links ? notes.link(arg, places, from) : notes.target(arg, touch, places)
    const asFile = hasFlag(options, rule.asFile)
    if (target.why !== undefined || asFile) write(target)
    else if (!surely && !isEver('holdsFolder', target, places, notes)) write(target)
    else if (source.why === undefined) {
      write(inside(target, source))
      // If this command created it, it may be a folder or a file.
      if (!surely && !isAlways('isFolderNow', target, places, notes)) write(target)
    } else {
      write(source)
      if (!/^\.?\/*$/.test(target.text)) notes.target(target, 'write', places)
    }
  }
}

/** The names that are left out, unless other options may put some of them back. */
function leftOut(options: Options): Arg[] {
  const names = hasFlag(options, FILTERS) ? [] : valuesOf(options, '--exclude')
  return names.some(({ text }) => /^[!+]/.test(text)) ? [] : names
}

type Held = 'holdsFile' | 'holdsFolder' | 'isFolderNow'

function isAlways(held: Held, arg: Arg, places: Places, notes: Notes): boolean {
  return arg.why === undefined && notes.joined(arg, places).every((path) => notes[held](path))
}

function isEver(held: Held, arg: Arg, places: Places, notes: Notes): boolean {
  return arg.why === undefined && notes.joined(arg, places).some((path) => notes[held](path))
}

function inside(folder: Arg, source: Arg): Arg {
  const slash = folder.text.endsWith('/') ? '' : '/'
  const name = baseName(source.text)
  return { text: `${folder.text}${slash}${name}`, raw: `${folder.raw}${slash}${name}` }
}

export function baseName(path: string): string {
  return /([^/]*)\/*$/.exec(path)?.[1] ?? ''
}
