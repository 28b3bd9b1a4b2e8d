import { readdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import type { PathTouch } from '../hook/tool-call.ts'
import type { Run, Shell } from './call.ts'
import { lex } from './lex.ts'
import type { Loss } from './losses.ts'
import { type DiskLook, type List, Notes, type Places, UNKNOWN } from './notes.ts'
import { Unreadable } from './token.ts'
import { Variables } from './variables.ts'
import { Walk } from './walk.ts'
import { RESERVED } from './word-text.ts'

/**
 * What a shell command would write. `touches`: absolute, or from `~`. `literals`: every word that
 * could be a path, for rules that hold whatever the command does with it. `opaque`: it may write
 * more than that; `why` says what could not be read.
 */
export type ShellReading = {
  touches: PathTouch[]
  /** Folders that are copied or packed with everything in them. */
  copied: PathTouch[]
  literals: string[]
  opaque: boolean
  why?: string
  /** What it may destroy, if it is there. */
  losses: Loss[]
  /** Beckon's own commands that agents may not run. */
  ours: string[]
}

const LENGTH_MAX = 256 * 1024
const NESTED_MAX = 16
// Texts that may become commands: files that a shell is given, and the input of a shell.
const ASIDES_MAX = 16
const POWERSHELL =
  /\b(set|add|clear|remove|move|copy|rename|new|out|tee|export|invoke)-[a-z]+\b|(^|[;|&\n]\s*)(del|erase|rd|ri|ni|mi|move|copy|ren|xcopy|iwr)\s/i

/**
 * Reads a command without running anything. `cwd` is where it would run; `look` says what is there
 * now, `list` the names that patterns may match. Takes any text, never throws, and its work is
 * bounded by the length and by 2,000 names of files.
 */
export function readShell(
  command: string,
  cwd: string,
  look: DiskLook = lookNow,
  list: List = listNow,
): ShellReading {
  const notes = new Notes(cwd, look, list)
  if (command.length > LENGTH_MAX) notes.opaque('it is too long')
  const text = command.slice(0, LENGTH_MAX).replaceAll('\0', '').replace(RESERVED, '\uFFFD')
  if (text.length !== Math.min(command.length, LENGTH_MAX)) notes.opaque('it holds a NUL')
  if (text.includes('\uFFFD')) notes.opaque('it is not text')
  notes.keepsPlaces = !/(?<!\$|\$\{)\b(PWD|HOME)\b/.test(text)
  notes.keepsOptions = !text.includes('TAR_OPTIONS')
  readInto(notes, text, cwd)
  // In PowerShell a backslash separates folders.
  if (POWERSHELL.test(text) && text.includes('\\')) readInto(notes, text.replaceAll('\\', '/'), cwd)
  return {
    touches: [...notes.touches.values()],
    copied: notes.copied,
    literals: [...notes.literals],
    opaque: notes.why !== undefined,
    ...(notes.why === undefined ? {} : { why: notes.why }),
    losses: notes.losses,
    ours: [...notes.ours],
  }
}

function readInto(notes: Notes, text: string, cwd: string, asides = { left: ASIDES_MAX }) {
  let nested = 0
  // Arithmetic changes variables as well.
  const follows = !/\(\(|\blet\b/.test(text)
  const run: Run = (tokens, places, shell) => {
    new Walk(tokens, places, newShell(shell.variables.copy()), run).all()
  }
  const read = (inner: string, places: Places, shell: Shell): Places => {
    if (nested === NESTED_MAX) {
      notes.opaque('it is nested too deep')
      return places
    }
    nested++
    try {
      return new Walk(lex(inner, nested), places, shell, run).all()
    } catch (error) {
      notes.opaque(error instanceof Unreadable ? error.message : 'it cannot be read')
      notes.code(inner, places)
      return places
    } finally {
      nested--
    }
  }
  const newShell = (variables = new Variables(new Map(), follows)): Shell => {
    const shell: Shell = {
      notes,
      aliases: new Map(),
      functions: new Map(),
      variables,
      stack: [],
      stopsAtErrors: false,
      nesting: 0,
      read: (inner, places) => read(inner, places, shell),
      readApart: (inner, places) => read(inner, places, newShell()),
      readAside: (inner, places) => {
        if (asides.left-- <= 0) return
        const aside = notes.beside()
        for (const place of places) if (place !== UNKNOWN) readInto(aside, inner, place, asides)
        for (const ours of aside.ours) notes.ours.add(ours)
      },
    }
    return shell
  }
  read(text, [cwd], newShell())
}

function lookNow(path: string) {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat?.isDirectory()) return stat && 'file'
    return realpathSync(path) === path ? 'folder' : 'linked'
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
