import type { Touch } from '../../../scopes/judge.ts'
import type { Rule } from './commands.ts'
import { type Arg, literalArg, type Notes, type Places } from './notes.ts'
import { hasFlag, type Options, readOptions, valuesOf, words } from './options.ts'

/** What a command of the table does to the files that its words name. */
export function touchOperands(rule: Rule, args: readonly Arg[], places: Places, notes: Notes) {
  const taking = [rule.takes, rule.writes, rule.into, rule.trees, rule.firstBy].flatMap(words)
  const options = readOptions(args, taking)
  for (const value of valuesOf(options, rule.writes)) notes.target(value, 'write', places)
  const trees = valuesOf(options, rule.trees)
  for (const value of trees) notes.target(value, 'tree', places)
  if (rule.here && trees.length === 0) notes.opaque('it writes what its input says')
  if (rule.only !== undefined && !hasFlag(options, rule.only)) return
  const lost = args.find((arg) => arg.why !== undefined && !options.operands.includes(arg))
  if (lost?.raw.startsWith('-') === false) notes.opaque(`a word is not known: ${lost.why}`)
  touchNamed(rule, options, places, notes)
}

function touchNamed(rule: Rule, options: Options, places: Places, notes: Notes) {
  const deep = hasFlag(options, rule.deep)
  const touch: Touch = deep ? 'tree' : (rule.touch ?? 'write')
  const { operands } = options
  const firstIsNone = rule.firstBy === undefined || !hasFlag(options, rule.firstBy)
  const named = {
    all: operands,
    rest: firstIsNone ? operands.slice(1) : operands,
    first: operands.slice(0, 1),
    second: operands.slice(1, 2),
    none: [],
    last: [],
    move: [],
  }[rule.operands]
  for (const operand of named) notes.target(operand, touch, places)
  if (rule.operands === 'last' || rule.operands === 'move') copy(rule, options, places, notes, deep)
}

function copy(rule: Rule, options: Options, places: Places, notes: Notes, deep: boolean) {
  const move = rule.operands === 'move'
  const into = valuesOf(options, rule.into)
  const sources = into.length > 0 ? options.operands : options.operands.slice(0, -1)
  const to = into.length > 0 ? into : options.operands.slice(-1)
  const whole = (source: Arg) =>
    deep || (move && folderOf(source, places, notes)) ? ('tree' as const) : undefined
  for (const source of move ? sources : []) notes.target(source, whole(source) ?? 'delete', places)
  if (sources.length === 0 && to[0] !== undefined && !move) {
    // `ln -s target` and `install -d folder` have no other operand.
    if (hasFlag(options, '-d --directory')) notes.target(to[0], 'write', places)
    else if (into.length === 0) notes.target(literalArg(baseName(to[0].text)), 'write', places)
    return
  }
  if (hasFlag(options, '-d --directory') && rule.deep === undefined && into.length === 0) {
    for (const folder of options.operands) notes.target(folder, 'write', places)
  }
  for (const target of to) {
    const folder = folderOf(target, places, notes)
    const surely = into.length > 0 || sources.length > 1 || /(^|\/)\.{0,2}$/.test(target.text)
    for (const source of sources) {
      const touch = whole(source) ?? 'write'
      if (!(surely || folder) || target.why !== undefined) notes.target(target, touch, places)
      else if (source.why !== undefined) notes.target(source, touch, places)
      else notes.target(inside(target, source), touch, places)
      if (deep && surely) notes.target(target, touch, places)
    }
  }
}

function folderOf(arg: Arg, places: Places, notes: Notes): boolean {
  return arg.why === undefined && notes.joined(arg, places).some((path) => notes.holdsFolder(path))
}

function inside(folder: Arg, source: Arg): Arg {
  const slash = folder.text.endsWith('/') ? '' : '/'
  const name = baseName(source.text)
  return { text: `${folder.text}${slash}${name}`, raw: `${folder.raw}${slash}${name}` }
}

export function baseName(path: string): string {
  return /([^/]*)\/*$/.exec(path)?.[1] ?? ''
}
