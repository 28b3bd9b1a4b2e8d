import { readFileSync } from 'node:fs'
import letters from './letters.json' with { type: 'json' }
import text34 from './letters-34.png' with { type: 'file' }
import title64 from './letters-64.png' with { type: 'file' }
import { type Picture, readPng } from './png.ts'

/** Shades of a letter's pixel, from none to full. */
export const SHADES = 16
/** The width of the pictures of letters, and what a letter may reach over its own width on each side. */
export const SHEET = { width: 1024, over: 10 }

export type FontName = 'title' | 'text'

/** Letters of one size, drawn once by `bun run pictures`. */
export type Font = {
  /** Of a line, in pixels. */
  height: number
  sheet: Picture
  /** By character: where it is on the sheet, and its width. */
  cells: ReadonlyMap<string, Cell>
}
type Cell = { x: number; y: number; width: number }

const FILES: Record<FontName, string> = { title: title64, text: text34 }

let unpacked: Record<FontName, Font> | undefined

/** Both fonts, unpacked on first use: two megabytes. */
export function fonts(): Record<FontName, Font> {
  unpacked ??= { title: readFont('title'), text: readFont('text') }
  return unpacked
}

function readFont(name: FontName): Font {
  const { height, widths } = letters[name]
  const sheet = readPng(readFileSync(FILES[name]))
  const characters = [...letters.characters]
  const places = placesOf(widths, height)
  const cells = new Map(characters.map((character, n) => [character, places[n] as Cell]))
  return { height, sheet, cells }
}

/** Where letters of these widths are on their sheet: line by line, from left to right. */
export function placesOf(widths: readonly number[], height: number): Cell[] {
  let [x, y] = [0, 0]
  return widths.map((width) => {
    const whole = width + 2 * SHEET.over
    if (x + whole > SHEET.width) [x, y] = [0, y + height]
    const place = { x, y, width }
    x += whole
    return place
  })
}

/** True if there is a letter for every character, so that the text can be drawn. */
export function canDraw({ cells }: Font, text: string): boolean {
  return [...text].every((character) => cells.has(character))
}

export function widthOf({ cells }: Font, text: string): number {
  return [...text].reduce((sum, character) => sum + (cells.get(character)?.width ?? 0), 0)
}

/** Breaks a text into at most `most` lines of this width; what has no room is cut with an ellipsis. */
export function linesOf(font: Font, text: string, width: number, most: number): string[] {
  const lines: string[] = []
  let line = ''
  const words = text.split(' ').filter((word) => word !== '')
  for (const [n, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`
    if (widthOf(font, longer) <= width) {
      line = longer
      continue
    }
    if (lines.length === most - 1 || line === '') {
      const rest = [line, ...words.slice(n)].filter((one) => one !== '').join(' ')
      return [...lines, cutToWidth(font, rest, width)]
    }
    lines.push(line)
    line = word
  }
  return [...lines, cutToWidth(font, line, width)]
}

function cutToWidth(font: Font, text: string, width: number): string {
  const ellipsis = widthOf(font, '…')
  let line = ''
  let cut = ''
  let at = 0
  for (const character of text) {
    at += font.cells.get(character)?.width ?? 0
    if (at > width) return `${cut.trimEnd()}…`
    line += character
    if (at + ellipsis <= width) cut = line
  }
  return line
}
