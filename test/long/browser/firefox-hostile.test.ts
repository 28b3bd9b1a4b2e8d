import { expect, setDefaultTimeout, test } from 'bun:test'
import { look, TAPPABLE } from '../../browser/escapes.ts'
import { noFirefox, openFirefox } from '../../support/firefox.ts'
import { fullHouse } from '../../support/full-house.ts'
import { hostileWords } from '../../support/hostile-corpus.ts'
import { pageWorld } from '../../support/page-world.ts'
import { spoiler } from '../../support/stored-words.ts'

setDefaultTimeout(120_000)

const ACROSS = 500

test.skipIf(noFirefox !== undefined)(
  'nothing gets out of its place in Firefox either',
  async () => {
    await using world = await pageWorld()
    const all = await fullHouse(world, 'Plain words')
    // One page of each kind: the parser is the same for all of them.
    const kinds = /^\/(d|n|live|activity|sessions|inbox)(\/|$)|^\/(settings\/(devices|rules))?$/
    const paths = [...new Set(all)].filter((path) => kinds.test(path)).slice(0, 16)
    spoiler(world.file)(hostileWords(0))
    const browser = await openFirefox('ws://127.0.0.1:9')
    const wrong: string[] = []
    try {
      const page = await browser.newPage()
      await page.setViewport({ width: ACROSS, height: 800 })
      page.on('dialog', (dialog) => {
        wrong.push(`dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
      page.on('request', (request) => {
        const isOurs =
          request.url().startsWith(`${world.url}/`) || /^data:image/.test(request.url())
        if (!isOurs) wrong.push(`asks ${request.url().slice(0, 80)}`)
      })
      const [name = '', ...value] = world.cookie.split('=')
      await browser.setCookie({ name, value: value.join('='), domain: '127.0.0.1', path: '/' })
      for (const path of paths) {
        await page.goto(world.url + path, { waitUntil: 'load' })
        const problems = await page.evaluate(look, { tappable: TAPPABLE, across: ACROSS })
        for (const what of problems) wrong.push(`${path}: ${what}`)
        if (page.url() !== world.url + path) wrong.push(`${path} went to ${page.url()}`)
      }
    } finally {
      await browser.close()
    }
    expect(paths.length).toBeGreaterThan(10)
    expect(wrong).toEqual([])
  },
)
