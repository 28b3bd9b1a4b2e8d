import { note } from '../terminal.ts'

const SHOW_EVERY_MS = 200
const SAY_EVERY = 1000

/** Long work on standard error: one line that moves on a terminal, a line now and then elsewhere. */
export function progress(what: string, terminal: boolean) {
  let shown = 0
  let drawn = false
  return {
    step(done: number, of: number) {
      if (!terminal) {
        if (done % SAY_EVERY === 0 && done < of) note(`${done} of ${of} ${what}`)
        return
      }
      const now = performance.now()
      if (now - shown < SHOW_EVERY_MS) return
      shown = now
      drawn = true
      process.stderr.write(`\r${done} of ${of} ${what}`)
    },
    end() {
      if (drawn) process.stderr.write('\r\x1b[K')
    },
  }
}
