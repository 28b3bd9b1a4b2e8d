import { readdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { readCommandIn } from '../../ask/wire/reading/read.ts'
import type { Command, Reading, Word } from '../../ask/wire/reading/reading.ts'
import { pathsOfPatch } from '../calls/scan-tool.ts'
import type { PathTouch } from '../calls/tool-call.ts'
import { normalise } from '../paths/path-text.ts'
import { touchByRow } from './by-row.ts'
import { noteObjects, touchByGit } from './git.ts'
import { noteLister, readsFiles } from './listed.ts'
import type { Loss } from './losses.ts'
import { mayDestroy } from './may-destroy.ts'
import { Names } from './names.ts'
import { type DiskLook, type List, TouchNotes } from './notes.ts'
import type { ObjectRead } from './object-read.ts'
import { PATCHER, unclear, whyOpen } from './open.ts'
import {
  ANYWHERE,
  isRooted,
  joinAll,
  type Operand,
  operandOf,
  type Places,
  placesOf,
} from './operand.ts'
import { touchOperands } from './operands.ts'
import { touchBuild } from './outputs.ts'
import { noteOwnCommands } from './own-program.ts'
import { isForWindows, touchByCmdlet } from './powershell.ts'
import { PROGRAMS } from './programs.ts'
import { TOUCH_ROWS, type TouchRow } from './rows.ts'

/**
 * The paths that a text of shell commands touches. Paths are absolute, or from `~`. `names`: every
 * path that it may name, for rules that hold whatever is done with it; `leftOut`: those that a
 * filter of a copy seems to leave out, which no other word names.
 */
export type TextTouches = {
  touches: PathTouch[]
  /** Folders that are copied or packed with everything in them. */
  copied: PathTouch[]
  names: string[]
  leftOut: string[]
  /** Why it may touch more than that: the shell itself is not understood. */
  open?: string
  /** Why it may read more than that. */
  reads?: string
  /** Why it changes files of the project that it does not name. */
  unnamed?: string
  /** Work that the text may destroy, if it is there. */
  losses: Loss[]
  /** Git objects that the text reads. */
  objects: ObjectRead[]
  /** Beckon's own commands that agents may not run. */
  ours: string[]
}

export type TextPlace = {
  /** Where the text would run. */
  cwd: string
  /** The text is for another shell than bash or zsh. */
  isOther?: boolean
  look?: DiskLook
  list?: List
}

/**
 * Reads a text without running anything. `look` says what is there now, `list` the names that
 * patterns may match. Takes any text, never throws, and its work is bounded.
 */
export function readTouches(text: string, place: TextPlace): TextTouches {
  const { cwd, look = lookNow, list = listNow } = place
  const isFolder = (path: string) =>
    joinAll(path, [cwd]).every((one) => /^~\/?$/.test(one) || isFolderAt(look(one)))
  const reading = readCommandIn(text, isFolder)
  const notes = new TouchNotes(cwd, look, list)
  const isOther = place.isOther === true || isForWindows(reading.commands)
  // In PowerShell a backslash separates folders.
  const also =
    isOther && text.includes('\\') ? readCommandIn(text.replaceAll('\\', '/'), isFolder) : undefined
  for (const one of also ? [reading, also] : [reading]) touchAll(one, notes)
  if (isOther) notes.open('it is in another language')
  const open = whyOpen(reading)
  if (open !== undefined) notes.open(open)
  if (open !== undefined && mayDestroy(text, reading)) notes.lose({ how: 'both', places: [cwd] })
  noteOwnCommands(text, reading, notes)
  let reads = notes.reads ?? whyReadsMore(reading)
  const { names, leftOut } = namesIn(text, [reading, ...(also ? [also] : [])], notes, {
    isWhole: notes.why !== undefined || reads !== undefined || isFed(reading),
  })
  if (notes.leadsOverLink(names)) reads ??= 'it goes over a link that it makes'
  return {
    touches: [...notes.touches.values()],
    copied: notes.copied,
    names,
    leftOut,
    ...(notes.why === undefined ? {} : { open: notes.why }),
    ...(reads === undefined ? {} : { reads }),
    ...(notes.unnamed === undefined ? {} : { unnamed: notes.unnamed }),
    losses: notes.losses,
    objects: notes.movesGit ? notes.objects.map(afterMove) : notes.objects,
    ours: [...notes.ours],
  }
}

function isFolderAt(entry: ReturnType<DiskLook>): boolean {
  return entry === 'folder' || entry === 'linked'
}

function touchAll(reading: Reading, notes: TouchNotes) {
  for (const { op, word, places } of reading.redirects) {
    if (!word || op === '<' || op.startsWith('<<')) continue
    if (/^[<>]&$/.test(op) && /^(\d+-?|-)$/.test(word.text)) continue
    const where = placesOf(places, notes.start)
    notes.redirect(operandOf(word, notes.start), where)
  }
  const unknown = unclear(reading)
  notes.isFed = reading.commands.some((one) => one.via.includes('xargs') && readsFiles(one))
  if (reading.commands.some(matchesHidden)) notes.matchesHidden()
  for (const command of reading.commands) {
    touchByCommand(command, notes)
    if (unknown.has(command)) noteOutside(command, notes)
  }
  if (notes.writesOverLink()) notes.open('it writes over a link that it makes')
}

/** Notes that the effects of a program elsewhere are not known if its words are not understood. */
function noteOutside({ words, places }: Command, notes: TouchNotes) {
  for (const { text, sure } of words) {
    if (sure !== 'text') continue
    for (const path of [text, text.replace(/^-[^=]*=/, ''), text.replace(/^-\w/, '')]) {
      if (!isRooted(path) && !/(^|\/)\.\.(\/|$)/.test(path)) continue
      const all = joinAll(path, placesOf(places, notes.start))
      if (path !== '/dev/null' && all.some((one) => !isBelow(one, notes.start)))
        notes.open(`what a program does with ${path} is not known`)
    }
  }
}

function isBelow(path: string, folder: string): boolean {
  return `${normalise(path)}/`.startsWith(`${normalise(folder)}/`)
}

// Programs that run commands in another file system, or on another machine.
const AWAY = new Set(['docker', 'podman', 'docker-compose', 'kubectl', 'oc', 'ssh'])

function afterMove(read: ObjectRead): ObjectRead {
  return read.what === 'list' ? { what: 'history', place: read.place } : read
}

// They say where git finds a repository, and what it runs.
const GUIDES = /^GIT_(.*DIR|WORK_TREE|OBJECT_DIRECTORY|.*OBJECT_DIRECTORIES|INDEX_FILE|CONFIG.*)$/

function touchByCommand(command: Command, notes: TouchNotes) {
  const { program, words, via } = command
  if (via.some((name) => AWAY.has(name))) return
  const places = placesOf(command.places, notes.start)
  if (runsWritten(command, places, notes)) notes.open('it runs what it has just written')
  const operands = words.map((word) => operandOf(word, notes.start))
  const row = Object.hasOwn(TOUCH_ROWS, program) ? TOUCH_ROWS[program] : undefined
  const special = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined
  const isGuided = command.env.some(({ name }) => GUIDES.test(name))
  touchBuild(program, operands, places, notes)
  if (program === 'git') touchByGit(operands, { places, isGuided }, notes)
  else if (program.startsWith('git-'))
    noteObjects({ text: program.slice(4) }, operands, places, notes)
  else if (program === PATCHER) touchByPatch(command, places, notes)
  else if (special) special(operands, places, notes)
  else if (row && via.includes('find')) touchSearchResults(row, operands, places, notes)
  else if (row) {
    touchOperands(row, operands, places, notes)
    if (row.loses && via.includes('xargs') && operands.some(({ why }) => why !== undefined))
      notes.lose({ how: 'both', places })
  } else if (!touchByCmdlet(command, places, notes)) {
    touchByRow(command, places, notes)
    if (via.includes('find') && readsFiles(command)) notes.noteReadOfSearch()
  }
  if (notes.isFed && !via.includes('xargs')) noteLister(command, places, notes)
}

/** `apply_patch`, as agents call it: the patch is its word or its input. */
function touchByPatch({ words, redirects }: Command, places: Places, notes: TouchNotes) {
  const [word] = words
  const text = word?.sure === 'text' ? word.text : redirects.find(({ body }) => body)?.body
  if (text === undefined || words.length > 1) notes.open('it writes what its patch names')
  for (const { path, touch } of text === undefined ? [] : pathsOfPatch(text))
    notes.target({ text: path }, touch, places)
}

/** A command that `find` starts: `{}` is a file below its start. */
function touchSearchResults(
  row: TouchRow,
  operands: readonly Operand[],
  places: Places,
  notes: TouchNotes,
) {
  const isFound = ({ text, isPattern }: Operand) => isPattern === true && text === '{}'
  if (row.operands !== 'last' && row.operands !== 'move') {
    notes.noteChangeOfSearch()
    const others = operands.filter((word) => !isFound(word))
    if (others.length > 0) touchOperands(row, others, places, notes)
    return
  }
  // `cp a {}`: what is written is not known. Otherwise a name below the target stands for it.
  const last = operands.at(-1)
  if (row.operands === 'move') notes.noteChangeOfSearch()
  else notes.noteReadOfSearch()
  const isInto = operands.some(({ text }) => /^(-t|--target)/.test(text))
  if (last && isFound(last) && !isInto) notes.open('a file that it changes is not known')
  const words = operands.map((word) => (isFound(word) ? { text: 'found' } : word))
  touchOperands({ ...row, operands: 'last' }, words, places, notes)
}

const INTERPRETERS =
  /^((ba|z|da|k|a)?sh|python[\d.]*|node|ruby|perl|php|lua|tsx|ts-node|bun|deno|source|\.)$/

/** Returns true if the text itself writes the program, or the file that an interpreter is given. */
function runsWritten({ program, words }: Command, places: Places, notes: TouchNotes): boolean {
  const files = INTERPRETERS.test(program)
    ? words.flatMap(({ text, sure }) => (sure === 'text' && !text.startsWith('-') ? [text] : []))
    : [program]
  return files.some((file) =>
    joinAll(file, places).some(
      (path) => notes.isWritten(path) && (file !== program || file.includes('/')),
    ),
  )
}

// The word that xargs adds: what `find` lists is no more than what a reader finds itself.
const FED = '…'

// With it a program reads the files that another one names. These take it cut, too.
const LIST = /^--files0?-f/
const CUT_LIST = /^(wc|sort|du) --f(?!ie)/

/** Why a program may read files that are not known here; undefined: none does. */
function whyReadsMore({ commands, redirects }: Reading): string | undefined {
  const isRead = redirects.some(({ op, word }) => op === '<' && word?.sure === 'part')
  const readers = commands.filter(
    ({ program, does, via }) =>
      does !== 'says' &&
      does !== 'project' &&
      !(program === 'git' && does === 'writes') &&
      !via.some((name) => AWAY.has(name)),
  )
  const isGiven = readers.some(({ words }) =>
    words.some(
      ({ sure, text, prefix = '' }) => sure === 'part' && text !== FED && !/[:\s]/.test(prefix),
    ),
  )
  if (isRead || isGiven) return 'a program is given words that are not known'
  const isListed = readers.some(({ program, words }) =>
    words.some(({ text }) => LIST.test(text) || CUT_LIST.test(`${program} ${text}`)),
  )
  if (isListed) return 'it reads what a list names'
  const isLost = readers.some(
    ({ places, words }) =>
      places === undefined && words.some(({ text }) => !isRooted(text) && !text.startsWith('-')),
  )
  return isLost ? 'a folder that it reads in is not known' : undefined
}

/**
 * Returns true if a command sets the shell option with which `*` matches names that begin with a
 * dot.
 */
function matchesHidden({ program, words }: Command): boolean {
  return /^(shopt|setopt)$/.test(program) && words.some(({ text }) => text === 'dotglob')
}

/**
 * Returns true if the output of one program is piped to another that may read it as names of files.
 */
function isFed({ commands }: Reading): boolean {
  return commands.some(({ program, via }) => program === 'xargs' || via.includes('xargs'))
}

/** Every path that the readings name; with `isWhole`, every part of the text that may be one. */
function namesIn(
  text: string,
  readings: readonly Reading[],
  notes: TouchNotes,
  { isWhole }: { isWhole: boolean },
): { names: string[]; leftOut: string[] } {
  const names = new Names(notes)
  const leftOut = new Names(notes)
  const filters = new Set(readings.flatMap(({ commands }) => commands.flatMap(filterWords)))
  const all = readings.flatMap(({ commands }) =>
    commands.flatMap(({ places }) => placesOf(places, notes.start)),
  )
  const places = [...new Set(all)].filter((place) => place !== ANYWHERE).slice(0, 8)
  for (const { words, commands } of readings) {
    for (const word of words) (filters.has(word) ? leftOut : names).word(word, places)
    for (const command of commands) {
      const here = placesOf(command.places, notes.start)
      for (const word of command.words) if (!filters.has(word)) names.word(word, here)
      for (const { word } of command.env) names.word(word, here)
      names.word({ text: command.program, sure: 'text', at: command.at }, here)
    }
  }
  for (const path of notes.linkTargets) names.path(path)
  if (isWhole) names.code(filters.size > 0 ? '' : text)
  if (names.isFull) notes.open('it names too many things')
  return { names: [...names.all], leftOut: [...leftOut.all].filter((path) => !names.all.has(path)) }
}

/** The words of tar, rsync and zip that say what is left out. What they leave out, nobody interprets. */
function filterWords({ program, words }: Command): Word[] {
  if (!/^(tar|bsdtar|rsync|zip)$/.test(program)) return []
  return words.filter(({ text, sure }, at) => {
    const before = words[at - 1]
    if (sure === 'text' && text.startsWith('--exclude=')) return true
    return (
      before?.sure === 'text' &&
      (before.text === '--exclude' || (program === 'zip' && before.text === '-x'))
    )
  })
}

function lookNow(path: string) {
  try {
    const at = atHome(path)
    const stat = statSync(at, { throwIfNoEntry: false })
    if (!stat?.isDirectory()) return stat && 'file'
    return realpathSync(at) === at ? 'folder' : 'linked'
  } catch {
    return undefined
  }
}

function listNow(folder: string) {
  try {
    const path = atHome(folder).replace(/(?<=[^/])\/+$/, '')
    // Checked first: most names are files, and an error for each of them would be slow.
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory()
    return isFolder ? readdirSync(path) : undefined
  } catch {
    return undefined
  }
}

function atHome(path: string): string {
  return path.startsWith('~/') ? homedir() + path.slice(1) : path
}
