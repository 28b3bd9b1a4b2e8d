import { expect, setDefaultTimeout, test } from 'bun:test'
import { loadFeedModules } from '../../../src/catalog/feed-modules.ts'
import { buildQuickSite } from '../../../src/catalog/feeds/built-site.ts'
import { aCatalogView } from '../../support/catalog-pages.ts'
import { shapeOf } from '../../support/document-shape.ts'
import { foreignCatalog } from '../../support/foreign-catalog.ts'
import { hostileWords, tamedWords } from '../../support/hostile-corpus.ts'
import { howOften } from '../../support/share.ts'

const FEED_MODULES = await loadFeedModules()

const ROUNDS = howOften(2, 230, 2)
setDefaultTimeout(60_000 + ROUNDS * 10_000)
// Each tool has some forty texts: a round has all of the corpus several times.
const TOOLS = 24
const ORIGIN = 'https://catalog.example'

// Each kind of thing once: texts that differ in their signs alone are one when they are tame. Of
// the slim twin there is as much as there is room for, made of what the others are made of.
const LISTS_KINDS = /^\/(api\/v1\/capabilities\.json|tools)$|\.min\.md$/

const IS_NO_TEXT = /^image\/png$|sqlite3$/

type Read = { type: string; shape: string[] }

async function readAll(pick: ReturnType<typeof hostileWords>): Promise<Map<string, Read | string>> {
  const { source, live } = foreignCatalog(TOOLS, pick)
  const { documents } = await buildQuickSite(aCatalogView(source, live), FEED_MODULES)
  const all = new Map<string, Read | string>()
  for (const [path, document] of documents) {
    if (IS_NO_TEXT.test(document.type)) continue
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      Buffer.concat([...document.pieces()]),
    )
    try {
      all.set(path, { type: document.type, shape: await shapeOf(document.type, text, ORIGIN) })
    } catch (error) {
      all.set(path, `cannot be read: ${error}`.slice(0, 300))
    }
  }
  return all
}

test('no text of a record changes what any document is made of', async () => {
  const wrong: string[] = []
  let read = 0
  for (let round = 0; round < ROUNDS; round++) {
    const [evil, plain] = [await readAll(hostileWords(round)), await readAll(tamedBeside(round))]
    expect(pathsOf(evil)).toEqual(pathsOf(plain))
    read += evil.size
    const slim = [...plain].flatMap(([path, one]) => {
      return path.endsWith('.min.md') && typeof one === 'object' ? one.shape : []
    })
    for (const [path, one] of evil) {
      const other = plain.get(path)
      const about = `${path}, round ${round}`
      if (typeof one === 'string') wrong.push(`${about} ${one}`)
      else if (typeof other === 'object') {
        const runs = one.shape.filter((line) => RUNS.test(line))
        if (runs.length > 0) wrong.push(`${about}: ${runs.slice(0, 3)}`)
        const isOnce = LISTS_KINDS.test(path)
        const [shape, expected] = isOnce
          ? [once(one.shape), once(other.shape)]
          : [one.shape, other.shape]
        const more = lacking(shape, path.endsWith('.min.md') ? slim : expected)
        const less = path.endsWith('.min.md') ? [] : lacking(expected, shape)
        if (more.length + less.length === 0) continue
        wrong.push(`${about}: ${more.slice(0, 3)} instead of ${less.slice(0, 3)}`)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(read).toBeGreaterThan(200)
})

// Only a dotted name has a feed, and tamed words can look like one.
const pathsOf = (all: ReadonlyMap<string, unknown>) =>
  [...all.keys()].filter((path) => !path.startsWith('/capabilities/')).toSorted()

const once = (lines: string[]) => [...new Set(lines)]

/** An address that is none is no link; what is made of one is looked at by itself. */
function tamedBeside(round: number): ReturnType<typeof hostileWords> {
  const [hostile, tamed] = [hostileWords(round), tamedWords(round)]
  return (n, kind) => (kind === 'address' ? hostile : tamed)(n, kind)
}

const RUNS = /\bon\w+=|=(?!https?:|webcal:)[a-z-]+:(?!image\/svg)/

/** What is in `one` more often than in `other`. */
function lacking(one: string[], other: string[]): string[] {
  const left = new Map<string, number>()
  for (const line of other) left.set(line, (left.get(line) ?? 0) + 1)
  return one.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  })
}
