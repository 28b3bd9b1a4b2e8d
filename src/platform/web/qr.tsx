/** @jsxImportSource preact */
import { encode } from 'uqr'

// The margin that scanners need (ISO 18004), in modules.
const QUIET = 4

/** A QR code as one path: dark on light in every theme, because many scanners read nothing else. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const side = size + 2 * QUIET
  return (
    <svg class="qr" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label}>
      <rect width={side} height={side} fill="#fffdf8" />
      <path d={pathOf(data)} fill="#1d1713" shape-rendering="crispEdges" />
    </svg>
  )
}

/** Each run of dark modules in a row is one rectangle. */
function pathOf(rows: boolean[][]): string {
  let path = ''
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue
      const from = x
      while (row[x + 1]) x++
      path += `M${from + QUIET} ${y + QUIET}h${x - from + 1}v1h-${x - from + 1}z`
    }
  })
  return path
}
