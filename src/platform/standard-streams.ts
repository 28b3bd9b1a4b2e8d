import { writeSync } from 'node:fs'

const STANDARD_ERROR = 2
// A full pipe without a reader must not block the program for longer than this.
const TRIES = 500

/**
 * Writes one line on standard error at once. Opening `process.stderr` takes longer than the rest of
 * the start, and `console.error` prints everything in red on a terminal, even good news.
 */
export function writeErrorLine(line: string): void {
  const bytes = Buffer.from(`${line}\n`)
  let tries = 0
  for (let at = 0; at < bytes.length && tries < TRIES; ) {
    try {
      at += writeSync(STANDARD_ERROR, bytes, at)
    } catch (error) {
      // There is nowhere else to report an error of standard error.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      tries++
      Bun.sleepSync(1)
    }
  }
}
