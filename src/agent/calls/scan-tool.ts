import { isAbsolute, join } from 'node:path'
import type { Touch } from '../../ask/wire/matcher/judge.ts'
import type { PathTouch } from './tool-call.ts'

/**
 * The contents of the fields of an unknown tool. `mentions` are paths that it names in any place;
 * `scripts` is text that it may give to a shell; `unread`: there is more than is read.
 */
export type Scan = {
  touches: PathTouch[]
  mentions: string[]
  scripts: string[]
  unread: boolean
}

// Fields whose value is a path that the tool works on.
const PATH_KEY =
  /^(file_?path|paths?|notebook_?path|dir_?path|absolute_?path|target(_?(file|path))?|destination(_?path)?|uri|file_?name|(old|new|out|output|save|source|src|dest|dst)_?(path|file|file_?name|dir))s?$/i
// Fields that name a folder or a file in one word. Many other fields have the same names, so these
// are only checked against what is off limits.
const NAME_KEY = /(dir|directory|directories|folder|cwd|root|file)s?$/i
const SCRIPT_KEY = /^(command|cmd|script|shell_?command|command_?line)s?$/i
const READS = new Set(
  'read get list ls search find view show stat status grep glob describe tree info open fetch diff log'.split(
    ' ',
  ),
)
const WRITES = new Set(
  'write edit create delete remove move rename update put set add insert replace apply append save patch copy upload modify mkdir rm mv cp exec execute run start commit push restore checkout reset'.split(
    ' ',
  ),
)
const VALUES_MAX = 20_000
const PATHS_MAX = 500
const NAME_MAX = 1024
const LIST_MAX = 1000

/** Searches all fields of a tool's input. Never throws; the work is bounded. */
export function scanTool(name: string, input: unknown): Scan {
  const touch: Touch = onlyReads(name) ? 'read' : 'write'
  const scan: Scan = { touches: [], mentions: [], scripts: [], unread: false }
  const todo: Array<{ key: string; value: unknown }> = [{ key: '', value: input }]
  for (let count = 0; ; count++) {
    const next = todo.pop()
    if (next === undefined) return scan
    const { key, value } = next
    if (count >= VALUES_MAX || scan.touches.length + scan.mentions.length > PATHS_MAX) {
      return { ...scan, unread: true }
    }
    if (typeof value === 'string') readText(scan, { key, text: value, touch })
    else if (Array.isArray(value)) {
      if (SCRIPT_KEY.test(key)) scan.scripts.push(...scriptOf(value))
      todo.push(...value.slice(0, VALUES_MAX).map((inner) => ({ key, value: inner })))
      scan.unread ||= value.length > VALUES_MAX
    } else if (value !== null && typeof value === 'object') {
      const fields = Object.entries(value)
      todo.push(...fields.slice(0, VALUES_MAX).map(([key, value]) => ({ key, value })))
      scan.unread ||= fields.length > VALUES_MAX
    }
  }
}

/** The fields of a tool's input that are named like paths, names of files, or commands. */
export function pathFields(input: unknown): Record<string, unknown> {
  if (input === null || typeof input !== 'object') return {}
  const patterns = [PATH_KEY, NAME_KEY, SCRIPT_KEY]
  return Object.fromEntries(
    Object.entries(input).filter(([key]) => patterns.some((pattern) => pattern.test(key))),
  )
}

function readText(scan: Scan, { key, text, touch }: { key: string; text: string; touch: Touch }) {
  const isPatch = text.includes(PATCH_BEGIN)
  if (isPatch) scan.touches.push(...pathsOfPatch(text))
  if (SCRIPT_KEY.test(key)) scan.scripts.push(text)
  else if (isPatch) return
  else if (PATH_KEY.test(key)) scan.touches.push(...pathsIn(text, touch))
  else if (looksLikePath(text) || (NAME_KEY.test(key) && isName(text))) scan.mentions.push(text)
}

/**
 * Returns true if the last part of a tool's name says that it reads, and no word in it says that it
 * writes.
 */
function onlyReads(name: string): boolean {
  const last = name.split(/__|[.:/]/).findLast(Boolean) ?? ''
  const words = last.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase())
  return words.some((word) => READS.has(word)) && !words.some((word) => WRITES.has(word))
}

/** A path, a list of them, or such a list as JSON. */
export function pathsIn(value: unknown, touch: Touch): PathTouch[] {
  const all = Array.isArray(value) ? value : [...listIn(value), value]
  return all.flatMap((path) => (isPath(path) ? [{ path, touch }] : []))
}

function listIn(value: unknown): unknown[] {
  if (typeof value !== 'string' || !/^\s*\[\s*"/.test(value)) return []
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? list.slice(0, LIST_MAX) : []
  } catch {
    return []
  }
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !isAddress(value)
}

// A web address is not a file; "file://" is.
function isAddress(text: string): boolean {
  return /^(https?|data|ws|wss):/i.test(text)
}

function looksLikePath(text: string): boolean {
  if (text.length > NAME_MAX || /\s/.test(text) || isAddress(text)) return false
  return /[/\\]|^[.~]|\.\w{1,8}$/.test(text)
}

function isName(text: string): boolean {
  return text.trim() !== '' && text.length <= NAME_MAX && !isAddress(text)
}

/** The words of a command as one text; a shell gets its script, as in `["bash", "-lc", "…"]`. */
function scriptOf(words: readonly unknown[]): string[] {
  const script = commandText(words)
  return script === undefined ? [] : [script]
}

/** Text, or a list of arguments of which the last is the script (`["bash", "-lc", "…"]`). */
export function commandText(input: unknown): string | undefined {
  if (typeof input === 'string') return input
  if (!Array.isArray(input) || !input.every((word) => typeof word === 'string')) return undefined
  const [, option = '', script] = input
  if (input.length === 3 && /^-[a-z]*c$/.test(option)) return script
  return input.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
}

const HEADERS: ReadonlyArray<readonly [word: string, touch: Touch]> = [
  ['*** Add File:', 'write'],
  ['*** Update File:', 'write'],
  ['*** Delete File:', 'delete'],
  ['*** Move to:', 'write'],
]

export const PATCH_BEGIN = '*** Begin Patch'

// `cd folder && apply_patch <<EOF` is a form that Codex itself recognises.
const ENTERS =
  /(?:^|&&|[;\n])\s*cd\s+(?:--\s+)?("[^"$`]+"|'[^']+'|[^\s;&|$`"'\\~*?]+)\s*(?=&&|[;\n])/g

/**
 * The files that a patch of `apply_patch` touches, in its order; a moved file counts as two. A
 * command that contains it may go to another folder before.
 */
export function pathsOfPatch(patch: string): PathTouch[] {
  const before = patch.slice(0, Math.max(0, patch.indexOf(PATCH_BEGIN)))
  const folders = [...before.matchAll(ENTERS)].map(([, word = '']) =>
    word.replace(/^["']|["']$/g, ''),
  )
  const below = (path: string) =>
    [...folders, path].reduce((at, next) => (isAbsolute(next) ? next : join(at, next)))
  const touches = touchesOfPatch(patch)
  return folders.length === 0 ? touches : touches.map((one) => ({ ...one, path: below(one.path) }))
}

function touchesOfPatch(patch: string): PathTouch[] {
  return patch.split(/\r\n|\n|\r/).flatMap((line) => {
    const header = HEADERS.find(([word]) => line.trimStart().startsWith(word))
    if (!header) return []
    const [word, touch] = header
    const path = line.trimStart().slice(word.length).trim()
    return path === '' ? [] : [{ path, touch }]
  })
}
