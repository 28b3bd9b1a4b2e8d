import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { crc32, inflateSync } from 'node:zlib'
import { type Card, drawable, drawCard } from '../../../src/catalog/feeds/pictures/card.ts'
import { fonts, linesOf, widthOf } from '../../../src/catalog/feeds/pictures/letters.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { HOSTILE_TEXTS } from '../snapshot-of.ts'
import { bytesOf, type FeedWorld, feedWorld } from './feed-world.ts'

const CARD: Card = {
  catalog: 'Example catalog',
  title: 'Mail API',
  plainTitle: 'mail-api',
  text: 'Sends mail.',
  state: 'grade A',
  more: '81.5 of 100',
  tone: 'good',
}

/** Reads a PNG by its specification; throws if a part is not what its sum says. */
function readAsReader(file: Buffer) {
  expect(file.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const chunks = new Map<string, Buffer>()
  let at = 8
  while (at < file.length) {
    const length = file.readUInt32BE(at)
    const body = file.subarray(at + 4, at + 8 + length)
    expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(body))
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4))
    at += length + 12
  }
  const head = chunks.get('IHDR') ?? Buffer.alloc(13)
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  const lines = inflateSync(chunks.get('IDAT') ?? '')
  expect(lines.length).toBe((width + 1) * height)
  const colours = (chunks.get('PLTE')?.length ?? 0) / 3
  expect(Math.max(...lines.subarray(1, width + 1))).toBeLessThan(colours)
  return { width, height, lines }
}

/** How many pixels of the title's part of the picture have ink. */
function inkOf(card: Card): number {
  const { width, lines } = readAsReader(Buffer.from(drawCard(card)))
  return lines.subarray(0, 400 * (width + 1)).filter((pixel) => pixel > 0).length
}

test('a card is a PNG of 1200×630, the same bytes each time', () => {
  const file = Buffer.from(drawCard(CARD))
  expect(readAsReader(file)).toMatchObject({ width: 1200, height: 630 })
  expect(Buffer.from(drawCard(CARD)).equals(file)).toBe(true)
  expect(Buffer.from(drawCard({ ...CARD, title: 'Mail APJ' })).equals(file)).toBe(false)
})

test('what no letter is there for is never drawn as something else', () => {
  expect(drawable('text', 'Žluťoučký kůň, Ωμέγα, Київ, Tiếng Việt – 5 €')).toBe(
    'Žluťoučký kůň, Ωμέγα, Київ, Tiếng Việt – 5 €',
  )
  // Signs are left out; words with a missing letter are not shown in part.
  expect(drawable('text', '⚡ Fast mail 🚀 for agents')).toBe('Fast mail for agents')
  for (const text of ['邮件 API', 'דואר', 'メール', 'a\u0336b'])
    expect(drawable('text', text)).toBe('')
  // The name in plain letters stands for one that cannot be drawn.
  const foreign = Buffer.from(drawCard({ ...CARD, title: '邮件' }))
  expect(foreign.equals(Buffer.from(drawCard({ ...CARD, title: CARD.plainTitle })))).toBe(true)
  expect(inkOf({ ...CARD, text: '送信する' })).toBe(inkOf({ ...CARD, text: '' }))
  // A letter and its sign in two characters are the letter in one.
  expect(drawable('title', 'Cafe\u0301')).toBe('Café')
})

test('long texts are cut with an ellipsis, and no line is wider than its room', () => {
  const { text } = fonts()
  for (const long of ['word '.repeat(400), 'x'.repeat(4_000), 'a '.repeat(3)]) {
    const lines = linesOf(text, long, 600, 3)
    expect(lines.length).toBeLessThanOrEqual(3)
    for (const line of lines) expect(widthOf(text, line)).toBeLessThanOrEqual(600)
    expect(lines.join('').endsWith('…')).toBe(long.length > 100)
  }
})

test.each(HOSTILE_TEXTS.map((text) => [JSON.stringify(text).slice(0, 40), text]))(
  'a card of %s is a picture',
  (_, text) => {
    const card = { ...CARD, catalog: text, title: text, text, state: text, more: text }
    readAsReader(Buffer.from(drawCard(card)))
  },
)

describe('the pictures of a catalog', () => {
  let world: FeedWorld
  const source = generatedCatalog(12)
  beforeAll(async () => {
    world = await feedWorld()
    await world.publish(source)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('each page names its picture, which is there and is asked for once', async () => {
    const [category] = source.settings.categories
    const [tool] = source.tools
    const pictures: Record<string, string> = {
      '/tools': '/tools.png',
      '/changes': '/tools.png',
      '/x402': '/tools.png',
      '/models': '/tools.png',
      '/methodology': '/tools.png',
      '/compare': '/tools.png',
      [`/tools?category=${category?.id}`]: `/categories/${category?.id}.png`,
      [`/tools/${tool?.slug}`]: `/tools/${tool?.slug}.png`,
      [`/history/${tool?.slug}`]: `/tools/${tool?.slug}.png`,
    }
    for (const [path, picture] of Object.entries(pictures)) {
      const html = await (await world.get(path, { 'accept-encoding': 'identity' })).text()
      const meta = (name: string) =>
        new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1]
      expect([path, meta('og:image')]).toEqual([path, `https://catalog.example${picture}`])
      expect(meta('og:url')).toBe(`https://catalog.example${path}`)
      expect([meta('og:image:width'), meta('twitter:card')]).toEqual([
        '1200',
        'summary_large_image',
      ])
      expect(meta('og:image:alt')).not.toBe('')
      const response = await world.get(picture, { 'accept-encoding': 'identity' })
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
      readAsReader(await bytesOf(response))
      const etag = response.headers.get('etag') ?? ''
      const again = await world.get(picture, {
        'accept-encoding': 'identity',
        'if-none-match': etag,
      })
      expect(again.status).toBe(304)
    }
  })

  test('addresses of no tool draw nothing', async () => {
    const responses = await Promise.all(
      Array.from({ length: 500 }, (_, n) => world.get(`/tools/no-tool-${n}.png`)),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([404]))
  })
})
