import { note } from '../../platform/terminal/terminal.ts'

const SHOW_EVERY_MS = 200
const SAY_EVERY = 1000
const WIDTH = 24

/**
 * Shows progress on standard error: a bar on a terminal, an occasional line elsewhere. Without a
 * known total it counts.
 */
export function progress(what: string, terminal: boolean) {
  let shown = 0
  let drawn = false
  let said = 0
  return {
    step(done: number, of?: number) {
      if (!terminal) {
        if (Math.floor(done / SAY_EVERY) > Math.floor(said / SAY_EVERY) && done !== of) {
          note(`${done}${of === undefined ? '' : ` of ${of}`} ${what}`)
        }
        said = done
        return
      }
      const now = performance.now()
      if (now - shown < SHOW_EVERY_MS) return
      shown = now
      drawn = true
      process.stderr.write(`\r${drawnBar(done, of)} ${what}\x1b[K`)
    },
    end() {
      if (drawn) process.stderr.write('\r\x1b[K')
    },
  }
}

function drawnBar(done: number, of: number | undefined): string {
  if (of === undefined || of === 0) return `${done}`
  const full = Math.min(WIDTH, Math.floor((done / of) * WIDTH))
  return `[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}] ${done} of ${of}`
}
