import { note } from './terminal.ts'

const SHOW_EVERY_MS = 200
const SAY_EVERY = 1000
const WIDTH = 24
const COLUMNS = 80

/**
 * Shows progress on standard error: a bar on a terminal, an occasional line elsewhere. Without a
 * known total it counts. `asking` names the current item.
 */
export function progress(what: string, terminal: boolean) {
  let drawnAt = Number.NEGATIVE_INFINITY
  let reported = 0
  let line = ''
  let later: ReturnType<typeof setTimeout> | undefined

  function draw() {
    later = undefined
    drawnAt = performance.now()
    // A line as long as the terminal is wide would start another.
    const room = (process.stderr.columns || COLUMNS) - 1
    process.stderr.write(`\r${line.slice(0, room)}\x1b[K`)
  }
  return {
    step(done: number, of?: number, asking?: string) {
      if (!terminal) {
        if (Math.floor(done / SAY_EVERY) > Math.floor(reported / SAY_EVERY) && done !== of) {
          note(`${done}${of === undefined ? '' : ` of ${of}`} ${what}`)
        }
        reported = done
        return
      }
      line = `${drawnBar(done, of)} ${what}${asking === undefined ? '' : `, asking ${asking}`}`
      const wait = drawnAt + SHOW_EVERY_MS - performance.now()
      if (wait <= 0) draw()
      else later ??= setTimeout(draw, wait)
    },
    end() {
      clearTimeout(later)
      if (line !== '') process.stderr.write('\r\x1b[K')
    },
  }
}

function drawnBar(done: number, of: number | undefined): string {
  if (of === undefined || of === 0) return `${done}`
  const full = Math.min(WIDTH, Math.floor((done / of) * WIDTH))
  return `[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}] ${done} of ${of}`
}
