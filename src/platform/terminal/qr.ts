import { encode } from 'uqr'

// The margin that scanners need (ISO 18004), in modules.
const QUIET = 4

// Black on white in every theme, because not all scanners read inverted codes.
const INK = '\u001b[38;5;16;48;5;231m'
const RESET = '\u001b[0m'
const HALVES = [' ', '▄', '▀', '█']

/** A QR code of half blocks: two rows of modules in a line, so that modules are about square. */
export function terminalQr(text: string): string {
  const { data, size } = encode(text, { ecc: 'L', border: QUIET })
  const lines: string[] = []
  for (let y = 0; y < size; y += 2) {
    const upper = data[y] ?? []
    const lower = data[y + 1] ?? []
    const halves = upper.map((dark, x) => HALVES[(dark ? 2 : 0) + (lower[x] ? 1 : 0)])
    lines.push(INK + halves.join('') + RESET)
  }
  return lines.join('\n')
}
