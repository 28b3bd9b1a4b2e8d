import { stat } from 'node:fs/promises'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { systemClock } from '../../platform/clock.ts'
import { type ParsedFile, parseYaml } from '../../platform/yaml/parse-yaml.ts'
import { shortenValue } from '../../platform/yaml/value-words.ts'
import {
  AuthoredChange,
  AuthoredTool,
  AuthoredVendor,
  CatalogSettings,
} from '../records/authored.ts'
import { Tombstone } from '../records/change.ts'
import { DeskReview } from '../records/desk.ts'
import { Methodology } from '../records/methodology.ts'
import type { FileProblem } from '../records/problem.ts'
import { VendorReply } from '../records/reply.ts'
import { AuthoredReview, ReviewerKey } from '../records/review.ts'
import type { CatalogSource } from './catalog-source.ts'
import { latestDay } from './check-days.ts'
import { type FileCheck, fileCheck } from './check-file.ts'
import { crossCheck } from './cross-check.ts'
import { type FileCache, readThroughCache } from './file-cache.ts'
import type { Folder, FromFile } from './folder.ts'
import { type FolderEntry, listFolder } from './list-folder.ts'
import { textReader } from './read-text.ts'
import { readToolText } from './read-tool-text.ts'

export type { CatalogSource } from './catalog-source.ts'

export type LoadOptions = {
  /** Called after each file with how many of all files are read. */
  onProgress?: (done: number, of: number) => void
  signal?: AbortSignal
  /** Pass the same cache again to read only files that changed. */
  cache?: FileCache
  /** For days that must not be in the future; the system's clock without it. */
  now?: number
}

/** The number of problems that are listed; nobody reads more. */
const PROBLEMS_MAX = 1000
const METHODOLOGY = 'methodology.yaml'
const REMOVED = 'removed.yaml'
const KEYS = 'keys.yaml'

const checkSettings = fileCheck(CatalogSettings)
const checkMethodology = fileCheck(Methodology)
const checkRemoved = fileCheck(Type.Array(Tombstone))
const checkKeys = fileCheck(Type.Array(ReviewerKey))
const checkVendor = fileCheck(AuthoredVendor)
const checkTool = fileCheck(AuthoredTool)
const checkReview = fileCheck(AuthoredReview)
const checkReply = fileCheck(VendorReply)
const checkDesk = fileCheck(DeskReview)
const checkChange = fileCheck(AuthoredChange)

const emptyFolder = (): Folder => ({
  vendors: [],
  tools: [],
  texts: [],
  reviews: [],
  changes: [],
  desk: [],
  replies: [],
  broken: new Set(),
})

/**
 * Reads a catalog's folder. Returns a `source` only if there is no problem; problems are in the
 * order of files and lines. Never throws for anything in the folder.
 */
export async function loadFolder(
  dir: string,
  { onProgress, signal, cache, now = systemClock.now() }: LoadOptions = {},
): Promise<{ source?: CatalogSource; problems: FileProblem[] }> {
  const there = await stat(dir).catch(() => undefined)
  if (!there?.isDirectory()) {
    const problem = { file: '.', line: 0, field: '', expected: 'a folder', found: 'nothing' }
    return { problems: [problem] }
  }
  const { entries, problems } = await listFolder(dir)
  const folder = emptyFolder()

  const readText = textReader(dir)

  async function read<T extends TSchema>(path: string, check: FileCheck<T>) {
    const result = await readThroughCache(cache, dir, path, () => readFile(path, check))
    return Array.isArray(result) ? failed(path, result) : result
  }

  async function readFile<T extends TSchema>(path: string, check: FileCheck<T>) {
    const text = await readText(path)
    if (typeof text !== 'string') return [text]
    const parsed = path.endsWith('.json') ? parseJson(path, text) : parseYaml(path, text)
    if (Array.isArray(parsed)) return parsed
    // A file with comments only is an empty list.
    if (path === REMOVED || path === KEYS) parsed.value ??= []
    const value = check(parsed)
    if (isProblems(value, parsed)) return value
    return { path, value, parsed } as FromFile<Static<T>>
  }

  function failed(path: string, wrong: FileProblem[]): undefined {
    folder.broken.add(path)
    problems.push(...wrong)
  }

  async function take({ path, kind }: FolderEntry) {
    if (kind === 'vendor') keep(folder.vendors, await read(path, checkVendor))
    if (kind === 'tool') keep(folder.tools, await read(path, checkTool))
    if (kind === 'review') keep(folder.reviews, await read(path, checkReview))
    if (kind === 'reply') keep(folder.replies, await read(path, checkReply))
    if (kind === 'desk') keep(folder.desk, await read(path, checkDesk))
    if (kind === 'change') keep(folder.changes, await read(path, checkChange))
    if (kind !== 'text') return
    const value = await readThroughCache(cache, dir, path, async () => {
      const text = await readText(path)
      return typeof text === 'string' ? readToolText(path, text) : [text]
    })
    if (Array.isArray(value)) failed(path, value)
    else folder.texts.push({ path, value })
  }

  const settings = await read('catalog.yaml', checkSettings)
  if (settings) folder.settings = settings
  const methodology = await read(methodologyFile(settings?.value), checkMethodology)
  if (methodology) folder.methodology = methodology
  if (await stat(`${dir}/${REMOVED}`).catch(() => undefined)) {
    const removed = await read(REMOVED, checkRemoved)
    if (removed) folder.removed = removed
  }
  if (await stat(`${dir}/${KEYS}`).catch(() => undefined)) {
    const keys = await read(KEYS, checkKeys)
    if (keys) folder.keys = keys
  }
  for (const [i, entry] of entries.entries()) {
    signal?.throwIfAborted()
    if (problems.length < PROBLEMS_MAX) await take(entry)
    onProgress?.(i + 1, entries.length)
  }
  const { source, problems: across } = crossCheck(folder, latestDay(now))
  problems.push(...across)
  if (problems.length === 0 && source) return { source, problems }
  return { problems: problems.sort(inOrder).slice(0, PROBLEMS_MAX) }
}

function methodologyFile(settings: CatalogSettings | undefined): string {
  return settings?.methodology ?? METHODOLOGY
}

function keep<T>(list: T[], item: T | undefined) {
  if (item !== undefined) list.push(item)
}

// A file may itself be a list, so an array is not always a list of problems.
function isProblems(value: unknown, parsed: ParsedFile): value is FileProblem[] {
  return value !== parsed.value
}

function inOrder(a: FileProblem, b: FileProblem): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line
}

/**
 * Parses JSON and finds the line of each value. JSON is a subset of YAML, so both parsers must
 * accept it.
 */
export function parseJson(file: string, text: string): ParsedFile | FileProblem[] {
  const parsed = parseYaml(file, text.replaceAll('\t', ' '))
  if (Array.isArray(parsed)) return parsed
  try {
    return { ...parsed, value: JSON.parse(text) }
  } catch (error) {
    const reason = shortenValue(error instanceof Error ? error.message : 'something else', 120)
    return [{ file, line: 1, field: '', expected: 'JSON', found: reason }]
  }
}
