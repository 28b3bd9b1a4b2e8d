import { expect, setDefaultTimeout, test } from 'bun:test'
import { fullHouse } from '../support/full-house.ts'
import { hostileWords } from '../support/hostile-corpus.ts'
import { everyNth } from '../support/share.ts'
import { spoiler } from '../support/stored-words.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'
import { escapesOf } from './escapes.ts'

setDefaultTimeout(120_000)

// It looks at the network, which takes a while, and has words of ours alone.
const SLOW = '/settings/health'

const { world, browser } = await openWorld()
const paths = [...new Set(await fullHouse(world, 'Plain words'))].filter((path) => path !== SLOW)
const respoil = spoiler(world.file)

/** Addresses that carry the texts themselves, which a page may say again. */
function echoingPaths(round: number): string[] {
  const places = paths.filter((path) => path.includes('Plain%20words'))
  return Array.from({ length: 10 }, (_, n) => {
    const text = encodeURIComponent(hostileWords(round)(n, 'text').slice(0, 100).toWellFormed())
    return places[n % places.length]?.replaceAll('Plain%20words', text) ?? '/'
  })
}

const SIZES = [
  ['a phone', PHONE, 0],
  ['a desk', DESK, 3],
] as const

test.each(everyNth(SIZES, 2))(
  'no text from outside leaves its place on any page: %s',
  async (_, options, round) => {
    respoil(hostileWords(round))
    await using tab = await openTab(browser, world, options)
    const escapes = await escapesOf(tab, world.url, [...paths, ...echoingPaths(round)])
    expect(escapes).toEqual([])
  },
)
