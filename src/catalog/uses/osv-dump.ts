import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { Failure } from '../../platform/failure.ts'
import { type ReadAt, zipEntries } from './zip.ts'

// What the runtime can hold as one text.
const TEXT_BYTES_MOST = 512 * 1024 * 1024
// Every record of an archive begins with it, and no JSON does.
const ZIP = 'PK'

/**
 * The entries of an OSV dump: the `all.zip` that OSV publishes for an ecosystem, read file by file, or
 * JSON: one entry, a list, or an entry a line. Throws `not_found` or `malformed`.
 */
export function* readDump(path: string): Generator<unknown> {
  const file = open(path)
  try {
    const { size } = fstatSync(file)
    const readAt = readerOf(file, size)
    if (readAt(0, ZIP.length).toString('latin1') === ZIP) {
      yield* zippedEntries(readAt, size)
      return
    }
    if (size > TEXT_BYTES_MOST) throw malformed(path, 'it is too large; take the all.zip of OSV')
    yield* entriesIn(readAt(0, size).toString('utf8'), path)
  } finally {
    closeSync(file)
  }
}

function open(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    throw new Failure('not_found', `The OSV dump ${path} cannot be read.`, { cause })
  }
}

/** What is beyond the end of the file is left out. */
function readerOf(file: number, size: number): ReadAt {
  return (position, length) => {
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - position)))
    let read = 0
    while (read < buffer.length) {
      const count = readSync(file, buffer, read, buffer.length - read, position + read)
      if (count === 0) break
      read += count
    }
    return buffer.subarray(0, read)
  }
}

function* zippedEntries(readAt: ReadAt, size: number): Generator<unknown> {
  for (const { name, bytes } of zipEntries(readAt, size)) {
    if (name.endsWith('.json')) yield parsed(bytes().toString('utf8'), name)
  }
}

/** An entry, a list of them, or one a line. */
export function* entriesIn(dump: string, name = 'The dump'): Generator<unknown> {
  const text = dump.trim()
  if (text.startsWith('[')) {
    yield* parsed(text, name) as unknown[]
    return
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length > 1 && isJson(lines[0] ?? '')) {
    for (const line of lines) yield parsed(line, name)
    return
  }
  yield parsed(text, name)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed(name, 'it is not JSON')
  }
}

function malformed(name: string, why: string): Failure {
  const shortName = JSON.stringify(name.slice(-100))
  return new Failure('malformed', `${shortName} is no OSV dump: ${why}.`)
}
