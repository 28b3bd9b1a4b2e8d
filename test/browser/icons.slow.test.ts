import { expect, setDefaultTimeout, test } from 'bun:test'
import { openTab, openWorld } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

type Icon = { src: string; sizes: string; type: string; purpose: string }

const { world, browser } = await openWorld()

/** What a browser sees of an icon: its size, and what a mask may cut off. */
async function look({ src, type }: Icon) {
  const response = await fetch(src)
  const image = new Image()
  image.src = src
  await image.decode()
  const { naturalWidth: width, naturalHeight: height } = image
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d')
  context?.drawImage(image, 0, 0)
  const { data } = context?.getImageData(0, 0, width, height) ?? { data: [] }
  const ground = [...data.slice(0, 4)].join()
  let outside = 0
  let inside = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 4 * (y * width + x)
      if ([...data.slice(at, at + 4)].join() === ground) continue
      // The safe zone is a circle of two fifths of the side (W3C manifest: maskable icons).
      if (Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2) > 0.4 * width) outside++
      else inside++
    }
  }
  const isOfType = response.headers.get('content-type') === type
  return { sizes: `${width}x${height}`, isOfType, isOpaque: data[3] === 255, inside, outside }
}

test('every icon is as large as the manifest says, and a mask cuts nothing off', async () => {
  await using tab = await openTab(browser, world)
  await tab.page.goto('/')
  const manifest = await (await world.get('/manifest.webmanifest')).json()
  const { icons } = manifest as { icons: Icon[] }
  const masked = icons.filter(({ purpose }) => purpose === 'maskable')
  expect(masked.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512'])
  for (const icon of masked) {
    const seen = await tab.page.evaluate(look, icon)
    expect(seen).toMatchObject({ sizes: icon.sizes, isOfType: true, isOpaque: true, outside: 0 })
    expect(seen.inside).toBeGreaterThan(0)
  }
  const apple = (await tab.page.getAttribute('link[rel=apple-touch-icon]', 'href')) ?? ''
  const forApple = { src: apple, sizes: '180x180', type: 'image/png', purpose: 'any' }
  // Apple paints what is transparent black.
  expect(await tab.page.evaluate(look, forApple)).toMatchObject({
    ...{ sizes: '180x180', isOfType: true, isOpaque: true },
  })
})

test('icons of each purpose are apart: a tile, a square for masks, and a shape', async () => {
  await using tab = await openTab(browser, world)
  await tab.page.goto('/')
  const { icons } = (await (await world.get('/manifest.webmanifest')).json()) as { icons: Icon[] }
  const purposes = Map.groupBy(icons, ({ purpose }) => purpose)
  expect([...purposes.keys()].sort()).toEqual(['any', 'maskable', 'monochrome'])
  for (const icon of purposes.get('any')?.filter(({ type }) => type === 'image/png') ?? []) {
    // The corners of the tile are round.
    expect(await tab.page.evaluate(look, icon)).toMatchObject({
      sizes: icon.sizes,
      isOpaque: false,
    })
  }
})

test('an app starts in the colours of its pages', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await using tab = await openTab(browser, world, { colorScheme })
    await tab.page.goto('/')
    const session = await tab.context.newCDPSession(tab.page)
    const { data, errors } = await session.send('Page.getAppManifest')
    const { background_color: start } = JSON.parse(data ?? '{}')
    const [theme] = await tab.page
      .locator(`meta[name=theme-color][media*=${colorScheme}]`)
      .evaluateAll((tags) => tags.map((tag) => tag.getAttribute('content')))
    expect([start, errors]).toEqual([theme, []])
  }
})
