import { cleanLine } from '../text.ts'

const DRAW_EVERY_MS = 200
const COLUMNS = 80

/**
 * One line at the end of standard error that is drawn again in its place. Only for a terminal;
 * nothing else may be printed until `clear`. Text from outside cannot move the cursor.
 */
export function createLiveLine() {
  let drawnAt = Number.NEGATIVE_INFINITY
  let line = ''
  let drawn = ''
  let later: ReturnType<typeof setTimeout> | undefined

  function draw() {
    later = undefined
    drawnAt = performance.now()
    const cut = fitting(line, lineWidth())
    if (cut === drawn) return
    drawn = cut
    process.stderr.write(`\r${drawn}\x1b[K`)
  }

  return {
    /** Draws `text` soon, in place of the line before. */
    show(text: string) {
      line = cleanLine(text)
      const wait = drawnAt + DRAW_EVERY_MS - performance.now()
      if (wait <= 0) draw()
      else later ??= setTimeout(draw, wait)
    },
    clear() {
      clearTimeout(later)
      later = undefined
      if (drawn !== '') process.stderr.write('\r\x1b[K')
      line = ''
      drawn = ''
    },
  }
}

/** The columns that a live line may use: one as long as the terminal is wide would start another. */
export function lineWidth(): number {
  return (process.stderr.columns || COLUMNS) - 1
}

/** As many whole characters of a line as `columns` have room for. */
export function fitting(line: string, columns: number): string {
  if (Bun.stringWidth(line) <= columns) return line
  let cut = ''
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (Bun.stringWidth(cut + segment) >= columns) break
    cut += segment
  }
  return `${cut}…`
}

/** A time that goes down, such as `0:32`, `9:05` or `1:02:09`. */
export function remainingTime(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const [hours, minutes, rest] = parts.map((part) => `${part}`.padStart(2, '0'))
  return parts[0] === 0 ? `${parts[1]}:${rest}` : `${Number(hours)}:${minutes}:${rest}`
}
