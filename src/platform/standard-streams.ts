import { writeSync } from 'node:fs'
import { Failure } from './failure.ts'

const STANDARD_OUTPUT = 1
const STANDARD_ERROR = 2
// A full pipe without a reader must not block the program for longer than this, in milliseconds.
const ERROR_TRIES = 500

/**
 * Writes one line on standard error at once. Opening `process.stderr` takes longer than the rest of
 * the start, and `console.error` prints everything in red on a terminal, even good news.
 */
export function writeErrorLine(line: string): void {
  // There is nowhere else to report an error of standard error.
  write(STANDARD_ERROR, line, ERROR_TRIES)
}

/**
 * Writes one line on standard output at once. Throws `unavailable` if it is lost, which
 * `console.log` would not say; a reader that has left, as `head` does, loses nothing.
 */
export function writeOutputLine(line: string): void {
  const code = write(STANDARD_OUTPUT, line, Number.POSITIVE_INFINITY)
  if (code !== undefined && code !== 'EPIPE') throw outputLost(code)
}

/**
 * Words the failure of an output that could not be written, because of the system's error `code`.
 */
export function outputLost(code: string): Failure {
  return new Failure(
    'unavailable',
    `Standard output cannot be written (${code}), so what belongs there is lost.`,
  )
}

/** The system's code for what went wrong; undefined if everything was written. */
function write(descriptor: number, line: string, tries: number): string | undefined {
  const bytes = Buffer.from(`${line}\n`)
  let tried = 0
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at)
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      if (code !== 'EAGAIN' || ++tried >= tries) return code
      Bun.sleepSync(1)
    }
  }
  return undefined
}
