import { expect, test } from 'bun:test'
import { createToken } from '../../src/flows/agent-tokens.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { saveSubscriber } from '../../src/subscribers/store.ts'
import { aDevice } from '../support/devices.ts'
import { HOSTILE, pagesFull } from '../support/hostile-text.ts'
import { pageWorld } from '../support/page-world.ts'
import { openTab, startChromium } from './chromium.ts'

test('no text from outside leaves its place on any page', async () => {
  await using world = await pageWorld()
  const browser = await startChromium()
  await using tab = await openTab(browser, world)
  const { workspaceId, db } = world
  const paths: string[] = []
  // A comment that opens would hide what follows it, so that one stands alone.
  const texts = [HOSTILE.filter((text) => text !== '<!--').join(' '), '<!--']
  for (const text of texts) {
    paths.push(...(await pagesFull(world, text)))
    await createToken({ db, clock: systemClock }, { workspaceId, name: text.slice(0, 100) })
    const device = { workspaceId, label: text, lastError: text, lastErrorAt: 1 }
    await db.write((tx) => saveSubscriber(tx, aDevice(device)))
  }
  // The lists show all of it at once.
  paths.push('/', '/inbox', '/activity', '/settings/tokens', '/settings/devices')

  const wrong: string[] = []
  for (const path of paths) {
    await tab.page.goto(path, { waitUntil: 'domcontentloaded' })
    const found = await tab.page.evaluate(() => ({
      broken: 'broken' in window,
      injected: document.querySelectorAll(
        '#injected, iframe, base, main script, main style, main meta, [onerror], [onload], [onfocus], [onmouseover], [href^="javascript:" i], [href^="data:" i], [action^="http"]',
      ).length,
      whole: document.querySelectorAll('main').length === 1 && document.title.endsWith('· beckon'),
      here: location.origin,
    }))
    const fine = !found.broken && found.injected === 0 && found.whole && found.here === world.url
    if (!fine) wrong.push(`${path}: ${JSON.stringify(found)}`)
  }
  expect(wrong).toEqual([])
  expect(tab.complaints).toEqual([])
  await browser.close()
}, 120_000)
