/** What a terminal shows from `at` on, in milliseconds: its rows with the codes of their colours. */
export type Frame = { at: number; rows: readonly string[] }

/** A row as long as it looks the same. */
type Run = { row: number; text: string; from: number; to: number }

const CELL = { width: 8.4, height: 20 }
const PADDING = 16
const FONT = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'
const COLOURS: Readonly<Record<string, string>> = {
  31: '#ff8a80',
  32: '#7ddf8a',
  33: '#f2d06b',
  36: '#7fd7e8',
  90: '#9aa3ad',
}
const INK = '#e8eaed'
const GROUND = '#16181d'

/** Draws the frames one after the other, for ever; who wants no motion sees the last one. */
export function terminalSvg(frames: readonly Frame[], columns: number, title: string): string {
  const first = frames[0]?.at ?? 0
  const end = (frames.at(-1)?.at ?? 0) - first
  const rows = Math.max(...frames.map((frame) => frame.rows.length))
  const width = Math.ceil(columns * CELL.width + 2 * PADDING)
  const height = rows * CELL.height + 2 * PADDING
  const runs = runsOf(frames, rows, first, end)
  const lines = runs.map((run, i) => textElement(run, i))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escaped(title)}</title>
<style>
text{font:14px ${FONT};fill:${INK};white-space:pre}
@media (prefers-reduced-motion:no-preference){
${runs.map((run, i) => keyframes(run, i, end)).join('\n')}
}
@media (prefers-reduced-motion:reduce){.gone{visibility:hidden}}
</style>
<rect width="100%" height="100%" rx="10" fill="${GROUND}"/>
${lines.join('\n')}
</svg>
`

  function textElement({ row, text, to }: Run, i: number): string {
    const y = PADDING + row * CELL.height + 15
    const isLast = to >= end
    return `<text id="r${i}" x="${PADDING}" y="${y}"${isLast ? '' : ' class="gone"'} xml:space="preserve">${spans(text)}</text>`
  }
}

function runsOf(frames: readonly Frame[], rows: number, first: number, end: number): Run[] {
  const runs: Run[] = []
  for (let row = 0; row < rows; row++) {
    let open: Run | undefined
    for (const frame of frames) {
      const text = frame.rows[row] ?? ''
      const at = frame.at - first
      if (open?.text === text) continue
      if (open) open.to = at
      open = { row, text, from: at, to: end }
      if (text.trim() !== '') runs.push(open)
    }
  }
  return runs
}

function keyframes({ from, to }: Run, i: number, end: number): string {
  const percent = (ms: number) => `${((ms / end) * 100).toFixed(2)}%`
  const before = from > 0 ? '0%{visibility:hidden}' : ''
  const after = to < end ? `${percent(to)}{visibility:hidden}` : ''
  const name = `k${i}`
  return `@keyframes ${name}{${before}${percent(from)}{visibility:visible}${after}}#r${i}{animation:${name} ${end}ms step-end infinite}`
}

/** Text with SGR codes, as spans of one colour each. */
function spans(text: string): string {
  const [first = '', ...others] = text.split('\u001b')
  const coloured = others.map((part) => {
    const [code, codes = ''] = /^\[([\d;]*)m/.exec(part) ?? ['']
    const plain = escaped(part.slice(code.length))
    const colour = codes
      .split(';')
      .map((one) => COLOURS[one])
      .find(Boolean)
    return colour && plain !== '' ? `<tspan fill="${colour}">${plain}</tspan>` : plain
  })
  return escaped(first) + coloured.join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
