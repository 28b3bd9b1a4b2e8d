import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { placesOf, SHADES, SHEET } from '../../src/catalog/feeds/pictures/letters.ts'
import { writePng } from '../../src/catalog/feeds/pictures/png.ts'

const OUT = join(import.meta.dir, '../../src/catalog/feeds/pictures')
// Its licence (that of Bitstream Vera) lets programs carry it.
const FONT = 'DejaVu Sans'
const FACES = [
  { name: 'title', file: 'letters-64.png', size: 64, weight: 700, height: 80 },
  { name: 'text', file: 'letters-34.png', size: 34, weight: 400, height: 44 },
] as const
// Latin, Greek and Cyrillic with their signs, and what sentences and prices need.
const RANGES = [
  ...[
    [0x20, 0x7e],
    [0xa1, 0x17f],
    [0x218, 0x21b],
    [0x384, 0x3ce],
    [0x400, 0x45f],
  ],
  ...[
    [0x490, 0x491],
    [0x1e9e, 0x1e9e],
    [0x1ea0, 0x1ef9],
    [0x2010, 0x2015],
    [0x2018, 0x201e],
  ],
  ...[
    [0x2020, 0x2022],
    [0x2026, 0x2026],
    [0x2030, 0x2030],
    [0x2032, 0x2033],
    [0x2039, 0x203a],
  ],
  ...[
    [0x20ac, 0x20ac],
    [0x20bd, 0x20bd],
    [0x2116, 0x2116],
    [0x2122, 0x2122],
    [0x2190, 0x2193],
  ],
  ...[
    [0x2212, 0x2212],
    [0x2248, 0x2248],
    [0x2260, 0x2260],
    [0x2264, 0x2265],
  ],
] as const
// A soft hyphen is seen only where a line breaks.
const UNSEEN = new Set(['\u00ad'])

/** The letters of the catalog's pictures (`/tools/SLUG.png`), for machines without fonts. */
export async function drawLetters(browser: Browser): Promise<void> {
  const page = await browser.newPage()
  const all = RANGES.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, n) => String.fromCodePoint(from + n)),
  ).filter((one) => /[^\p{Cn}]/u.test(one) && !UNSEEN.has(one))
  const characters = await page.evaluate(ofFont, { all, font: FONT })
  const metrics: Record<string, unknown> = { characters: characters.join('') }
  for (const { name, file, size, weight, height } of FACES) {
    const font = `${weight} ${size}px "${FONT}"`
    const widths = await page.evaluate(measure, { characters, font })
    const places = placesOf(widths, height)
    const sheetHeight = (places.at(-1)?.y ?? 0) + height
    const sheet = { ...SHEET, height: sheetHeight }
    const alpha = await page.evaluate(draw, { characters, font, places, sheet, size })
    const pixels = Uint8Array.from(Buffer.from(alpha, 'base64'), (one) =>
      Math.round((one / 255) * (SHADES - 1)),
    )
    const greys = Uint8Array.from({ length: SHADES * 3 }, (_, n) => Math.floor(n / 3) * 17)
    const picture = { width: SHEET.width, height: sheetHeight, pixels }
    writeFileSync(join(OUT, file), writePng(picture, greys, 9))
    metrics[name] = { height, widths }
  }
  writeFileSync(join(OUT, 'letters.json'), `${JSON.stringify(metrics)}\n`)
  await page.close()
}

/** The characters that the font has: others are drawn like one that no font has. */
function ofFont({ all, font }: { all: string[]; font: string }): string[] {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 64
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('no canvas')
  const drawn = (character: string) => {
    context.clearRect(0, 0, 64, 64)
    context.font = `40px "${font}"`
    context.fillText(character, 8, 48)
    return context.getImageData(0, 0, 64, 64).data.join()
  }
  const missing = drawn('\u{10fffe}')
  return all.filter((character) => drawn(character) !== missing)
}

function measure({ characters, font }: { characters: string[]; font: string }): number[] {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) throw new Error('no canvas')
  context.font = font
  return characters.map((character) => Math.round(context.measureText(character).width))
}

function draw(input: {
  characters: string[]
  font: string
  places: Array<{ x: number; y: number }>
  sheet: { width: number; height: number; over: number }
  size: number
}): string {
  const { characters, font, places, sheet, size } = input
  const canvas = document.createElement('canvas')
  canvas.width = sheet.width
  canvas.height = sheet.height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.font = font
  for (const [n, character] of characters.entries()) {
    const { x = 0, y = 0 } = places[n] ?? {}
    context.fillText(character, x + sheet.over, y + size)
  }
  const { data } = context.getImageData(0, 0, sheet.width, sheet.height)
  let text = ''
  for (let at = 3; at < data.length; at += 4) text += String.fromCharCode(data[at] ?? 0)
  return btoa(text)
}
