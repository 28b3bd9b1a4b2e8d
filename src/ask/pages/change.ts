/** One line of a command or a diff, and where it begins in the whole text. */
export type ShownLine = {
  text: string
  /** UTF-16 units before it. */
  from: number
  kind: 'add' | 'del' | 'meta' | 'same'
  /** True if the line says no more than the name of the file, which stands above. */
  isRepeat?: true
  /**
   * The number in the file; for a removed line, in the old file. Undefined if the diff does not
   * say.
   */
  number?: number | undefined
}

/** The change of a diff to one file; `name` is undefined if the diff does not say. */
export type ShownFile = { name?: string; lines: ShownLine[]; added: number; removed: number }

type Reading = {
  files: ShownFile[]
  /** Lines of the hunk that its header announces and that are still to come. */
  oldLeft: number
  newLeft: number
  oldAt?: number | undefined
  newAt?: number | undefined
}

const HUNK = /^@@ -(\d{1,7})(?:,(\d{1,7}))? \+(\d{1,7})(?:,(\d{1,7}))? @@/
const GIT = /^diff --git (?:"?a\/.*?"? )"?b\/(.*?)"?$/
const PATCH = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/
const OTHER_META =
  /^(?:@@|index [0-9a-f]|\*\*\* |\\ No newline|(?:new|deleted|old) (?:file )?mode |similarity index |rename |Binary files )/

/** Returns true if a text reads as a diff: with headers, or mostly lines that begin with a sign. */
export function isDiff(text: string): boolean {
  const lines = text.split('\n')
  if (lines.some((line) => GIT.test(line) || HUNK.test(line) || PATCH.test(line))) return true
  if (lines.some((line, at) => isPair(line, lines[at + 1]))) return true
  const signed = lines.filter((line) => /^[+-]/.test(line)).length
  return signed >= 2 && signed * 2 >= lines.length
}

/**
 * A diff by file. Nothing is left out: the lines of all files together are the text. Inside a hunk,
 * whose header says how long it is, a line that looks like a header is a line of the file, unless
 * the header is wrong.
 */
export function readDiff(text: string): ShownFile[] {
  const reading: Reading = { files: [], oldLeft: 0, newLeft: 0 }
  const lines = text.split('\n')
  let from = 0
  for (const [at, line] of lines.entries()) {
    readLine(reading, { line, next: lines[at + 1], afterNext: lines[at + 2], from })
    from += line.length + 1
  }
  for (const file of reading.files) markRepeats(file)
  return reading.files
}

/** The text as a change by file; undefined for a text that is not a diff. */
export function diffIn(text: string): ShownFile[] | undefined {
  return isDiff(text) ? readDiff(text) : undefined
}

/** The headers of a file that only name it once more. */
function markRepeats({ name, lines }: ShownFile): void {
  if (name === undefined) return
  const repeats = new Set([
    `diff --git a/${name} b/${name}`,
    `--- a/${name}`,
    `+++ b/${name}`,
    `--- ${name}`,
    `+++ ${name}`,
  ])
  for (const line of lines) {
    if (line.kind === 'meta' && repeats.has(line.text)) line.isRepeat = true
  }
}

/** A diff as its added lines read without their sign, in the same length. */
export function withoutPluses(text: string): string {
  return text.replace(/^\+(?!\+\+ )/gm, ' ')
}

type Here = { line: string; next: string | undefined; afterNext: string | undefined; from: number }

function readLine(reading: Reading, { line, next, afterNext, from }: Here): void {
  // A line of a file begins with a sign or a space.
  const ends = /^[^ +\\-]/.test(line) || isNextFile(reading, line, next, afterNext)
  if (ends) reading.oldLeft = reading.newLeft = 0
  const inHunk = reading.oldLeft > 0 || reading.newLeft > 0
  if (!inHunk && isHeader(reading, line, next)) push(reading, { text: line, from, kind: 'meta' })
  else {
    const kind = line.startsWith('+') ? 'add' : line.startsWith('-') ? 'del' : 'same'
    push(reading, { text: line, from, kind, number: counted(reading, kind) })
  }
}

/**
 * Returns true if a hunk ends before the headers of the next file, though its own header claims
 * more lines. If these two lines are all that it claims, they are lines of the file.
 */
function isNextFile({ oldLeft, newLeft }: Reading, line: string, next = '', afterNext = '') {
  const fits = oldLeft === 1 && newLeft === 1
  return !fits && isPair(line, next) && HUNK.test(afterNext)
}

function isHeader(reading: Reading, line: string, next: string | undefined): boolean {
  if (startsFile(reading, line, next)) return true
  const hunk = HUNK.exec(line)
  if (!hunk) return isMeta(reading, line)
  reading.oldAt = Number(hunk[1])
  reading.newAt = Number(hunk[3])
  reading.oldLeft = Number(hunk[2] ?? 1)
  reading.newLeft = Number(hunk[4] ?? 1)
  return true
}

/** Begins the next file if the line is the first of its headers. */
function startsFile({ files }: Reading, line: string, next: string | undefined): boolean {
  const fileName = (GIT.exec(line) ?? PATCH.exec(line))?.[1]
  if (fileName !== undefined) {
    files.push({ name: fileName, lines: [], added: 0, removed: 0 })
    return true
  }
  if (!isPair(line, next)) return false
  const last = files.at(-1)
  // The pair below a line of git belongs to the same file.
  const isSame = last?.lines.every(({ kind }) => kind === 'meta')
  const name = nameOf(next ?? '') ?? nameOf(line)
  if (!isSame || !last) files.push({ ...(name && { name }), lines: [], added: 0, removed: 0 })
  return true
}

function isPair(line: string, next = ''): boolean {
  return /^--- \S/.test(line) && /^\+\+\+ \S/.test(next)
}

function isMeta({ files }: Reading, line: string): boolean {
  if (OTHER_META.test(line)) return true
  const before = files.at(-1)?.lines.at(-1)
  return /^\+\+\+ \S/.test(line) && before?.kind === 'meta' && before.text.startsWith('--- ')
}

function nameOf(header: string): string | undefined {
  const [path = ''] = header.slice(4).split('\t')
  return path === '/dev/null' ? undefined : path.replace(/^[ab]\//, '')
}

function counted(reading: Reading, kind: ShownLine['kind']): number | undefined {
  const { oldAt, newAt } = reading
  if (reading.oldLeft <= 0 && reading.newLeft <= 0) return undefined
  if (kind !== 'add') {
    reading.oldLeft--
    reading.oldAt = (oldAt ?? 0) + 1
  }
  if (kind !== 'del') {
    reading.newLeft--
    reading.newAt = (newAt ?? 0) + 1
  }
  return kind === 'del' ? oldAt : newAt
}

function push({ files }: Reading, line: ShownLine): void {
  const file = files.at(-1) ?? { lines: [], added: 0, removed: 0 }
  if (files.length === 0) files.push(file)
  file.lines.push(line)
  if (line.kind === 'add') file.added++
  if (line.kind === 'del') file.removed++
}

/** Summarises a body in a few words: `+14 −5 in 2 files`, or `3 lines`. */
export function bodyWords(body: string): string {
  const text = body.replace(/\n+$/, '')
  return wordsOf(text, diffIn(text))
}

/** As `bodyWords`, for a text and the change that `diffIn` found in it. */
export function wordsOf(text: string, change: ShownFile[] | undefined): string {
  if (!change) return counts(text.split('\n').length, 'line')
  const files = change.filter(({ name, added, removed }) => name || added || removed)
  const sum = (of: 'added' | 'removed') => files.reduce((all, file) => all + file[of], 0)
  return `+${sum('added')} −${sum('removed')} in ${counts(files.length, 'file')}`
}

function counts(many: number, what: string): string {
  return many === 1 ? `1 ${what}` : `${many} ${what}s`
}
