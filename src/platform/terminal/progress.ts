import { createLiveLine, remainingTime } from './live-line.ts'
import { note } from './terminal.ts'

const SAY_EVERY = 1000
const WIDTH = 24
// Before that, the speed so far is that of the start.
const ESTIMATE_AFTER_MS = 2_000

/**
 * Shows progress on standard error: a bar with the percent and the time left on a terminal, an
 * occasional line elsewhere. Without a known total it counts. `detail` says what is being done now.
 * The time left is what the rest takes at the average speed so far.
 */
export function progress(what: string, terminal: boolean) {
  const live = createLiveLine()
  let startedAt: number | undefined
  let startedWith = 0
  let reported = 0

  function timeLeft(done: number, of: number): string {
    if (startedAt === undefined) return ''
    const elapsed = performance.now() - startedAt
    const speed = (done - startedWith) / elapsed
    if (elapsed < ESTIMATE_AFTER_MS || speed <= 0) return ''
    return ` · ${remainingTime((of - done) / speed)} left`
  }

  return {
    step(done: number, of?: number, detail?: string) {
      if (!terminal) {
        if (Math.floor(done / SAY_EVERY) > Math.floor(reported / SAY_EVERY) && done !== of) {
          note(`${done}${of === undefined ? '' : ` of ${of}`} ${what}`)
        }
        reported = done
        return
      }
      if (startedAt === undefined || done < startedWith) {
        startedAt = performance.now()
        startedWith = done
      }
      const bar = of
        ? `${drawnBar(done, of)}${timeLeft(done, of)} · ${Math.floor(done)} of ${Math.ceil(of)}`
        : `${done}`
      live.show(`${bar} ${what}${detail === undefined ? '' : `, ${detail}`}`)
    },
    end: live.clear,
  }
}

function drawnBar(done: number, of: number): string {
  const part = Math.min(1, done / of)
  const full = Math.floor(part * WIDTH)
  return `[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}] ${Math.floor(part * 100)} %`
}
