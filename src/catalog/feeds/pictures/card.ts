import { cleanLine } from '../../../platform/text.ts'
import { CARD_HEIGHT, CARD_WIDTH } from '../../page-paths.ts'
import {
  canDraw,
  type Font,
  type FontName,
  fonts,
  linesOf,
  SHADES,
  SHEET,
  widthOf,
} from './letters.ts'
import { type Picture, writePng } from './png.ts'

/** What a picture shows, from top to bottom. */
export type Card = {
  /** Whose catalog it is of. */
  catalog: string
  title: string
  /** In plain letters, for a title in a script that there are no letters for. */
  plainTitle: string
  text: string
  /** The most important words, and what stands beside them. */
  state: string
  more: string
  tone: Tone
}

type Tone = 'good' | 'bad' | 'plain'

const MARGIN = 72
const BAND = 138
const INNER = CARD_WIDTH - 2 * MARGIN
const LEVEL = 6
type Colour = readonly [number, number, number]
// Of the pages in light colours.
const PAPER: Colour = [249, 245, 238]
const INK: Colour = [37, 28, 22]
const SOFT: Colour = [85, 73, 64]
const WHITE: Colour = [255, 255, 255]
const TONES: Record<Tone, Colour> = { good: [34, 87, 50], bad: [142, 32, 26], plain: [60, 50, 43] }
/** A colour of letters on a ground takes this many places of the palette, from the ground on. */
const RAMP = { ink: 0, soft: SHADES, band: 2 * SHADES }

/** The picture of a card as PNG; the same card gives the same bytes. */
export function drawCard(card: Card): Uint8Array<ArrayBuffer> {
  const size = { width: CARD_WIDTH, height: CARD_HEIGHT }
  const picture = { ...size, pixels: blankPixels() }
  picture.pixels.fill(RAMP.band, (CARD_HEIGHT - BAND) * CARD_WIDTH)
  const { title, text } = fonts()
  const write = (font: Font, lines: readonly string[], y: number, ramp: number) => {
    for (const [n, line] of lines.entries()) {
      drawText(picture, font, line, { x: MARGIN, y: y + n * font.height, ramp })
    }
    return y + lines.length * font.height
  }
  const heading = drawable('title', card.title) || card.plainTitle
  const under = write(text, cut('text', drawable('text', card.catalog), 1), 48, RAMP.soft)
  const below = write(title, cut('title', heading, 2), under + 24, RAMP.ink)
  write(text, cut('text', drawable('text', card.text), 4), below + 20, RAMP.soft)
  const top = CARD_HEIGHT - BAND
  const state = linesOf(title, drawable('title', card.state), INNER, 1)
  write(title, state, top + (BAND - title.height) / 2, RAMP.band)
  const left = MARGIN + widthOf(title, state.join('')) + 40
  const [more = ''] = linesOf(text, drawable('text', card.more), CARD_WIDTH - MARGIN - left, 1)
  drawText(picture, text, more, { x: left, y: top + (BAND - text.height) / 2 + 8, ramp: RAMP.band })
  const palette = [...shadesOf(PAPER, INK), ...shadesOf(PAPER, SOFT)]
  return writePng(
    picture,
    Uint8Array.from([...palette, ...shadesOf(TONES[card.tone], WHITE)]),
    LEVEL,
  )
}

let scratch: Uint8Array | undefined

/** The same memory each time: to get it anew takes longer than to draw. */
function blankPixels(): Uint8Array {
  scratch ??= new Uint8Array(CARD_WIDTH * CARD_HEIGHT)
  return scratch.fill(0)
}

function cut(font: FontName, text: string, most: number): string[] {
  return linesOf(fonts()[font], text, INNER, most).filter((line) => line !== '')
}

/**
 * The text as it can be drawn: signs that there is no letter for are left out. If one of them is part
 * of a word, nothing is drawn, because words without some of their letters would be other words.
 */
export function drawable(name: FontName, text: string): string {
  const font = fonts()[name]
  const line = cleanLine(text).normalize('NFC')
  if (canDraw(font, line)) return line
  const isWord = (character: string) => /[\p{L}\p{M}\p{N}]/u.test(character)
  const rest = [...line]
    .filter((character) => canDraw(font, character) || isWord(character))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim()
  return canDraw(font, rest) ? rest : ''
}

function drawText(
  picture: Picture,
  { height, sheet, cells }: Font,
  text: string,
  { x, y, ramp }: { x: number; y: number; ramp: number },
): void {
  let left = x
  for (const character of text) {
    const cell = cells.get(character)
    if (!cell) continue
    for (let row = 0; row < height; row++) {
      const from = (cell.y + row) * sheet.width + cell.x
      const to = (y + row) * picture.width + left - SHEET.over
      for (let column = 0; column < cell.width + 2 * SHEET.over; column++) {
        const shade = sheet.pixels[from + column] ?? 0
        const before = picture.pixels[to + column] ?? 0
        // Letters may reach over their neighbours.
        if (shade > 0 && ramp + shade > before) picture.pixels[to + column] = ramp + shade
      }
    }
    left += cell.width
  }
}

/** The palette of letters in `ink` on a ground. */
function shadesOf(ground: Colour, ink: Colour): number[] {
  return Array.from({ length: SHADES }, (_, shade) =>
    ground.map((value, n) => Math.round(value + (((ink[n] ?? 0) - value) * shade) / (SHADES - 1))),
  ).flat()
}
