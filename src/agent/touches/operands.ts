import type { Touch } from '../../ask/wire/matcher/judge.ts'
import { inFolder, type TouchNotes } from './notes.ts'
import { joinAll, type Operand, type Places } from './operand.ts'
import { hasFlag, list, type Options, readOptions, valuesOf } from './options.ts'
import type { TouchRow } from './rows.ts'

/** Notes the effects of a program of the table on the files that its words name. */
export function touchOperands(
  row: TouchRow,
  words: readonly Operand[],
  places: Places,
  notes: TouchNotes,
) {
  const taking = [row.takes, row.writes, row.into, row.trees, row.firstBy, row.runs].flatMap(list)
  const inputs = row.modes ? words.map(modeAsOperand) : words
  const options = readOptions(inputs, taking)
  const operands = options.operands.flatMap((operand) => expand(operand, places, notes))
  for (const value of valuesOf(options, row.writes)) notes.target(value, 'write', places)
  for (const value of valuesOf(options, row.trees)) notes.target(value, 'tree', places)
  if (hasFlag(options, row.runs)) notes.open('it gives a program another one to run')
  if (hasFlag(options, row.lists)) notes.readsMore('it copies what a list names')
  if (row.temporary) notes.hasTemporary = true
  if (row.unnamed) notes.changesUnnamed('it writes files that it does not name')
  // It may be an option, or several words.
  const unknown = operands.find(({ why, prefix }) => why !== undefined && !prefix)
  if (unknown && row.operands !== 'none') notes.open(`a word is not known: ${unknown.why}`)
  const all = { ...options, operands }
  if (hasFlag(options, row.folders))
    for (const operand of operands) notes.target(operand, 'write', places)
  else if (row.operands === 'last' || row.operands === 'move') copy(row, all, places, notes)
  else touchTargets(row, all, places, notes)
}

/** The names of a pattern. One that begins with a hyphen is an option for the program. */
function expand(operand: Operand, places: Places, notes: TouchNotes): Operand[] {
  const operands = notes.expanded(operand, places)
  if (
    operand.isPattern &&
    operands.some(({ text, why }) => why === undefined && text.startsWith('-'))
  )
    notes.open('a pattern may give an option')
  return operands
}

function modeAsOperand(word: Operand): Operand {
  return word.why === undefined && /^-[rwxXst]+$/.test(word.text) ? { text: 'mode' } : word
}

function touchTargets(row: TouchRow, options: Options, places: Places, notes: TouchNotes) {
  const { operands } = options
  const from = row.firstBy === undefined || !hasFlag(options, row.firstBy) ? 1 : 0
  const targets = {
    all: operands,
    rest: operands.slice(from),
    second: operands.slice(1, 2),
    none: [],
    last: [],
    move: [],
  }[row.operands]
  const deep = hasFlag(options, row.deep)
  for (const operand of targets) {
    const touch = row.touch ?? 'write'
    const whole = deep && !isAlways('holdsFile', operand, places, notes)
    // An unknown word is often a temporary file, if the text creates one.
    if (row.loses && (operand.why === undefined || !notes.hasTemporary))
      notes.loseFile(operand, places)
    if (touch !== 'write' && (whole || touch === 'tree')) notes.takeAway(operand, places)
    else notes.target(operand, whole ? 'tree' : touch, places)
  }
}

/** `cp a b`, `cp a b folder`, `cp -t folder a b`, and the same for `mv`, `ln`, `install`, `rsync`. */
function copy(row: TouchRow, options: Options, places: Places, notes: TouchNotes) {
  const move = row.operands === 'move'
  const deep = move || hasFlag(options, row.deep)
  const into = valuesOf(options, row.into)
  const { operands } = options
  const sources = into.length > 0 ? operands : operands.slice(0, -1)
  const to = into.length > 0 ? into : operands.slice(-1)
  const only = operands.length === 1 ? operands[0] : undefined
  // `ln -s ../a` makes `a`.
  if (only && into.length === 0 && !move) sources.push(only)
  const targets = only && into.length === 0 && !move ? [{ text: '.' }] : to
  if (hasFlag(options, row.losesInto))
    for (const target of targets) loseInto(target, row, places, notes)
  for (const source of sources) {
    if (hasFlag(options, row.losesFrom)) {
      notes.loseFile(source, places)
      notes.takeAway(source, places)
    }
    const whole = deep && !isAlways('holdsFile', source, places, notes)
    if (move && whole) notes.takeAway(source, places)
    else if (move) notes.target(source, 'delete', places)
    else if (whole)
      notes.takeCopy(source, places, {
        ...(hasFlag(options, row.leavesOut) ? { leavesOut: true } : {}),
        ...(hasFlag(options, row.follows) ? { follows: true } : {}),
      })
    for (const target of targets) {
      if (row.remote && /^[^/]*:/.test(target.text)) continue
      const touch = whole ? 'tree' : 'write'
      const surely = into.length > 0 || sources.length > 1 || /(^|\/)\.{0,2}$/.test(target.text)
      if (hasFlag(options, row.spreads)) notes.target(target, 'tree', places)
      else put(source, target, touch, surely && !hasFlag(options, row.asFile))
    }
  }

  function put(source: Operand, target: Operand, touch: Touch, surely: boolean) {
    const from = hasFlag(options, row.links) ? source : undefined
    // A link that is copied or moved is one there too.
    const isLink = row.links !== undefined || isEver('isLinked', source, places, notes)
    const write = (operand: Operand) =>
      isLink ? notes.link(operand, places, from, touch) : notes.target(operand, touch, places)
    const asFile = hasFlag(options, row.asFile)
    if (target.why !== undefined || asFile) write(target)
    else if (!surely && !isEver('holdsFolder', target, places, notes)) write(target)
    else if (source.why === undefined) {
      write(inFolder(target, source))
      // If this text created it, it may be a folder or a file.
      if (!surely && !isAlways('isFolderNow', target, places, notes)) write(target)
    } else {
      write(source)
      if (!/^\.?\/*$/.test(target.text)) notes.target(target, 'write', places)
    }
  }
}

function loseInto(target: Operand, row: TouchRow, places: Places, notes: TouchNotes) {
  if (row.remote && /^[^/]*:/.test(target.text)) return
  notes.loseFile(target, places)
}

type TargetState = 'holdsFile' | 'isLinked' | 'holdsFolder' | 'isFolderNow'

function isAlways(
  state: TargetState,
  operand: Operand,
  places: Places,
  notes: TouchNotes,
): boolean {
  return (
    operand.why === undefined && joinAll(operand.text, places).every((path) => notes[state](path))
  )
}

function isEver(state: TargetState, operand: Operand, places: Places, notes: TouchNotes): boolean {
  return (
    operand.why === undefined && joinAll(operand.text, places).some((path) => notes[state](path))
  )
}
